import { type Json, parseJson, stringifyJson } from '../model/json.js';
import type { Problem } from '../model/problem.js';
import type { Run } from '../model/run.js';
import { CALL_COLUMNS, problemOf } from './parquet-columns.js';
import { type MakeRun, type Members, membersOf, RowFault, saysPassesRecorded, shown } from './run-facts.js';

/** One row as texts and JSON. */
export interface Row {
  readonly id: string;
  readonly started: string | null;
  /** Everything else of the run, as JSON. */
  readonly rest: string;
  /** The number of the pass as a text, as it stands in the table. */
  readonly number: string | null;
  /** The figures of the pass, as JSON. */
  readonly pass: string;
  readonly call: string;
}

/** One pass while its rows come in. */
interface OpenPass {
  readonly text: string;
  readonly record: Members;
  /** The calls of the record, more of which may follow on other rows. */
  readonly calls: Json[];
}

/** One run while its rows come in. */
export interface RowsOfRun {
  readonly first: Row;
  /** All its rows, for quarantine: a run is kept whole or not at all. */
  readonly rows: Row[];
  readonly passes: Map<number, OpenPass>;
  /** The first fault found; the run is then given up. */
  fault: { readonly reason: string; readonly hint: string } | null;
}

/** Stands in a text column `pass` where passes were not recorded, as it does in CSV. */
const UNKNOWN_PASSES = 'unknown';

export function openRun(first: Row): RowsOfRun {
  return { first, rows: [], passes: new Map(), fault: null };
}

export function takeRow(run: RowsOfRun, row: Row): void {
  run.rows.push(row);
  if (run.fault !== null) return;
  const pass = row.number === null || row.number.trim() === '' ? '' : `, pass ${row.number}`;
  try {
    checkSameRun(run.first, row);
    takePass(run, row);
  } catch (error) {
    if (!(error instanceof RowFault)) throw error;
    run.fault = { reason: `run ${shown(row.id)}${pass}: ${error.message}`, hint: error.hint };
  }
}

/** Run fields repeat on every row, so that a row moved under the wrong run does not go unnoticed. */
function checkSameRun(first: Row, row: Row): void {
  if (first.rest === row.rest && first.started === row.started) return;
  const one: Members = { started_at: first.started, ...leavesOf(first.rest) };
  const other: Members = { started_at: row.started, ...leavesOf(row.rest) };
  const name = Object.keys(one).find((key) => stringifyJson(one[key]) !== stringifyJson(other[key]));
  if (name === undefined) return;
  throw new RowFault(
    `${name} is ${shown(other[name])}, but ${shown(one[name])} on another row of the same run`,
    'run fields must be the same on every row of a run; give different runs different ids',
  );
}

/** The run fields by the names of their columns. */
function leavesOf(rest: string): Members {
  const { totals, labels, recorded_under, more_labels, more_recorded_under, ...members } = parseJson(rest) as Members;
  const named = (prefix: string, group: Json | undefined): Members =>
    Object.fromEntries(Object.entries((group ?? {}) as Members).map(([name, value]) => [`${prefix}${name}`, value]));
  return {
    ...members,
    ...named('totals.', totals),
    ...named('label.', labels),
    ...named('recorded_under.', recorded_under),
    labels: more_labels ?? null,
    recorded_under: more_recorded_under ?? null,
  };
}

function takePass(run: RowsOfRun, row: Row): void {
  const number = passNumberOf(row);
  const isFirst = row === run.first;
  if (!isFirst && (number === null || run.passes.size === 0)) {
    const pass = [row, run.first].find((each) => passNumberOf(each) === null)?.number ?? null;
    throw new RowFault(
      `pass is ${pass === null ? 'not given' : shown(pass)} on a row, but the run has other rows`,
      'a run without passes has exactly one row; number the passes of every other run from 1',
    );
  }
  if (number === null) {
    checkNoPassFields(row);
    return;
  }
  const known = run.passes.get(number);
  const call = callOf(row);
  if (known === undefined) {
    const calls = call === null ? [] : [call];
    run.passes.set(number, { text: row.pass, record: parseJson(row.pass) as Members, calls });
    return;
  }
  checkSamePass(known, row);
  if (call === null || known.calls.length === 0) {
    throw new RowFault(
      'the pass has several rows, and one of them names no tool',
      'the rows of one pass are its calls: name a tool on each, or remove the repeated row',
    );
  }
  known.calls.push(call);
}

