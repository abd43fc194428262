import { numberText } from '../model/decimal-text.js';
import { METRICS, type Metric } from '../model/limits.js';
import { plural } from '../model/words.js';
import { percent } from './drift-words.js';
import type { Cheapest } from './joint-cheapest.js';
import type { CapSet, JointReport } from './joint-result.js';

type Sets = Pick<JointReport, 'each_alone' | 'common' | 'optimized'>;

/** What a verdict is made from. @property highest the caps at the last percentile there is, where not even they do */
interface Facts extends Pick<JointReport, 'accepted_rate' | 'each_alone' | 'common'> {
  readonly highest: CapSet | null;
  /** The cheapest, where those were asked for. */
  readonly optimized: CapSet | null;
}

/** Whether the caps are within the accepted rate together, and from which percentile on. */
export function jointVerdict({ accepted_rate, each_alone: inForce, common, highest, optimized }: Facts): string {
  const accepted = `the accepted ${percent(accepted_rate)}`;
  if (inForce === null) return 'There is no cap, so there is nothing to take together.';
  if (common !== null && common.p === inForce.p) {
    const change =
      optimized === null || haveSameCaps(optimized, inForce)
        ? 'nothing needs to change'
        : 'for that alone nothing would need to change';
    return `At ${percentileOf(inForce)} all caps together stop ${stopped(inForce)}, within ${accepted}: ${change}.`;
  }
  const start = `At ${percentileOf(inForce)} all caps together stop ${stopped(inForce)}, above ${accepted}.`;
  if (common !== null) {
    return `${start} Going up rank by rank, they are first within it at ${percentileOf(common)}${ranksOf(common)}: there they stop ${stopped(common)}.`;
  }
  const last = highest === null ? '' : ` and there they stop ${stopped(highest)}`;
  return `${start} No percentile brings them within it: ${percentileOf(highest ?? inForce)} is the highest there is${last}. Runs whose last passes add nothing reach a cap at their own size, and runs known only in total may: pad more, such as --padding 1.2.`;
}

export function haveSameCaps(one: CapSet, other: CapSet): boolean {
  return METRICS.every((metric) => one.caps[metric]?.cap === other.caps[metric]?.cap);
}

/** ` (rank 296 of 310)`: any percentile up to the shown one that reaches these ranks gives the same caps. */
function ranksOf({ caps }: CapSet): string {
  const ranks = METRICS.flatMap((metric) => {
    const cap = caps[metric];
    return cap === null || cap.rank === null ? [] : [`${numberText(cap.rank)} of ${numberText(cap.n)}`];
  });
  const distinct = [...new Set(ranks)];
  return distinct.length === 0 ? '' : ` (${distinct.length === 1 ? 'rank' : 'ranks'} ${distinct.join(', ')})`;
}

/** What a reader must know beside the figures. */
export function jointNotes(sets: Sets, cheapest: Cheapest | null, runs: number, weighed: Metric): string[] {
  const shown = [sets.each_alone, sets.common, sets.optimized].filter((set) => set !== null);
  const known = sets.each_alone?.spend[weighed]?.known_runs ?? 0;
  return [
    ...(cheapest === null ? [] : cheapestNotes(cheapest)),
    ...(known === runs
      ? []
      : [`${weighed} are known for ${numberText(known)} of ${plural(runs, 'run')}: the spend is theirs.`]),
    ...(shown.some(({ joint }) => joint.at_most !== null)
      ? ['Some runs are known only in total: the rate is held to by the most successes that may be stopped.']
      : []),
    'The percentiles and the rate come from the same runs: on other runs the caps stop a little more.',
  ];
}

function cheapestNotes({ candidate, combinations, isThinned }: Cheapest): string[] {
  if (candidate === null) {
    return ['No combination of caps is within the accepted rate, so there is no cheapest one.'];
  }
  if (combinations === 1) return [];
  const among = `${plural(combinations, 'combination')} of caps${isThinned ? ', some of the possible ones' : ''}`;
  return [
    `The cheapest caps were fitted to the runs that they are judged by, among ${among}: they are optimistic. Try them on other runs before you rely on them.`,
  ];
}

function stopped({ joint, alone }: CapSet): string {
  const { count: stops, rate, at_most } = joint;
  const most = at_most === null ? '' : `, perhaps ${numberText(at_most)}`;
  const each = Object.values(alone).filter((one) => one !== null);
  const sum = each.length < 2 ? '' : `; alone ${each.map((one) => numberText(one.count)).join(', ')}`;
  return `${plural(stops, 'success', 'successes')} (${percent(rate)}${most}${sum})`;
}

function percentileOf({ p }: CapSet): string {
  return p === null ? 'several percentiles' : `p${Number((p * 100).toPrecision(12))}`;
}
