import type { Sample } from '../calibrate/sample.js';
import { numberText } from '../model/decimal-text.js';
import { METRICS, type Metric } from '../model/limits.js';
import { plural } from '../model/words.js';
import { rankTest } from '../stats/rank-test.js';
import { shareAlarms } from './drift-power.js';
import type { DriftTest, DriftUnseen } from './drift-result.js';
import { percentileText } from './drift-words.js';

/** Which shifts would not be seen. @param level at which the clearest test alarms */
export function unseenOf(tests: readonly DriftTest[], old: Sample, level: number): DriftUnseen {
  const growth = Object.fromEntries(
    METRICS.map((metric) => {
      const up = tests.find((test) => test.test === 'rank' && test.metric === metric)?.alarms?.up ?? null;
      return [metric, up === null ? null : growthSeen(old.values[metric], up)];
    }),
  ) as Record<Metric, number | null>;
  return { growth, above: aboveOf(tests), new_ending: newEndingOf(tests, level) };
}

/** More than tenfold growth needs no test. */
const MOST_GROWTH = 900;

/**
 * By how much larger, in whole percent, every value must be for this share of the pairs to favour the larger ones; `null`
 * where tenfold is not enough.
 *
 * @param values ascending, in atoms: a size that grew is still a whole number of them
 */
export function growthSeen(values: Float64Array, superiority: number): number | null {
  if (values.length === 0) return null;
  const isSeen = (percent: number): boolean => {
    const grown = values.map((value) => Math.round(value * (1 + percent / 100)));
    return rankTest(grown, values).superiority >= superiority;
  };
  if (!isSeen(MOST_GROWTH)) return null;
  let [low, high] = [0, MOST_GROWTH];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isSeen(middle)) high = middle;
    else low = middle;
  }
  return high / 100;
}

/** Of the metric whose tail alarms first. */
function aboveOf(tests: readonly DriftTest[]): DriftUnseen['above'] {
  const tails = tests.flatMap(({ test, metric, p, alarms, n_new, expected }) =>
    test === 'tail' && metric !== null && p !== null && alarms?.up != null && expected !== null
      ? [{ metric, p, count: alarms.up, of: n_new, expected }]
      : [],
  );
  return tails[0] ?? null;
}

function newEndingOf(tests: readonly DriftTest[], level: number): DriftUnseen['new_ending'] {
  const made = tests.find(({ test, alarms }) => test === 'endings' && alarms !== null);
  if (made === undefined) return null;
  const { up } = shareAlarms(level, made.n_new, 0, made.n_old);
  return up === null ? null : { count: Math.round(up * made.n_new), of: made.n_new };
}

/** The same in a sentence; `null` where no test was made. */
export function unseenText({ growth, above, new_ending }: DriftUnseen): string | null {
  const sizes = METRICS.flatMap((metric) => {
    const share = growth[metric];
    return share === null ? [] : [`${Math.round(100 * share)} % more ${NAMES[metric]}`];
  });
  const parts = [
    ...(sizes.length === 0 ? [] : [`every success taking ${listed(sizes, 'or')}`]),
    ...(above === null ? [] : [aboveText(above)]),
    ...(new_ending === null
      ? []
      : [`${numberText(new_ending.count)} of ${plural(new_ending.of, 'new run')} ending in a way that no old run did`]),
  ];
  return parts.length === 0 ? null : `A smaller shift than this would not have been seen: ${parts.join('; ')}.`;
}

function aboveText({ metric, p, count, of, expected }: NonNullable<DriftUnseen['above']>): string {
  const usual = numberText(Number(expected.toPrecision(2)));
  return `${numberText(count)} of ${plural(of, 'new success', 'new successes')} above the old ${percentileText(p)} of ${NAMES[metric]} (${usual} expected)`;
}

/** What is counted, for a sentence. */
export const NAMES: Readonly<Record<Metric, string>> = {
  passes: 'passes',
  tokens: 'tokens',
  seconds: 'seconds',
  usd: 'dollars',
};

/** `a, b or c`. */
export function listed(parts: readonly string[], word: 'and' | 'or'): string {
  if (parts.length < 2) return parts.join('');
  return `${parts.slice(0, -1).join(', ')} ${word} ${parts.at(-1)}`;
}
