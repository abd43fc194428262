-- Percentiles of the verified successes by nearest rank, and how many runs there are. The quantile functions of chDB
-- take another rank where level x n is whole.
WITH
  {{per_mille}} AS levels,
  arraySort(groupArrayIf(run.passes, run.verified)) AS all_passes,
  arraySort(groupArrayIf(run.tokens, run.verified)) AS all_tokens,
  arraySort(groupArrayIf(run.micros, run.verified)) AS all_micros,
  arrayMap(level -> intDiv(level * countIf(run.verified) + 999, 1000), levels) AS ranks
SELECT
  count() AS runs,
  countIf(run.verified) AS verified,
  arrayMap(rank -> all_passes[rank], ranks) AS passes,
  arrayMap(rank -> all_tokens[rank], ranks) AS tokens,
  arrayMap(rank -> all_micros[rank], ranks) AS micros
FROM ({{runs}}) AS run
