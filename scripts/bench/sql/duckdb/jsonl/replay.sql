-- The passes and the calls of a JSONL file, one row each. Both are asked of one table, so that the file is read once.
CREATE TEMP TABLE passes AS
SELECT
  id,
  status,
  "check" = 'passed' AS verified,
  k,
  p.input_tokens + p.output_tokens AS tokens,
  (p.seconds * 1e6)::BIGINT AS micros,
  list_transform(
    p.calls,
    lambda c: CASE WHEN c.result_digest IS NOT NULL THEN hash(c.tool, c.args_digest, c.result_digest) END
  ) AS events
FROM (
  SELECT id, status, "check", unnest(passes) AS p, generate_subscripts(passes, 1) AS k
  FROM read_json(
    '{{file}}',
    format = 'newline_delimited',
    columns = {
      id: 'VARCHAR',
      status: 'VARCHAR',
      "check": 'VARCHAR',
      passes: 'STRUCT(
        input_tokens BIGINT, output_tokens BIGINT, seconds DOUBLE,
        calls STRUCT(tool VARCHAR, args_digest VARCHAR, result_digest VARCHAR)[]
      )[]'
    }
  )
);

CREATE TEMP VIEW calls AS
SELECT id, k, generate_subscripts(events, 1) AS place, unnest(events) AS event
FROM passes;
