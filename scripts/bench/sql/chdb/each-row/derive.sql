-- The runs of a JSONL file by the format that chDB has for such files, one row each.
SELECT
  run.check = 'passed' AS verified,
  length(run.passes) AS passes,
  arraySum(run.passes.input_tokens) + arraySum(run.passes.output_tokens) AS tokens,
  arraySum(arrayMap(s -> toInt64(round(s * 1e6)), run.passes.seconds)) AS micros
FROM file('{{file}}', JSONEachRow, $$
  check String,
  passes Array(Tuple(input_tokens Int64, output_tokens Int64, seconds Float64))
$$) AS run
