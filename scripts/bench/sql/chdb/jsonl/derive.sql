-- The runs of a JSONL file, one row each. To extract from whole lines is faster here than the format JSONEachRow.
SELECT
  run.check = 'passed' AS verified,
  length(run.passes) AS passes,
  arraySum(run.passes.input_tokens) + arraySum(run.passes.output_tokens) AS tokens,
  arraySum(arrayMap(s -> toInt64(round(s * 1e6)), run.passes.seconds)) AS micros
FROM (
  SELECT JSONExtract(line, $$Tuple(
    check String,
    passes Array(Tuple(input_tokens Int64, output_tokens Int64, seconds Float64))
  )$$) AS run
  FROM file('{{file}}', LineAsString, 'line String')
)
