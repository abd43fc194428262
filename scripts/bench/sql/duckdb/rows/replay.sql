-- The passes and the calls of rows of calls, one row each. Both are asked of one table, so that the file is read once;
-- its rowid keeps the order of the file, which is the order of the calls inside a pass.
CREATE TEMP TABLE rows AS
SELECT
  run_id AS id,
  status,
  "check" = 'passed' AS verified,
  pass AS k,
  input_tokens + output_tokens AS tokens,
  (seconds * 1e6)::BIGINT AS micros,
  tool IS NOT NULL AS is_call,
  CASE WHEN result_digest IS NOT NULL THEN hash(tool, args_digest, result_digest) END AS event
FROM {{rows}};

-- A pass with several calls repeats its figures on every row.
CREATE TEMP VIEW passes AS
SELECT DISTINCT id, status, verified, k, tokens, micros
FROM rows;

CREATE TEMP VIEW calls AS
SELECT id, k, rowid AS place, event
FROM rows
WHERE is_call;
