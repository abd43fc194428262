import type { RunCondition } from '../../calibrate/questions.js';
import { LIMITS, METRICS } from '../../model/limits.js';
import { type RunsAsked, SUMMED_LIMITS } from '../ask/dialect.js';
import { textSql } from './texts.js';

/** Fields of a run that a condition may name, as the staged table holds them: NULL where there is none. */
const FIELDS: ReadonlyMap<string, string> = new Map([
  ['id', 'r.id'],
  ['status', 'r.status'],
  ['check', 'r.verdict'],
  ['reason', 'r.reason'],
  ['claim', 'r.claim'],
]);

const NUMBERS = [
  'kept',
  ...METRICS.map((metric) => `stated_${metric}`),
  ...SUMMED_LIMITS.map((limit) => `sum_${limit}`),
  ...LIMITS.map((limit) => `under_${limit}`),
];

/** The runs that are asked for, one row each. */
export function runsSql({ by, where, calls }: RunsAsked): string {
  const columns = [
    'r.ord, r.id, r.status, r.verdict',
    ...['claim', 'reason'].map((name) => `coalesce(r.${name}, '') AS ${name}`),
    ...[...NUMBERS, ...(calls ? ['streak', 'lacks'] : [])].map((name) => `r.${name}`),
    ...by.map((_, at) => `l.l${at}`),
  ];
  const conditions = where.map((condition, at) => conditionSql(condition, `l.w${at}`));
  const wanted = [
    ...by.map((label, at) => [label, `l${at}`] as const),
    ...where.map(({ name }, at) => [name, `w${at}`] as const),
  ];
  const labels = wanted.length === 0 ? '' : ` LEFT JOIN ${labelsOfRuns(wanted)} AS l ON l.ord = r.ord`;
  const filter = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
  return `SELECT ${columns.join(', ')} FROM runs AS r${labels}${filter}`;
}

/** One row for each run that has one of the labels, with a column for each. */
function labelsOfRuns(wanted: readonly (readonly [label: string, column: string])[]): string {
  const names = [...new Set(wanted.map(([label]) => textSql(label)))];
  const columns = wanted.map(([label, column]) => `max(value) FILTER (WHERE label = ${textSql(label)}) AS ${column}`);
  return `(SELECT ord, ${columns.join(', ')} FROM labels WHERE label IN (${names.join(', ')}) GROUP BY ord)`;
}

/** A label comes before a field of that name; what a run has neither of equals nothing. */
function conditionSql({ name, value, negated }: RunCondition, label: string): string {
  const field = FIELDS.get(name);
  const asked = field === undefined ? label : `coalesce(${label}, ${field})`;
  return `${asked} IS ${negated ? '' : 'NOT '}DISTINCT FROM ${textSql(value)}`;
}
