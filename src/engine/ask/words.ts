import type { PopulationOptions } from '../../calibrate/population.js';
import type { LimitName } from '../../model/limits.js';
import { SUMMED_LIMITS, type SummedLimit } from './dialect.js';

/*
 * The words that all databases share. Conditions are 1 or 0 where they are kept in a column; NULL is never compared, since
 * databases disagree on what then holds.
 */

/** Figures end at 2^53, up to which doubles count one by one: this is above all of them. */
const ABOVE_ALL = 2 ** 60;

/**
 * A whole number of 64 bits, whatever a bare literal would be taken for. Caps may be larger than any figure, and then are as
 * good as the largest number there is.
 */
export function whole(value: number): string {
  if (!Number.isInteger(value)) throw new RangeError(`not a whole number: ${value}`);
  return `CAST(${BigInt(Math.min(value, ABOVE_ALL))} AS BIGINT)`;
}

export function when(condition: string, then: string, otherwise: string): string {
  return `CASE WHEN ${condition} THEN ${then} ELSE ${otherwise} END`;
}

/** A condition as a column. */
export function flag(condition: string): string {
  return when(condition, '1', '0');
}

export function all(conditions: readonly string[]): string {
  return conditions.length === 0 ? '1 = 1' : conditions.map((each) => `(${each})`).join(' AND ');
}

export function any(conditions: readonly string[]): string {
  return conditions.length === 0 ? '1 = 0' : conditions.map((each) => `(${each})`).join(' OR ');
}

/** A sum of many terms, in pairs of pairs: databases count how deep an expression is. */
export function sumOf(terms: readonly string[]): string {
  if (terms.length <= 2) return terms.length === 0 ? '0' : terms.join(' + ');
  const middle = terms.length >> 1;
  return `(${sumOf(terms.slice(0, middle))}) + (${sumOf(terms.slice(middle))})`;
}

/** The smaller of two numbers that are known. */
export function smaller(one: string, other: string): string {
  return when(`${one} < ${other}`, one, other);
}

/** `SELECT *` and more columns of a relation. */
export function plus(relation: string, columns: readonly (readonly [name: string, sql: string])[]): string {
  const more = columns.map(([name, sql]) => `, ${sql} AS ${name}`).join('');
  return `SELECT *${more} FROM (${relation})`;
}

/** Names of the columns of so many labels. */
export function labelColumns(by: readonly string[]): string[] {
  return by.map((_, index) => `l${index}`);
}

/**
 * A relation made of `runs` with what follows from its figures alone: `made` passes (-1: not known), `has_all` (all passes
 * are kept), `zero` (no model call) and for each summed limit `whole_L`, the figure of the whole run, or NULL. The same
 * as `runTotal` and its kin tell of a run.
 */
export function withWhole(relation: string): string {
  const counted = plus(relation, [
    ['made', `CASE WHEN kept < 0 OR coalesce(stated_passes, -1) > kept THEN coalesce(stated_passes, -1) ELSE kept END`],
    ['has_all', flag('kept >= 0 AND coalesce(stated_passes, 0) <= kept')],
  ]);
  return plus(counted, [
    ['zero', flag('made = 0')],
    ...SUMMED_LIMITS.map((limit) => [`whole_${limit}`, wholeSql(limit)] as const),
  ]);
}

function wholeSql(limit: SummedLimit): string {
  if (limit === 'steps') return when('has_all = 1', 'sum_steps', 'NULL');
  const kept = when('kept > 0', `sum_${limit}`, 'NULL');
  return when('has_all = 1', `coalesce(sum_${limit}, stated_${limit})`, `coalesce(stated_${limit}, ${kept})`);
}

/** The figure of the whole run, and a condition that it is known. */
export function wholeOf(limit: LimitName): { readonly sql: string; readonly isKnown: string } {
  if (limit === 'passes') return { sql: 'made', isKnown: 'made >= 0' };
  return { sql: `whole_${limit}`, isKnown: `whole_${limit} IS NOT NULL` };
}

/** The condition that a run belongs to the population: `endsInPopulation` in SQL. */
export function isGood({ claimed, finishedOnly }: PopulationOptions): string {
  const verified = "verdict = 'passed' AND zero = 0";
  const saysDone = "status = 'done_claimed' AND verdict = 'none' AND (claim = '' OR claim = 'completed') AND zero = 0";
  const counts = claimed ? any([verified, saysDone]) : verified;
  return finishedOnly ? all([counts, `verdict <> 'passed' OR status = 'done_verified'`]) : counts;
}
