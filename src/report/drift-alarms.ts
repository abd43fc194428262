import type { DriftChange, DriftReport, DriftTest } from '../replay/drift-result.js';
import { ENDINGS_NAMED } from '../replay/drift-verdict.js';
import { endingText, percentileText } from '../replay/drift-words.js';
import { type Block, list } from './blocks.js';
import { formatAmount, formatCount, plural } from './format.js';

/** What each alarm means, in a sentence with figures; the headline has told most of the endings already. */
export function alarmBlocks(drift: DriftReport): Block[] {
  const moved = drift.tests.filter((test) => test.moved !== null);
  const endings = moved.filter(({ test }) => test === 'endings');
  const texts = [...moved.filter(({ test }) => test !== 'endings'), ...endings.slice(ENDINGS_NAMED)].map((test) =>
    alarmText(test, drift),
  );
  return texts.length === 0 ? [] : [list(texts)];
}

function alarmText(test: DriftTest, { changes }: DriftReport): string {
  const { metric, seen, expected, n_new } = test;
  switch (test.test) {
    case 'rank':
      return `${metric}: of each 100 pairs of an old and a new success, the new one takes more in ${pairs(seen)} (50 if nothing moved); ${changeText(test, changes)}`;
    case 'top':
      return `${metric}: the same among the largest tenth of old and new together, ${pairs(seen)} of 100 (50 if nothing moved)`;
    case 'tail':
      return `${metric}: ${formatCount(seen)} of ${plural(n_new, 'new success', 'new successes')} lie above the old ${percentileText(test.p)}, where ${formatCount(expected)} are expected`;
    case 'endings':
    case 'share':
      return endingText(test);
  }
}

function pairs(share: number | null): string {
  return String(Number((100 * (share ?? 0)).toPrecision(3)));
}

/** A median that changed by less stayed about where it was; a high percentile that changed by more did not. */
const ABOUT_THE_SAME = 0.1;

/** `p50 63 -> 61 and p99 53,259 -> 5,384: the middle is about the same, the large ones shrank`. */
function changeText({ metric, moved }: DriftTest, changes: DriftReport['changes']): string {
  const change = metric === null ? null : changes[metric];
  const [middle, high] = [change?.p50, change?.p99];
  if (metric === null || middle === undefined || high === undefined) return '';
  const text = ({ old, new: fresh }: DriftChange): string =>
    `${formatAmount(metric, old)} -> ${formatAmount(metric, fresh)}`;
  const figures = `p50 ${text(middle)} and p99 ${text(high)}`;
  const isMiddleSame = Math.abs(middle.share ?? 1) < ABOUT_THE_SAME;
  const [up, down] = [(high.share ?? 0) >= ABOUT_THE_SAME, (high.share ?? 0) <= -ABOUT_THE_SAME];
  const fits = moved === 'up' ? up : down;
  if (!isMiddleSame || !fits) return figures;
  return `${figures}: the middle is about the same, the large ones ${up ? 'grew' : 'shrank'}`;
}
