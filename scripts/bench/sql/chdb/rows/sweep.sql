-- The runs of rows of calls with the figures of their passes in arrays. A pass with several calls repeats its figures
-- on every row.
SELECT
  any(verified) AS verified,
  arraySort(groupUniqArray((pass, tokens, micros))) AS passes,
  passes.2 AS spent,
  passes.3 AS took
FROM (
  SELECT
    run_id,
    pass,
    check = 'passed' AS verified,
    input_tokens + output_tokens AS tokens,
    toInt64(round(seconds * 1e6)) AS micros
  FROM {{rows}}
)
GROUP BY run_id
