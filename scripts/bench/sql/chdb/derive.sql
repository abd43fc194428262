-- Percentiles of the verified successes by nearest rank, and how many runs there are.
SELECT
  count() AS runs,
  countIf(verified) AS verified,
  quantilesExactLowIf({{levels}})(passes, verified) AS passes,
  quantilesExactLowIf({{levels}})(tokens, verified) AS tokens,
  quantilesExactLowIf({{levels}})(micros, verified) AS micros
FROM ({{runs}})
