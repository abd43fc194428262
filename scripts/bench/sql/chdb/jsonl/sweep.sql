-- The runs of a JSONL file with the figures of their passes in arrays.
SELECT
  run.check = 'passed' AS verified,
  arrayMap((i, o) -> i + o, run.passes.input_tokens, run.passes.output_tokens) AS spent,
  arrayMap(s -> toInt64(round(s * 1e6)), run.passes.seconds) AS took
FROM {{records}} AS run
