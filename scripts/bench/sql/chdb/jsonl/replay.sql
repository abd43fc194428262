-- The runs of a JSONL file with the figures of their passes and the events of their calls in arrays.
SELECT
  run.status AS status,
  run.check = 'passed' AS verified,
  arrayMap((i, o) -> i + o, run.passes.input_tokens, run.passes.output_tokens) AS spent,
  arrayMap(s -> toInt64(round(s * 1e6)), run.passes.seconds) AS took,
  arrayFlatten(arrayMap((calls, k) -> arrayMap(c -> k, calls), run.passes.calls, arrayEnumerate(run.passes))) AS call_passes,
  arrayMap(
    c -> if(c.result_digest IS NULL, NULL, cityHash64(c.tool, c.args_digest, c.result_digest)),
    arrayFlatten(run.passes.calls)
  ) AS events
FROM {{records}} AS run
