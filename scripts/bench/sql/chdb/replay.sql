-- How every run ends under the policy, counted by ending. The policy is asked before each model call, so not after the
-- last pass; the first limit reached is the reason. The rule counts calls in a row that are the same.
SELECT
  is_stopped ? 'stopped_budget' : status AS status,
  verified,
  multiIf(
    NOT is_stopped, NULL,
    boundary >= {{cap_passes}}, 'passes',
    tokens[boundary] >= {{cap_tokens}}, 'tokens',
    micros[boundary] >= {{cap_micros}}, 'seconds',
    'repeats'
  ) AS reason,
  count() AS runs,
  sum(tokens[-1]) AS recorded,
  sum(tokens[is_stopped ? boundary : -1]) AS replayed
FROM (
  SELECT
    status,
    verified,
    arrayCumSum(spent) AS tokens,
    arrayCumSum(took) AS micros,
    arrayFirstIndex(
      (event, one, two) -> ifNull(event = one AND event = two, false),
      events, arrayShiftRight(events, 1), arrayShiftRight(events, 2)
    ) AS third,
    arrayFirstIndex(
      (k, t, s) -> k >= {{cap_passes}} OR t >= {{cap_tokens}} OR s >= {{cap_micros}} OR (third > 0 AND k >= call_passes[third]),
      arrayEnumerate(spent), tokens, micros
    ) AS boundary,
    boundary > 0 AND boundary < length(spent) AS is_stopped
  FROM ({{runs}})
)
GROUP BY ALL
