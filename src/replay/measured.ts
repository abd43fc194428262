import { METHODS, type Method } from '../calibrate/result.js';
import { toAtoms } from '../model/atoms.js';
import { type Fraction, parseDecimal } from '../model/decimal.js';
import { ExactNumber, isJsonObject, type Json } from '../model/json.js';
import { ATOMS_PER_UNIT, METRICS, type Metric } from '../model/limits.js';
import type { Policy } from '../policy/policy.js';
import { rankOf } from '../stats/quantile.js';

/** A percentile of an earlier sample, as far as it can be held against new values. */
export interface TailMark {
  readonly metric: Metric;
  /** The percentile's value in atoms; an interpolated one may lie between two whole numbers. */
  readonly atoms: number;
  /** The same in the metric's own unit. */
  readonly value: number;
  readonly p: number;
  readonly n: number;
  /** Ranks between which the value lies; equal for a value that occurred. */
  readonly ranks: readonly [low: number, high: number];
}

/** What a policy says of the runs that it was measured on, as far as it can be read. */
export interface Measured {
  readonly date: string | null;
  readonly runs: number | null;
  readonly verified: number | null;
  readonly population: string;
  readonly marks: readonly TailMark[];
  /** Metrics with a provenance that lacks what a test needs. */
  readonly unreadable: readonly Metric[];
  /** What the figures contradict: nothing is tested against them, and this is told. */
  readonly faults: readonly string[];
  /** The false-stop rate that the caps were derived for: as stated, else as the percentiles have it; `null` where neither is kept. */
  readonly acceptedRate: number | null;
  /** Values of labels that the measured runs carried, by label. */
  readonly labels: ReadonlyMap<string, readonly string[]>;
}

/** Reads `measured` of a policy; what is not there, or not of its kind, is unknown. */
export function measuredIn({ measured }: Policy): Measured {
  const kept = measured ?? {};
  const provenance = isJsonObject(kept.provenance) ? kept.provenance : {};
  const stated = METRICS.filter((metric) => isJsonObject(provenance[metric]));
  const marks = stated.flatMap((metric) => markOf(metric, provenance[metric]) ?? []);
  const tails = stated.flatMap((metric) => {
    const p = numberOf((provenance[metric] as { readonly [key: string]: Json }).p);
    return p !== null && p > 0 && p < 1 ? [1 - p] : [];
  });
  return {
    date: typeof kept.date === 'string' ? kept.date : null,
    runs: countOf(kept.runs),
    verified: countOf(kept.verified),
    population: typeof kept.population === 'string' ? kept.population : 'verified',
    marks,
    unreadable: stated.filter((metric) => !marks.some((mark) => mark.metric === metric)),
    faults: faultsIn(countOf(kept.runs), countOf(kept.verified)),
    // The digits that 1 - 0.99 adds to 0.01 are not the user's.
    acceptedRate:
      statedRate(kept.accepted_rate) ?? (tails.length === 0 ? null : Number(Math.max(...tails).toPrecision(12))),
    labels: labelsIn(kept.labels),
  };
}

function markOf(metric: Metric, entry: Json | undefined): TailMark | null {
  if (!isJsonObject(entry)) return null;
  const [value, p, n] = [numberOf(entry.quantile), numberOf(entry.p), countOf(entry.n)];
  const proportion = p === null ? null : parseDecimal(String(p));
  if (value === null || value < 0 || p === null || proportion === null || p <= 0 || p >= 1 || !n) return null;
  const method = METHODS.find((word) => word === entry.method) ?? 'nearest-rank';
  const stated = countOf(entry.rank);
  // A rank that the sample does not have says that one of the two is wrong, and not which.
  if (stated !== null && (stated < 1 || stated > n)) return null;
  const ranks: [number, number] = stated === null ? ranksOf(n, proportion, method) : [stated, stated];
  return { metric, atoms: atomsOf(metric, value), value, p, n, ranks };
}

function faultsIn(runs: number | null, verified: number | null): string[] {
  if (runs === null || verified === null || verified <= runs) return [];
  return [`measured.verified ${verified} is more than measured.runs ${runs}`];
}

/** The ranks between which a percentile of n values lies. */
export function ranksOf(n: number, p: Fraction, method: Method): [low: number, high: number] {
  if (method === 'nearest-rank') {
    const rank = rankOf(n, p);
    return [rank, rank];
  }
  const position = p.num * BigInt(n - 1);
  const low = Number(position / p.den) + 1;
  return [low, position % p.den === 0n ? low : low + 1];
}

/** Exact where the value is whole atoms, as every value that occurred is. */
function atomsOf(metric: Metric, value: number): number {
  return toAtoms(metric, value) ?? value * ATOMS_PER_UNIT[metric];
}

function labelsIn(labels: Json | undefined): Map<string, readonly string[]> {
  if (!isJsonObject(labels)) return new Map();
  return new Map(
    Object.entries(labels).map(([name, values]) => [name, (Array.isArray(values) ? values : [values]).map(textOf)]),
  );
}

function textOf(value: Json): string {
  return value instanceof ExactNumber ? value.text : String(value);
}

function numberOf(value: Json | undefined): number | null {
  const number = value instanceof ExactNumber ? Number(value.text) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

function statedRate(value: Json | undefined): number | null {
  const rate = numberOf(value);
  return rate !== null && rate > 0 && rate < 1 ? rate : null;
}

function countOf(value: Json | undefined): number | null {
  const number = numberOf(value);
  return number !== null && Number.isSafeInteger(number) && number >= 0 ? number : null;
}
