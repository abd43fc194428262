-- The runs of a JSONL file, one row each.
CREATE TEMP VIEW runs AS
SELECT
  "check" = 'passed' AS verified,
  len(passes) AS passes,
  list_sum(list_transform(passes, lambda p: p.input_tokens + p.output_tokens)) AS tokens,
  list_sum(list_transform(passes, lambda p: (p.seconds * 1e6)::BIGINT)) AS micros
FROM read_json(
  '{{file}}',
  format = 'newline_delimited',
  columns = {
    "check": 'VARCHAR',
    passes: 'STRUCT(input_tokens BIGINT, output_tokens BIGINT, seconds DOUBLE)[]'
  }
);
