-- Percentiles of the verified successes by nearest rank, and how many runs there are.
SELECT
  count() AS runs,
  countIf(run.verified) AS verified,
  quantilesExactLowIf({{levels}})(run.passes, run.verified) AS passes,
  quantilesExactLowIf({{levels}})(run.tokens, run.verified) AS tokens,
  quantilesExactLowIf({{levels}})(run.micros, run.verified) AS micros
FROM ({{runs}}) AS run
