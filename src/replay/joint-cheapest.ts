import { capsFrom, capsOf } from '../calibrate/derive.js';
import type { DeriveOptions } from '../calibrate/options.js';
import type { CapReport } from '../calibrate/result.js';
import type { Sample } from '../calibrate/sample.js';
import { compare, type Fraction } from '../model/decimal.js';
import type { Metric } from '../model/limits.js';
import { EMPTY_POLICY } from '../policy/policy.js';
import { rankOf } from '../stats/quantile.js';
import { percentileOfRank } from './joint-percentiles.js';
import { type Bound, type Candidate, mostFalseStops, mostStoppedBy } from './joint-sets.js';
import { type PreparedRuns, type SweepResult, sweepGrid } from './sweep.js';

/** From this percentile on caps are tried, or from the one in force where that is lower. */
const LOWEST: Fraction = { num: 9n, den: 10n };
/** Caps tried a limit, at most: all of them where few are within the rate alone, as at 1 %. */
const MOST_CAPS = 40;
const MOST_COMBINATIONS = 250_000;
/** Where runs are known only in total, each is looked at under every combination. */
const MOST_LOOSE_LOOKS = 100_000_000;

/** The cheapest caps, and among how many combinations they were found. */
export interface Cheapest {
  readonly candidate: Candidate | null;
  readonly combinations: number;
  /** Whether caps were left out so that the combinations stay few. */
  readonly isThinned: boolean;
}

/** A cap and the percentile that it came from. */
interface RankedCap {
  readonly atoms: number;
  readonly p: Fraction;
}

/**
 * The caps that spend least of all whose joint false stops are within the bound: of those with the same spend the ones
 * with the fewest false stops, then the loosest. They are taken from the values that occurred, padded and rounded.
 *
 * @param metrics those that have a cap
 */
export function cheapestCaps(
  prepared: PreparedRuns,
  sample: Sample,
  options: DeriveOptions,
  metrics: readonly Metric[],
  weighed: Metric,
  bound: Bound,
): Cheapest {
  const within = metrics.map((metric) => capsWithin(prepared, metric, rankedCaps(sample, metric, options), bound));
  if (metrics.length === 0 || within.some((caps) => caps.length === 0)) {
    return { candidate: null, combinations: 0, isThinned: false };
  }
  const most = capsALimit(metrics.length, prepared.loose.length);
  const tried = within.map((caps) => thinned(caps, most));
  const grid = Object.fromEntries(tried.map((caps, axis) => [metrics[axis], caps.map(({ atoms }) => atoms)]));
  const swept = sweepGrid(prepared, EMPTY_POLICY, grid);
  const best = cheapestIn(swept, weighed, prepared, bound);
  return {
    candidate: best === null ? null : candidateAt(best, metrics, tried, sample, options),
    combinations: swept.length,
    isThinned: tried.some((caps, axis) => caps.length < (within[axis] as RankedCap[]).length),
  };
}

/** The caps of every rank from the lowest percentile up, ascending, each once with the lowest percentile that gives it. */
function rankedCaps(sample: Sample, metric: Metric, options: DeriveOptions): RankedCap[] {
  const values = sample.values[metric];
  const n = values.length;
  const alone = { verified: sample.verified, values: { ...NO_VALUES, [metric]: values } };
  const caps: RankedCap[] = [];
  for (let rank = rankOf(n, compare(options.p, LOWEST) < 0 ? options.p : LOWEST); rank <= n; rank++) {
    if (values[rank - 1] === values[rank - 2] && caps.length > 0) continue;
    const p = percentileOfRank(rank, n);
    const atoms = capsFrom(alone, { ...options, p })[metric];
    if (atoms !== undefined && atoms > (caps.at(-1)?.atoms ?? 0)) caps.push({ atoms, p });
  }
  return caps;
}

const NONE = new Float64Array(0);
const NO_VALUES: Sample['values'] = { passes: NONE, tokens: NONE, seconds: NONE, usd: NONE };

/** Those that alone stop no more than the bound: no other can be part of a combination that does not. */
function capsWithin(prepared: PreparedRuns, metric: Metric, caps: readonly RankedCap[], bound: Bound): RankedCap[] {
  let [low, high] = [0, caps.length];
  // Looser caps stop fewer.
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const { atoms } = caps[middle] as RankedCap;
    if (bound.isWithin(mostStoppedBy(prepared, { [metric]: atoms }))) high = middle;
    else low = middle + 1;
  }
  return caps.slice(low);
}

function capsALimit(limits: number, looseRuns: number): number {
  const combinations = Math.min(MOST_COMBINATIONS, MOST_LOOSE_LOOKS / (looseRuns + 1));
  return Math.max(2, Math.min(MOST_CAPS, Math.floor(combinations ** (1 / limits) + 1e-9)));
}

/** So many of them, evenly by place, both ends among them. */
function thinned(caps: readonly RankedCap[], most: number): RankedCap[] {
  if (caps.length <= most) return [...caps];
  const step = (caps.length - 1) / (most - 1);
  return Array.from({ length: most }, (_, index) => caps[Math.round(index * step)] as RankedCap);
}

/** The number of the cheapest combination within the bound. */
function cheapestIn(swept: SweepResult, weighed: Metric, prepared: PreparedRuns, bound: Bound): number | null {
  const hasLoose = prepared.loose.length > 0;
  let best: { readonly policy: number; readonly spend: bigint; readonly stops: number } | null = null;
  for (let policy = 0; policy < swept.length; policy++) {
    const surely = swept.falseStops(policy);
    if (!bound.isWithin(surely)) continue;
    const spend = swept.replayed(weighed, policy);
    if (best !== null && spend > best.spend) continue;
    const stops = hasLoose ? mostFalseStops(swept.at(policy), prepared.verified) : surely;
    if (!bound.isWithin(stops)) continue;
    if (best === null || spend < best.spend || stops <= best.stops) best = { policy, spend, stops };
  }
  return best === null ? null : best.policy;
}

/** The caps of a combination, the last limit fastest, with where each came from. */
function candidateAt(
  policy: number,
  metrics: readonly Metric[],
  tried: readonly (readonly RankedCap[])[],
  sample: Sample,
  options: DeriveOptions,
): Candidate {
  const caps: { [metric in Metric]?: number } = {};
  const reports: { [metric in Metric]: CapReport | null } = { passes: null, tokens: null, seconds: null, usd: null };
  let rest = policy;
  for (let axis = metrics.length - 1; axis >= 0; axis--) {
    const [metric, list] = [metrics[axis] as Metric, tried[axis] as readonly RankedCap[]];
    const { atoms, p } = list[rest % list.length] as RankedCap;
    rest = Math.floor(rest / list.length);
    caps[metric] = atoms;
    reports[metric] = capsOf(sample, { ...options, p }).reports[metric];
  }
  return { p: null, caps, reports };
}
