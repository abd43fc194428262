-- How every run ends under the policy, counted by ending.
WITH
  -- The rule counts calls in a row that are the same: a pass without calls neither counts nor breaks.
  streaks AS (
    SELECT id, k, event = lag(event, 1) OVER run AND event = lag(event, 2) OVER run AS is_third
    FROM calls
    WINDOW run AS (PARTITION BY id ORDER BY k, place)
  ),
  repeats AS (
    SELECT id, min(k) AS k
    FROM streaks
    WHERE is_third
    GROUP BY id
  ),
  counters AS (
    SELECT
      id,
      status,
      verified,
      k,
      lead(k) OVER run IS NULL AS is_last,
      sum(tokens) OVER run AS tokens,
      sum(micros) OVER run AS micros
    FROM passes
    WINDOW run AS (PARTITION BY id ORDER BY k)
  ),
  -- The policy is asked before each model call, so not after the last pass; the first limit reached is the reason.
  boundaries AS (
    SELECT
      counters.*,
      CASE
        WHEN is_last THEN NULL
        WHEN counters.k >= {{cap_passes}} THEN 'passes'
        WHEN tokens >= {{cap_tokens}} THEN 'tokens'
        WHEN micros >= {{cap_micros}} THEN 'seconds'
        WHEN counters.k >= repeats.k THEN 'repeats'
      END AS reason
    FROM counters
    LEFT JOIN repeats USING (id)
  ),
  endings AS (
    SELECT
      any_value(status) AS status,
      any_value(verified) AS verified,
      arg_min(reason, k) AS reason,
      max(tokens) AS recorded,
      min(tokens) FILTER (WHERE reason IS NOT NULL) AS stopped_at
    FROM boundaries
    GROUP BY id
  )
SELECT
  CASE WHEN reason IS NULL THEN status ELSE 'stopped_budget' END AS status,
  verified,
  reason,
  count(*) AS runs,
  sum(recorded) AS recorded,
  sum(coalesce(stopped_at, recorded)) AS replayed
FROM endings
GROUP BY ALL;
