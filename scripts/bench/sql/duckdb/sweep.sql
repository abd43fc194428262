-- A grid of policies at once. A pass is billed if and only if all counters before it are below their caps, so it falls
-- into the cell that says how many caps of each limit were reached before it, and a policy sums the cells below its own.
WITH
  counters AS (
    SELECT
      verified,
      tokens AS spent,
      lead(k) OVER run IS NULL AS is_last,
      k - 1 AS passes,
      sum(tokens) OVER run - tokens AS tokens,
      sum(micros) OVER run - micros AS micros
    FROM passes
    WINDOW run AS (PARTITION BY id ORDER BY k)
  ),
  cells AS (
    SELECT
      {{reached_passes}} AS p,
      {{reached_tokens}} AS t,
      {{reached_micros}} AS s,
      sum(spent) AS spent,
      count(*) FILTER (WHERE is_last) AS finished,
      count(*) FILTER (WHERE is_last AND verified) AS finished_verified
    FROM counters
    GROUP BY ALL
  ),
  -- The places of the caps in their lists, from 0.
  policies AS (
    SELECT passes, tokens, seconds
    FROM range({{count_passes}}) AS a(passes), range({{count_tokens}}) AS b(tokens), range({{count_seconds}}) AS c(seconds)
  )
SELECT
  passes,
  tokens,
  seconds,
  coalesce(sum(finished) FILTER (WHERE is_cut), 0) AS stops,
  coalesce(sum(finished_verified) FILTER (WHERE is_cut), 0) AS false_stops,
  coalesce(sum(spent) FILTER (WHERE NOT is_cut), 0) AS replayed
FROM (SELECT *, p > passes OR t > tokens OR s > seconds AS is_cut FROM policies, cells)
GROUP BY ALL
ORDER BY passes, tokens, seconds;
