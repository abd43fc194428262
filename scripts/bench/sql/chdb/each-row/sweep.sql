-- The runs of a JSONL file by the format that chDB has for such files, with the figures of their passes in arrays.
SELECT
  run.check = 'passed' AS verified,
  arrayMap((i, o) -> i + o, run.passes.input_tokens, run.passes.output_tokens) AS spent,
  arrayMap(s -> toInt64(round(s * 1e6)), run.passes.seconds) AS took
FROM file('{{file}}', JSONEachRow, $$
  check String,
  passes Array(Tuple(input_tokens Int64, output_tokens Int64, seconds Float64))
$$) AS run
