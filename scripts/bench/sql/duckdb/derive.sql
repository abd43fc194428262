-- Percentiles of the verified successes by nearest rank, and how many runs there are.
SELECT
  count(*) AS runs,
  count(*) FILTER (WHERE verified) AS verified,
  quantile_disc(passes, {{levels}}) FILTER (WHERE verified) AS passes,
  quantile_disc(tokens, {{levels}}) FILTER (WHERE verified) AS tokens,
  quantile_disc(micros, {{levels}}) FILTER (WHERE verified) AS micros
FROM runs;
