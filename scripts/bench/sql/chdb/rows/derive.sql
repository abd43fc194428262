-- The runs of rows of calls, one row each. A pass with several calls repeats its figures on every row.
SELECT
  any(is_verified) AS verified,
  groupUniqArray((pass, spent, took)) AS figures,
  length(figures) AS passes,
  arraySum(figures.2) AS tokens,
  arraySum(figures.3) AS micros
FROM (
  SELECT
    run_id,
    pass,
    check = 'passed' AS is_verified,
    input_tokens + output_tokens AS spent,
    toInt64(round(seconds * 1e6)) AS took
  FROM {{rows}}
)
GROUP BY run_id
