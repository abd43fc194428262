import type { Sample } from '../calibrate/sample.js';
import { numberText } from '../model/decimal-text.js';
import { METRICS, type Metric } from '../model/limits.js';
import { plural } from '../model/words.js';
import { LARGE_SUPERIORITY } from './drift-effect.js';
import type { DriftReport, DriftTest } from './drift-result.js';
import { FEWEST_FOR_RANKS } from './drift-tests.js';
import { listed, NAMES } from './drift-unseen.js';
import { endingText, percentileText } from './drift-words.js';

/**
 * Moved where any test alarms, all judged together. Without an alarm it can only be told where a test of all sizes
 * would have seen a large shift: one to whose favour 71 % of the pairs of an old and a new run lie.
 */
export function answerOf(tests: readonly DriftTest[]): DriftReport['answer'] {
  if (tests.some(({ moved }) => moved !== null)) return 'moved';
  return tests.some(seesLargeShift) ? 'not moved' : 'cannot tell';
}

function seesLargeShift({ test, alarms }: DriftTest): boolean {
  return test === 'rank' && alarms !== null && alarms.up !== null && alarms.up <= LARGE_SUPERIORITY;
}

/** What the answer rests on beside the tests. */
interface Told extends Pick<DriftReport, 'unseen' | 'not_compared'> {
  /** How many successes. */
  readonly old: number;
  readonly fresh: number;
}

/** The answer in a few sentences: what moved, what could not be compared, and without an alarm what it would not see. */
export function verdictOf(tests: readonly DriftTest[], { old, fresh, unseen, not_compared }: Told): string {
  const made = tests.filter(({ p_value }) => p_value !== null);
  const sentences = (...texts: (string | null)[]): string => texts.filter((text) => text !== null).join(' ');
  switch (answerOf(tests)) {
    case 'moved':
      return sentences(`Moved: ${alarmsText(made)}.`, not_compared);
    case 'not moved':
      return sentences(
        `Not moved, as far as ${numberText(old)} old and ${plural(fresh, 'new success', 'new successes')} can tell: no sign of it in ${plural(made.length, 'test')} taken together.`,
        unseen,
        not_compared,
      );
    case 'cannot tell':
      return sentences(`Cannot tell: ${weaknessText(tests, old, fresh)}.`, unseen, not_compared);
  }
}

/** Endings named in the headline; the list below it has all. */
export const ENDINGS_NAMED = 4;

function alarmsText(tests: readonly DriftTest[]): string {
  const moved = tests.filter((test) => test.moved !== null);
  const sizes = (['rank', 'top', 'tail'] as const).flatMap((kind) =>
    (['up', 'down'] as const).flatMap((way) => sizeClause(kind, way, moved)),
  );
  const endings = moved.filter(({ test }) => test === 'endings' || test === 'share');
  const rest = endings.length - ENDINGS_NAMED;
  return [
    ...sizes,
    ...endings.slice(0, ENDINGS_NAMED).map(endingText),
    ...(rest > 0 ? [`and ${plural(rest, 'other ending')} came more or less often`] : []),
  ].join('; ');
}

function sizeClause(kind: 'rank' | 'top' | 'tail', way: 'up' | 'down', tests: readonly DriftTest[]): string[] {
  const found = tests.filter(({ test, moved }) => test === kind && moved === way);
  if (found.length === 0) return [];
  const metrics = listed(
    found.flatMap(({ metric }) => (metric === null ? [] : [NAMES[metric]])),
    'and',
  );
  const more = way === 'up' ? 'more' : 'fewer';
  const takes = way === 'up' ? 'more' : 'less';
  if (kind === 'tail')
    return [`${more} new successes lie above the old ${percentileText(found[0]?.p ?? null)} of ${metrics}`];
  return [`${kind === 'top' ? 'the largest new successes' : 'new successes'} take ${takes} (${metrics})`];
}

function weaknessText(tests: readonly DriftTest[], old: number, fresh: number): string {
  const sides = `${numberText(old)} old and ${plural(fresh, 'new success', 'new successes')}`;
  if (Math.min(old, fresh) < FEWEST_FOR_RANKS) {
    return `${sides}, and it takes at least ${FEWEST_FOR_RANKS} on either side`;
  }
  const ranks = tests.filter(({ test }) => test === 'rank');
  if (ranks.every(({ seen }) => seen === null)) return `of ${sides} no size is known in both sets`;
  if (ranks.every(({ alarms }) => alarms?.up == null))
    return `with ${sides} no shift of their sizes would be seen, however large`;
  return `with ${sides} not even a large shift of their sizes would be seen`;
}

/** Sizes that one of the sets tells and that could not be compared, in a sentence; `null` where there are none. */
export function notComparedText(tests: readonly DriftTest[], old: Sample, fresh: Sample): string | null {
  if (Math.min(old.verified, fresh.verified) < FEWEST_FOR_RANKS) return null;
  const ranks = tests.filter(({ test }) => test === 'rank');
  const missing = ranks.flatMap(({ metric, seen }) => (seen === null && metric !== null ? [metric] : []));
  if (ranks.length === 0) return 'No size could be compared: no success of either set tells any.';
  if (missing.length === 0) return null;
  const known = (metric: Metric, { values, verified }: Sample): string =>
    `${numberText(values[metric].length)} of ${numberText(verified)}`;
  const parts = METRICS.filter((metric) => missing.includes(metric)).map(
    (metric) => `${NAMES[metric]} (known for ${known(metric, old)} old and ${known(metric, fresh)} new successes)`,
  );
  const lead = missing.length === ranks.length ? 'No size could be compared' : 'Could not be compared';
  return `${lead}: ${parts.join(', ')}.`;
}
