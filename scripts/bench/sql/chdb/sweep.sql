-- A grid of policies at once. A pass is billed if and only if all counters before it are below their caps, so it falls
-- into the cell that says how many caps of each limit were reached before it, and a policy sums the cells below its own.
WITH
  cells AS (
    SELECT
      {{reached_passes}} AS p,
      {{reached_tokens}} AS t,
      {{reached_micros}} AS s,
      sum(spent) AS spent,
      countIf(is_last) AS finished,
      countIf(is_last AND verified) AS finished_verified
    FROM (
      SELECT
        verified,
        pass_spent AS spent,
        k = length(runs.spent) AS is_last,
        k - 1 AS passes,
        tokens_after - pass_spent AS tokens,
        micros_after - pass_took AS micros
      FROM ({{runs}}) AS runs
      ARRAY JOIN
        arrayEnumerate(spent) AS k,
        spent AS pass_spent,
        took AS pass_took,
        arrayCumSum(spent) AS tokens_after,
        arrayCumSum(took) AS micros_after
    )
    GROUP BY p, t, s
  ),
  -- The places of the caps in their lists, from 0.
  policies AS (
    SELECT a.number AS passes, b.number AS tokens, c.number AS seconds
    FROM numbers({{count_passes}}) AS a, numbers({{count_tokens}}) AS b, numbers({{count_seconds}}) AS c
  )
SELECT
  passes,
  tokens,
  seconds,
  sumIf(finished, is_cut) AS stops,
  sumIf(finished_verified, is_cut) AS false_stops,
  sumIf(spent, NOT is_cut) AS replayed
FROM (SELECT *, p > passes OR t > tokens OR s > seconds AS is_cut FROM policies, cells)
GROUP BY passes, tokens, seconds
ORDER BY passes, tokens, seconds
