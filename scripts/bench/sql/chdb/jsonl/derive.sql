-- The runs of a JSONL file, one row each.
SELECT
  run.check = 'passed' AS verified,
  length(run.passes) AS passes,
  arraySum(run.passes.input_tokens) + arraySum(run.passes.output_tokens) AS tokens,
  arraySum(arrayMap(s -> toInt64(round(s * 1e6)), run.passes.seconds)) AS micros
FROM {{records}} AS run
