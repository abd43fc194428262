-- The runs of rows of calls, one row each. A pass with several calls repeats its figures on every row.
SELECT
  any(verified) AS verified,
  count() AS passes,
  sum(spent) AS tokens,
  sum(took) AS micros
FROM (
  SELECT DISTINCT
    run_id,
    pass,
    check = 'passed' AS verified,
    input_tokens + output_tokens AS spent,
    toInt64(round(seconds * 1e6)) AS took
  FROM {{rows}}
)
GROUP BY run_id