/** The number of the row's pass; `null` where the run has none or they were not recorded. */
function passNumberOf({ number }: Row): number | null {
  const text = number?.trim() ?? '';
  if (text === '' || text === UNKNOWN_PASSES || text === 'nan') return null;
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 1) return value;
  throw new RowFault(
    `pass is ${shown(number)}`,
    'number the passes of a run from 1 with whole numbers; leave pass NULL for a run without any',
  );
}

/** A model there is no fault: tables repeat it on every row of a run. */
function checkNoPassFields(row: Row): void {
  const { model: _, ...figures } = parseJson(row.pass) as Members;
  const fields = { ...figures, ...(parseJson(row.call) as Members) };
  const name = Object.keys(fields).find((each) => fields[each] !== null);
  if (name === undefined) return;
  throw new RowFault(
    `${name} is ${shown(fields[name])} on a row without a pass`,
    'number the pass, or leave the other columns of the row NULL',
  );
}

function checkSamePass(known: OpenPass, row: Row): void {
  if (known.text === row.pass) return;
  const other = parseJson(row.pass) as Members;
  const name = Object.keys(other).find((each) => stringifyJson(known.record[each]) !== stringifyJson(other[each]));
  if (name === undefined) return;
  throw new RowFault(
    `${name} is ${shown(other[name])}, but ${shown(known.record[name])} on another row of the same pass`,
    'the rows of one pass are its calls: the figures of the pass must be the same on each',
  );
}

function callOf(row: Row): Json {
  const call = parseJson(row.call) as Members;
  if (call.tool !== null) return call;
  const name = CALL_COLUMNS.find((each) => call[each] !== null);
  if (name === undefined) return null;
  throw new RowFault(`tool is not given, but ${name} is ${shown(call[name])}`, 'name the tool of the call');
}

/** The run whose rows have all come in, or what is wrong with it. */
export function finishRun(run: RowsOfRun, path: string, make: MakeRun): Run | Problem {
  const name = `run ${shown(run.first.id)}`;
  const bad = (reason: string, hint: string): Problem => problemOf(path, reason, hint, rawOf(run));
  const fault = run.fault ?? gapIn(run, name);
  if (fault !== null) return bad(fault.reason, fault.hint);
  try {
    const item = make(recordOf(run), { file: path, line: null });
    return 'kind' in item ? bad(`${name}: ${item.reason}`, item.hint) : item;
  } catch (error) {
    if (error instanceof RowFault) return bad(`${name}: ${error.message}`, error.hint);
    throw error;
  }
}

function gapIn({ passes }: RowsOfRun, name: string): RowsOfRun['fault'] {
  let missing = 1;
  while (passes.has(missing)) missing++;
  if (missing > passes.size) return null;
  const hint = 'number the passes of a run 1, 2, 3 … without a gap; is a row missing?';
  return { reason: `${name}: pass ${missing} of the run has no row`, hint };
}

function recordOf({ first, passes }: RowsOfRun): Json {
  const records = Array.from({ length: passes.size }, (_, index) => {
    const { record, calls } = passes.get(index + 1) as OpenPass;
    return { ...record, calls };
  });
  const isUnknown = passes.size === 0 && (first.number?.trim() === UNKNOWN_PASSES || !saysPassesRecorded(first.rest));
  return { ...membersOf(first.rest), id: first.id, started_at: first.started, passes: isUnknown ? null : records };
}

/** The rows of a bad run, each as one line of JSON. */
function rawOf({ rows }: RowsOfRun): string {
  const line = ({ id, started, rest, number, pass, call }: Row): string =>
    `{"run_id":${JSON.stringify(id)},"started_at":${JSON.stringify(started)},"pass":${JSON.stringify(number)},"run":${rest},"figures":${pass},"call":${call}}`;
  return rows.map(line).join('\n');
}
