import type { Metric } from '../model/limits.js';
import { percent } from './drift-words.js';
import { openSuccesses, upToText } from './open-successes.js';
import type { ReplayReport } from './result.js';
import { falseStopRange } from './whatif-difference.js';
import { blindReason } from './whatif-open.js';
import type { Difference, FalseStopTest, Relation, SpendInterval } from './whatif-result.js';
import { openSpendText, spendText } from './whatif-spend-words.js';

/** What a verdict is made from. */
export interface Judged {
  readonly name: string;
  readonly relation: Relation;
  readonly today: ReplayReport;
  readonly replay: ReplayReport;
  readonly difference: Difference;
  readonly test: Pick<FalseStopTest, 'lost' | 'regained'>;
  readonly metric: Metric;
  readonly interval: SpendInterval;
  /** Runs that change sides, or are stopped elsewhere. */
  readonly moved: number;
  /** Runs that something of either policy could not judge, unless all is the same in both. */
  readonly unseen: number;
  /** Limits and rules that are not the same in both, and could judge no run at all. */
  readonly blind: readonly string[];
}

/** What a candidate would do, in one sentence; in two where the recording cannot tell. */
export function verdictOf(judged: Judged): string {
  const { name, relation, difference, metric, moved } = judged;
  if (relation === 'same') return `${name} stops every run where today's policy does: nothing changes.`;
  if (judged.unseen > 0 || isOpen(difference, metric)) return openVerdict(judged);
  if (moved === 0) return `${name} changes nothing on these runs: each ends where it does today.`;
  const spend = difference.spend[metric];
  if (judged.replay.verified === 0) {
    return `${name} would ${spendText(spend, metric, judged.interval)}; ${NONE_VERIFIED}.`;
  }
  return `${name} would ${stopsText(judged)} and ${spendText(spend, metric, judged.interval)}.`;
}

/** Whether the recording leaves a figure of the verdict open. */
export function isOpen({ verified_finished, false_stops, spend }: Difference, metric: Metric): boolean {
  return [verified_finished, false_stops, spend[metric]].some((each) => (each?.bounds ?? null) !== null);
}

const NONE_VERIFIED = 'how many good runs it would stop cannot be told, because none is verified';

/** What cannot be judged comes first, then how far the figures reach. */
function openVerdict(judged: Judged): string {
  const { name, difference, replay, today, metric, blind } = judged;
  const finish = difference.verified_finished.bounds;
  const good = finish === null ? stopsText(judged) : `let ${moreOrFewer(...finish)} finish${othersText(judged)}`;
  const spends = openSpendText(difference.spend[metric], today.spend[metric]?.replayed ?? 0, metric);
  const hasNone = finish === null && replay.verified === 0;
  const would = hasNone ? `${spends}; ${NONE_VERIFIED}` : `${good} and ${spends}`;
  if (blind.length > 0) {
    return `${name} cannot be judged by these runs: ${blind.map(blindReason).join(', and ')}. It could ${would}.`;
  }
  const isLifted = replay.censored + today.censored > 0;
  const lead = isLifted ? 'the recording cannot tell.' : 'the recording tells only part of it.';
  return `${name}: ${lead} It would ${would}.`;
}

function stopsText({ difference, replay, test }: Judged): string {
  const { count, bounds } = difference.false_stops;
  const share = shareText(replay);
  if (count !== 0 || bounds !== null) return `stop ${moreOrFewer(...(bounds ?? [count, count]))}${share}`;
  if (test.lost > 0)
    return `stop as many good runs as today${share}, but others: ${test.lost} lost, ${test.regained} regained,`;
  return share === '' ? 'stop no good run' : `stop the same good runs${share}`;
}

/** ` (10 of 310, 3.23 %)`, or what it can be at least and at most. */
function shareText(replay: ReplayReport): string {
  const [low, high] = falseStopRange(replay);
  if (replay.verified === 0 || high === 0) return '';
  const share = (count: number): string => percent(count / replay.verified);
  if (low === high) return ` (${low} of ${replay.verified}, ${share(low)})`;
  return ` (between ${low} and ${high} of ${replay.verified}, ${share(low)} to ${share(high)})`;
}

/** Which runs a range of good runs that finish counts beside the verified ones. */
function othersText({ today, replay }: Pick<Judged, 'today' | 'replay'>): string {
  const wider = openSuccesses(replay) > openSuccesses(today) ? replay : today;
  const upTo = upToText(wider, ['verified one', 'verified ones']);
  return upTo === null ? '' : `, of ${upTo},`;
}

/** `3 fewer good runs`, `between 0 and 6 more good runs`. */
function moreOrFewer(low: number, high: number): string {
  const word = (count: number): string => (count < 0 ? 'fewer' : 'more');
  const noun = (count: number): string => (Math.abs(count) === 1 ? 'good run' : 'good runs');
  if (low === high) return low === 0 ? 'as many good runs' : `${Math.abs(low)} ${word(low)} ${noun(low)}`;
  if (low < 0 && high > 0) return `between ${-low} fewer and ${high} more good runs`;
  const [least, most] = low < 0 ? [-high, -low] : [low, high];
  const wanted = low < 0 ? 'fewer' : 'more';
  return `between ${least} and ${most} ${wanted} good runs`;
}
