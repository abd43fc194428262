/** The counters a policy can put a ceiling on, in the default order in which they are asked. */
export const LIMITS = ['passes', 'tokens', 'seconds', 'usd', 'steps'] as const;
export type LimitName = (typeof LIMITS)[number];

/** The counters that percentiles and caps are derived for. Steps follow from passes and are never derived. */
export const METRICS = ['passes', 'tokens', 'seconds', 'usd'] as const;
export type Metric = (typeof METRICS)[number];

export function isLimitName(word: string): word is LimitName {
  return (LIMITS as readonly string[]).includes(word);
}

/**
 * Every counter is held as a whole number of atoms, so that sums and comparisons are exact:
 * passes, tokens and steps one by one, seconds as microseconds, dollars as billionths.
 */
export const ATOMS_PER_UNIT: Readonly<Record<LimitName, number>> = {
  passes: 1,
  tokens: 1,
  seconds: 1_000_000,
  usd: 1_000_000_000,
  steps: 1,
};

/** One value per limit in atoms; `null` is unknown, never zero. */
export type Counters = { [limit in LimitName]: number | null };

/** One value for each metric. */
export function perMetric<Value>(make: (metric: Metric) => Value): { [metric in Metric]: Value } {
  return Object.fromEntries(METRICS.map((metric) => [metric, make(metric)])) as { [metric in Metric]: Value };
}
