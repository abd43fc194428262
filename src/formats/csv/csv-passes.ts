import { type Json, parseJson } from '../../model/json.js';
import type { Place, Problem } from '../../model/problem.js';
import type { Run } from '../../model/run.js';
import { damageLabel } from '../damage.js';
import { quote } from '../fields.js';
import { isProblem, orProblem, problem, type Reading, RecordError, type Source } from '../format.js';
import { runOfRecord } from '../record.js';
import {
  callOf,
  checkNoPassFields,
  differingFigure,
  NOT_RECORDED,
  type PassRecord,
  passFiguresOf,
  passNumberOf,
} from './csv-pass-row.js';
import { createStrays, runIdOf, type Strays } from './csv-strays.js';
import { cellOf, runFields, type TableRow, tableOf, textOf, totalsOf } from './csv-table.js';
import { joinCells } from './csv-text.js';

/** The columns without which a table of passes cannot be read. */
export const REQUIRED = ['run_id', 'status', 'pass'];

/** One pass while its rows come in. */
interface DraftPass {
  readonly line: number;
  readonly record: PassRecord;
  /** The calls of the record, more of which may follow on other rows. */
  readonly calls: Json[];
}

/** One run while its rows come in. */
interface Draft {
  readonly first: TableRow;
  /** All its rows as text, for quarantine: a run is kept whole or not at all. */
  readonly rows: string[];
  readonly passes: Map<number, DraftPass>;
  /** The first fault found; the run is then given up. */
  problem: Problem | null;
  /** A row that names no run may have been its. */
  isDamaged: boolean;
}

/**
 * Reads a table with one row a pass. Rows of one run may stand anywhere, so every run is held until the last row has
 * been seen; they come out in the order of their first rows.
 */
export async function* readPasses(source: Source): Reading {
  const drafts: Drafts = { runs: new Map(), items: [], latest: null, strays: createStrays() };
  for await (const batch of tableOf(source, REQUIRED)) {
    for (const item of batch) {
      if (item.kind === 'row') {
        takeRow(source, drafts, item);
      } else if (item.kind === 'problem') {
        drafts.items.push(item);
      } else {
        if (drafts.latest !== null) giveUp(source, drafts.latest, item.line);
        drafts.strays.miss();
        drafts.items.push(problem(source.name, item.line, null, item.reason, item.hint));
      }
    }
  }
  drafts.runs.clear();
  // Taken from the end, so that what was handed over can be let go.
  const items = drafts.items.reverse();
  for (let item = items.pop(); item !== undefined; item = items.pop()) {
    yield 'kind' in item ? item : finish(source, item, drafts.strays.mayMiss(item));
  }
}

/** All that has been read so far. */
interface Drafts {
  readonly runs: Map<string, Draft>;
  /** Runs and lone problems in the order of their first rows. */
  readonly items: (Draft | Problem)[];
  /** The run of the last row. */
  latest: Draft | null;
  readonly strays: Strays<Draft>;
}

function takeRow(source: Source, drafts: Drafts, row: TableRow): void {
  const id = runIdOf(row);
  if (id === null) {
    const error = row.fault ?? new RecordError('run_id is empty', 'name the run of the row');
    drafts.items.push(rowProblem(source, row, error));
    drafts.strays.miss();
    return;
  }
  const known = drafts.runs.get(id);
  const draft = known ?? newDraft(row);
  if (known === undefined) {
    drafts.runs.set(id, draft);
    drafts.items.push(draft);
  }
  drafts.latest = draft;
  drafts.strays.see(draft, known === undefined);
  draft.rows.push(joinCells(row.cells));
  if (draft.problem !== null) return;
  try {
    if (row.fault !== null) throw row.fault;
    if (row !== draft.first) checkSameRun(draft.first, row);
    takePass(draft, row);
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    draft.problem = rowProblem(source, row, error);
  }
}

function newDraft(first: TableRow): Draft {
  return { first, rows: [], passes: new Map(), problem: null, isDamaged: false };
}

function rowProblem(source: Source, row: TableRow, error: RecordError): Problem {
  return problem(source.name, row.line, joinCells(row.cells), error.message, error.hint);
}

/** The run whose rows lead up to the unreadable part may go on in it, and half a run must not pass for a whole one. */
function giveUp(source: Source, draft: Draft, cutLine: number): void {
  draft.problem ??= problem(
    source.name,
    draft.first.line,
    null,
    `run ${quote(textOf(draft.first, 'run_id'))} may go on at line ${cutLine}, from which the file cannot be read`,
    `mend line ${cutLine}`,
  );
}

