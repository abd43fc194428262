-- The runs of rows of calls, one row each. A pass with several calls repeats its figures on every row.
CREATE TEMP VIEW runs AS
SELECT
  any_value(verified) AS verified,
  count(*) AS passes,
  sum(tokens)::BIGINT AS tokens,
  sum(micros)::BIGINT AS micros
FROM (
  SELECT DISTINCT
    run_id,
    pass,
    "check" = 'passed' AS verified,
    input_tokens + output_tokens AS tokens,
    (seconds * 1e6)::BIGINT AS micros
  FROM {{rows}}
)
GROUP BY run_id;
