-- The passes of a JSONL file, one row each.
CREATE TEMP VIEW passes AS
SELECT
  id,
  "check" = 'passed' AS verified,
  k,
  p.input_tokens + p.output_tokens AS tokens,
  (p.seconds * 1e6)::BIGINT AS micros
FROM (
  SELECT id, "check", unnest(passes) AS p, generate_subscripts(passes, 1) AS k
  FROM read_json(
    '{{file}}',
    format = 'newline_delimited',
    columns = {
      id: 'VARCHAR',
      "check": 'VARCHAR',
      passes: 'STRUCT(input_tokens BIGINT, output_tokens BIGINT, seconds DOUBLE)[]'
    }
  )
);