/** Run fields repeat on every row, so that a row moved under the wrong run does not go unnoticed. */
function checkSameRun(first: TableRow, row: TableRow): void {
  for (const place of row.header.runPlaces) {
    if (first.cells[place] === row.cells[place]) continue;
    throw new RecordError(
      `${row.header.names[place]?.trim()} is ${quote(row.cells[place])}, but ${quote(first.cells[place])} on line ${first.line}, a row of the same run`,
      'run fields must be the same on every row of a run; give different runs different ids',
    );
  }
}

function takePass(draft: Draft, row: TableRow): void {
  const number = passNumberOf(row);
  if (row !== draft.first) {
    if (number === null) throw lonePassError(row, draft.first);
    if (draft.passes.size === 0) throw lonePassError(draft.first, row);
  }
  if (number === null) {
    checkNoPassFields(row);
    return;
  }
  const record = passFiguresOf(row);
  const call = callOf(row);
  const earlier = draft.passes.get(number);
  if (earlier === undefined) {
    const calls = call === null ? [] : [call];
    record.calls = calls;
    draft.passes.set(number, { line: row.line, record, calls });
  } else {
    checkSamePass(earlier, record, row);
    if (call === null || earlier.calls.length === 0) throw repeatedPassError(number, earlier);
    earlier.calls.push(call);
  }
}

function checkSamePass(earlier: DraftPass, record: PassRecord, row: TableRow): void {
  const column = differingFigure(earlier.record, record);
  if (column === null) return;
  throw new RecordError(
    `${column} is ${quote(cellOf(row, column))}, but another on line ${earlier.line}, a row of the same pass`,
    'the rows of one pass are its calls: the figures of the pass must be the same on each',
  );
}

function repeatedPassError(number: number, earlier: DraftPass): RecordError {
  return new RecordError(
    `pass ${number} already stands on line ${earlier.line}, and one of the two rows names no tool`,
    'the rows of one pass are its calls: name a tool on each, or remove the repeated row',
  );
}

function lonePassError(row: TableRow, other: TableRow): RecordError {
  const pass = cellOf(row, 'pass').trim() === '' ? 'empty' : `"${NOT_RECORDED}"`;
  return new RecordError(
    `pass is ${pass} on line ${row.line}, but the run has another row on line ${other.line}`,
    'a run without passes has exactly one row; number the passes of every other run from 1',
  );
}

function finish(source: Source, draft: Draft, isDamaged: boolean): Run | Problem {
  const { line } = draft.first;
  const make = () => runOfRecord(recordOf(draft, isDamaged), { file: source.name, line });
  const item = draft.problem ?? gapIn(source, draft) ?? orProblem(source.name, line, null, make);
  return isProblem(item) ? { ...item, raw: draft.rows.join('\n') } : item;
}

function gapIn(source: Source, { passes }: Draft): Problem | null {
  let missing = 1;
  while (passes.has(missing)) missing++;
  if (missing > passes.size) return null;
  const beyond = [...passes].filter(([number]) => number > missing).map(([, pass]) => pass.line);
  const hint = 'number the passes of a run 1, 2, 3 … without a gap; is a row missing?';
  return problem(source.name, Math.min(...beyond), null, `pass ${missing} of the run has no row`, hint);
}

/** What the first row of a run says of it, as a run without passes. @throws RecordError */
export function runOfFirstRow(first: TableRow, place: Place): Run {
  return runOfRecord(recordOf(newDraft(first), false), place);
}

function recordOf({ first, passes }: Draft, isDamaged: boolean): Json {
  const records = Array.from({ length: passes.size }, (_, index) => passes.get(index + 1)?.record ?? null);
  const fields = runFields(first);
  return {
    ...fields,
    labels: isDamaged ? { ...fields.labels, ...damageLabel(true) } : fields.labels,
    blocker: jsonOf(first, 'blocker'),
    evidence: jsonOf(first, 'evidence'),
    totals: totalsOf(first, 'totals.'),
    passes: cellOf(first, 'pass').trim() === NOT_RECORDED ? null : records,
  };
}

function jsonOf(row: TableRow, column: string): Json {
  const text = textOf(row, column);
  if (text === null) return null;
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new RecordError(`${column} is no JSON: ${quote(text)}`, `${column} must be JSON; a text stands in quotes`);
  }
}
