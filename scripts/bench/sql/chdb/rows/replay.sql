-- The runs of rows of calls with the figures of their passes and the events of their calls in arrays. A pass with
-- several calls repeats its figures on every row; the order of the rows is the order of its calls.
SELECT
  any(status) AS status,
  any(verified) AS verified,
  arraySort(groupUniqArray((pass, tokens, micros))) AS passes,
  passes.2 AS spent,
  passes.3 AS took,
  arraySort(groupArrayIf((pass, place, event), is_call)) AS calls,
  calls.1 AS call_passes,
  calls.3 AS events
FROM (
  SELECT
    run_id,
    status,
    pass,
    check = 'passed' AS verified,
    input_tokens + output_tokens AS tokens,
    toInt64(round(seconds * 1e6)) AS micros,
    _row_number AS place,
    tool IS NOT NULL AS is_call,
    if(result_digest IS NULL, NULL, cityHash64(tool, args_digest, result_digest)) AS event
  FROM {{rows}}
)
GROUP BY run_id
