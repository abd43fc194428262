-- The passes of rows of calls, one row each. A pass with several calls repeats its figures on every row.
CREATE TEMP VIEW passes AS
SELECT DISTINCT
  run_id AS id,
  pass AS k,
  "check" = 'passed' AS verified,
  input_tokens + output_tokens AS tokens,
  (seconds * 1e6)::BIGINT AS micros
FROM {{rows}};
