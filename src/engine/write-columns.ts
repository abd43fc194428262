import { ATOMS_PER_UNIT, METRICS } from '../model/limits.js';
import type { Run } from '../model/run.js';
import { sqlName, sqlText } from './duckdb.js';
import { LABEL, RECORDED_UNDER } from './parquet-columns.js';

/** Types of the file's columns; the table holds all numbers as doubles of whole atoms, and makes them these at the end. */
type Type = 'VARCHAR' | 'BOOLEAN' | 'INTEGER' | 'BIGINT' | 'DOUBLE' | 'SECONDS' | 'USD';

/** The columns in the order in which a row is appended. Those of an `always` are written even where nothing is known. */
const COLUMNS: readonly (readonly [name: string, type: Type, always?: true])[] = [
  ['run_id', 'VARCHAR', true],
  ['status', 'VARCHAR', true],
  ['check', 'VARCHAR', true],
  ['claim', 'VARCHAR', true],
  ['reason', 'VARCHAR', true],
  ['started_at', 'VARCHAR', true],
  ['blocker', 'VARCHAR'],
  ['evidence', 'VARCHAR'],
  ...METRICS.map((metric) => [`totals.${metric}`, typeOfMetric(metric)] as const),
  ['pass', 'INTEGER', true],
  ['input_tokens', 'BIGINT', true],
  ['output_tokens', 'BIGINT', true],
  ['cache_read_tokens', 'BIGINT', true],
  ['cache_write_tokens', 'BIGINT', true],
  ['seconds', 'SECONDS', true],
  ['usd', 'USD', true],
  ['steps', 'BIGINT'],
  ['model', 'VARCHAR'],
  ['tool', 'VARCHAR', true],
  ['args_digest', 'VARCHAR', true],
  ['result_digest', 'VARCHAR', true],
  ['error', 'BOOLEAN', true],
  ['passes_recorded', 'BOOLEAN'],
  ['labels', 'VARCHAR'],
  ['recorded_under', 'VARCHAR'],
];

function typeOfMetric(metric: (typeof METRICS)[number]): Type {
  return metric === 'seconds' ? 'SECONDS' : metric === 'usd' ? 'USD' : 'BIGINT';
}

/** The table that rows are gathered in, without the columns that runs bring along. */
export function tableSql(): string {
  const held = (type: Type): string => (type === 'VARCHAR' || type === 'BOOLEAN' ? type : 'DOUBLE');
  return `CREATE TABLE passes (${COLUMNS.map(([name, type]) => `${sqlName(name)} ${held(type)}`).join(', ')})`;
}

/** Columns that come with labels and provisional caps. */
export interface FreeColumns {
  /** In the order of the table's last columns. */
  readonly names: readonly (readonly [kind: Kind, name: string])[];
  /** The optional columns of which something is known. */
  readonly used: ReadonlySet<string>;
  /** Takes note of what a run has. @returns statements that add the columns it needs */
  see(run: Run): string[];
  /** What of a run cannot be a column, as JSON. */
  restOf(run: Run): { readonly labels: string | null; readonly recordedUnder: string | null };
}

type Kind = 'label' | 'recordedUnder';

/** More columns than this are no table any more. */
const MOST = 200;

export function createFreeColumns(): FreeColumns {
  const names: [Kind, string][] = [];
  const used = new Set<string>();
  /** What becomes of each name: whether it has a column of its own. */
  const known = { label: new Map<string, boolean>(), recordedUnder: new Map<string, boolean>() };
  /** SQL takes names for the same that differ in case only. */
  const taken = new Set<string>();
  const add = (kind: Kind, name: string): string[] => {
    if (known[kind].has(name)) return [];
    const column = `${kind === 'label' ? LABEL : RECORDED_UNDER}${name}`;
    const may = names.length < MOST && isPlainName(name) && !taken.has(column.toLowerCase());
    known[kind].set(name, may);
    if (!may) return [];
    taken.add(column.toLowerCase());
    names.push([kind, name]);
    return [`ALTER TABLE passes ADD COLUMN ${sqlName(column)} ${kind === 'label' ? 'VARCHAR' : 'DOUBLE'}`];
  };
  const rest = (kind: Kind, values: ReadonlyMap<string, string | number>): string | null => {
    const left = [...values].filter(([name]) => known[kind].get(name) === false);
    if (left.length === 0) return null;
    used.add(kind === 'label' ? 'labels' : 'recorded_under');
    return JSON.stringify(Object.fromEntries(left));
  };
  return {
    names,
    used,
    see(run) {
      const added: string[] = [];
      for (const name of run.labels.keys()) added.push(...add('label', name));
      for (const name of run.recordedUnder.keys()) added.push(...add('recordedUnder', name));
      if (run.blocker !== null) used.add('blocker');
      if (run.evidence !== null) used.add('evidence');
      if (run.passes === null) used.add('passes_recorded');
      for (const metric of METRICS) if ((run.totals?.[metric] ?? null) !== null) used.add(`totals.${metric}`);
      for (const pass of run.passes ?? []) {
        if (pass.steps !== null) used.add('steps');
        if (pass.model !== null) used.add('model');
      }
      return added;
    },
    restOf: (run) => ({ labels: rest('label', run.labels), recordedUnder: rest('recordedUnder', run.recordedUnder) }),
  };
}

/** Whether SQL and Parquet can hold a name as it is. */
function isPlainName(name: string): boolean {
  return !/[\0\p{Cs}]/u.test(name);
}

/** All rows as the file holds them. */
export function selectSql({ names, used }: FreeColumns): string {
  const fixed = COLUMNS.filter(([name, , always]) => always === true || used.has(name)).map(
    ([name, type]) => `${castSql(sqlName(name), type)} AS ${sqlName(name)}`,
  );
  const free = names.map(([kind, name]) => sqlName(`${kind === 'label' ? LABEL : RECORDED_UNDER}${name}`));
  return `SELECT ${[...fixed, ...free].join(', ')} FROM passes`;
}

/** Atoms become decimals of their unit by whole numbers alone, so that no digit is lost. */
function castSql(sql: string, type: Type): string {
  if (type === 'VARCHAR' || type === 'BOOLEAN' || type === 'DOUBLE') return sql;
  if (type === 'INTEGER' || type === 'BIGINT') return `CAST(${sql} AS ${type})`;
  const places = String(type === 'SECONDS' ? ATOMS_PER_UNIT.seconds : ATOMS_PER_UNIT.usd).length - 1;
  const atom = `CAST(${sqlText(`0.${'1'.padStart(places, '0')}`)} AS DECIMAL(${places + 1}, ${places}))`;
  return `CAST(CAST(CAST(${sql} AS BIGINT) AS DECIMAL(18, 0)) * ${atom} AS DECIMAL(18, ${places}))`;
}
