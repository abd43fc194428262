import { type CapReport, METHODS, type Method } from '../calibrate/result.js';
import { toAtoms } from '../model/atoms.js';
import { ExactNumber, isJsonObject, type Json } from '../model/json.js';
import type { LimitName } from '../model/limits.js';
import { formatCount, formatExact, methodName, percentileName } from './format.js';
import { successes } from './population.js';

/** Where a cap came from: what a `CapReport` and a policy's `measured.provenance` both say. */
export interface CapOrigin {
  readonly cap: number;
  readonly quantile: number;
  readonly p: number;
  readonly padding: number;
  readonly padded: number;
  readonly rank: number | null;
  readonly n: number | null;
  readonly unit: number | null;
  readonly method: Method | null;
  /** How it was taken where all caps are held to the accepted rate together. */
  readonly joint?: CapReport['joint'];
}

/** The origin of one cap as a policy file keeps it, `null` when it keeps none that can be read. */
export function originOf(measured: { readonly [key: string]: Json } | null, limit: LimitName): CapOrigin | null {
  const provenance = measured?.provenance;
  const entry = isJsonObject(provenance) ? provenance[limit] : undefined;
  if (!isJsonObject(entry)) return null;
  const [cap, quantile, p, padding, padded] = [entry.cap, entry.quantile, entry.p, entry.padding, entry.padded].map(
    numberOf,
  );
  if (cap == null || quantile == null || p == null || padding == null || padded == null) return null;
  const method = METHODS.find((word) => word === entry.method) ?? null;
  const joint = (['common', 'cheapest'] as const).find((word) => word === entry.joint);
  return {
    ...{ cap, quantile, p, padding, padded, method },
    ...{ rank: numberOf(entry.rank), n: numberOf(entry.n), unit: numberOf(entry.unit) },
    ...(joint === undefined ? {} : { joint }),
  };
}

/** A number of a policy file's free part, `null` when it is none. */
export function numberOf(value: Json | undefined): number | null {
  const number = value instanceof ExactNumber ? Number(value.text) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

/**
 * Where a ceiling comes from, in one sentence. A ceiling that is no longer what its provenance gives was changed by
 * hand, and the card must not claim otherwise.
 *
 * @param atoms the ceiling in force
 */
export function provenanceText(limit: LimitName, atoms: number, origin: CapOrigin | null, population: string): string {
  if (origin === null) return 'set by hand';
  const source = `${percentileName(origin.p)} of ${successes(population)} (${exact(limit, origin.quantile)})`;
  const product = `${source} x ${origin.padding} = ${exact(limit, origin.padded)}`;
  const isOwn = toAtoms(limit, origin.cap) === atoms;
  if (!isOwn) return `set by hand; ${product} would give ${exact(limit, origin.cap)}${ranking(origin)}`;
  if (origin.padded === origin.cap) return product + ranking(origin);
  const unit = origin.unit === null ? '' : ` (unit ${exact(limit, origin.unit)})`;
  return `${product}, rounded up to ${exact(limit, origin.cap)}${unit}${ranking(origin)}`;
}

function exact(limit: LimitName, value: number): string {
  return formatExact(limit, value);
}

const JOINT_WORDS = {
  common: '; the lowest percentile at which all caps together stay within the accepted rate',
  cheapest: '; one of the caps that spend least while all together stay within the accepted rate',
} as const;

function ranking(origin: CapOrigin): string {
  return rankText(origin) + (origin.joint === undefined ? '' : JOINT_WORDS[origin.joint]);
}

function rankText(origin: CapOrigin): string {
  const method = origin.method === null ? 'rank' : methodName(origin.method);
  if (origin.rank !== null && origin.n !== null) {
    return `; ${method} ${formatCount(origin.rank)} of ${formatCount(origin.n)}`;
  }
  return origin.method === null ? '' : `; ${method}`;
}
