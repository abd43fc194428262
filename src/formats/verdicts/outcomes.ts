import { parse } from 'csv-parse/sync';
import { parseDecimal } from '../../model/decimal.js';
import { ExactNumber, isJsonObject, type Json, parseJson } from '../../model/json.js';
import type { Check } from '../../model/status.js';
import { quote } from '../fields.js';
import { RecordError } from '../format.js';
import type { Expression } from './expression.js';

/** A verdict from elsewhere: whose it is, and what it says. */
export interface Outcome {
  readonly key: string;
  readonly check: Check;
}

/** How verdicts are read. */
export interface OutcomeOptions {
  /** What counts as passed, asked of each entry; `null`: a field of a usual name. */
  readonly passed: Expression | null;
  /** Whose verdict it is, asked of each entry; `null`: a field of a usual name. */
  readonly key: Expression | null;
  /** Score from which on a number counts as passed. */
  readonly passMark: number;
}

/** Names under which files of verdicts keep the id and the verdict, the surest first. */
const KEY_FIELDS = [
  'run_id',
  'id',
  'session_id',
  'task_id',
  'instance_id',
  'instanceId',
  'trial_name',
  'sample_id',
  'name',
  'task',
  'file',
];
const VERDICT_FIELDS = [
  'check',
  'passed',
  'resolved',
  'is_resolved',
  'success',
  'correct',
  'reward',
  'score',
  'verdict',
  'result',
];
const PASSED_LISTS = ['resolved', 'resolved_ids', 'passed', 'passed_ids', 'resolved_instances'];
const FAILED_LISTS = ['unresolved', 'unresolved_ids', 'failed', 'failed_ids'];
/** Lists of all ids that were judged: who is on one and on no list of passed ids has failed. */
const JUDGED_LISTS = ['applied', 'with_logs', 'completed_ids'];

/**
 * The verdicts that a file of verdicts holds: CSV, JSON (a list of entries, an object by id, a report with lists of
 * passed and failed ids), JSONL, or a plain list of passed ids. Who is not named there has no verdict.
 *
 * @throws RecordError when the text is none of these, or an entry has no id or no verdict
 */
export async function readOutcomes(text: string, options: OutcomeOptions): Promise<Outcome[]> {
  const entries = entriesOf(text.replace(/^\ufeff/, ''));
  const outcomes: Outcome[] = [];
  for (const [index, entry] of entries.entries()) outcomes.push(await outcomeOf(entry, index, options));
  if (outcomes.length === 0) throw new RecordError('the file holds no verdict', 'each entry needs an id and a verdict');
  return outcomes;
}

/** An entry with its id set apart where the file's layout gives it. */
interface Entry {
  readonly key: string | null;
  readonly value: Json;
}

const SHAPES =
  'read are: a CSV with a head line; a JSON list of entries or of passed ids; a JSON object by id, or a report with lists of ids; one JSON object a line; one passed id a line';

function entriesOf(text: string): Entry[] {
  const whole = jsonOf(text);
  if (whole !== UNREADABLE) return entriesOfJson(whole);
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  // A bare word or number on a line is an id, to the letter: 1.0 is not 1.
  const values = lines.map((line) => (/^\s*["{[]/.test(line) ? jsonOf(line) : UNREADABLE));
  if (lines.length > 0 && values.every((value) => value !== UNREADABLE)) {
    return values.map((value) => ({ key: null, value }));
  }
  if (/^\s*[{[]/.test(text)) {
    const broken = values.indexOf(UNREADABLE);
    throw new RecordError(
      `line ${lineOf(text, broken)} of the verdicts is not JSON: ${quote(lines[broken])}`,
      'the file must hold one whole JSON document, or one whole JSON object on each line',
    );
  }
  if (/^[^\n]*,/.test(text)) return entriesOfTable(text);
  return lines.map((line) => ({ key: line.trim(), value: true }));
}

/** The line of the file on which the line of that number, blank ones not counted, stands. */
function lineOf(text: string, index: number): number {
  const places = text.split('\n').flatMap((line, place) => (line.trim() === '' ? [] : [place + 1]));
  return places[index] ?? 1;
}

const UNREADABLE = Symbol('unreadable');

function jsonOf(text: string): Json | typeof UNREADABLE {
  try {
    return parseJson(text);
  } catch {
    return UNREADABLE;
  }
}

function entriesOfJson(whole: Json): Entry[] {
  if (Array.isArray(whole)) return whole.map((value: Json) => ({ key: null, value }));
  if (!isJsonObject(whole)) {
    const what = whole === null ? 'null' : typeof whole === 'object' ? 'number' : typeof whole;
    throw new RecordError(`the verdicts are one bare ${what}: ${quote(whole)}`, SHAPES);
  }
  const passed = listed(whole, PASSED_LISTS);
  if (passed !== null) {
    const isPassed = new Set(passed);
    const failed = [...(listed(whole, FAILED_LISTS) ?? []), ...(listed(whole, JUDGED_LISTS) ?? [])];
    const others = [...new Set(failed)].filter((key) => !isPassed.has(key));
    return [...passed.map((key) => ({ key, value: true })), ...others.map((key) => ({ key, value: false }))];
  }
  return Object.entries(whole).map(([key, value]) => ({ key, value }));
}

/** The first of these members that is a list of ids. */
function listed(report: { readonly [key: string]: Json }, names: readonly string[]): readonly string[] | null {
  for (const name of names) {
    const list = Object.hasOwn(report, name) ? report[name] : undefined;
    const ids = Array.isArray(list) ? list.map((each: Json) => idText(each)) : [null];
    if (ids.every((id) => id !== null)) return ids;
  }
  return null;
}

/** An id as a text, numbers as they are written; `null` for anything else. */
function idText(value: Json | undefined): string | null {
  if (typeof value === 'string') return value === '' ? null : value;
  if (value instanceof ExactNumber) return value.text;
  return typeof value === 'number' ? String(value) : null;
}

function entriesOfTable(text: string): Entry[] {
  try {
    const rows = parse(text, { columns: true, skip_empty_lines: true, trim: true }) as { [column: string]: string }[];
    return rows.map((value) => ({ key: null, value }));
  } catch (error) {
    throw new RecordError(
      `the verdicts are no CSV: ${(error as Error).message}`,
      'separate columns by commas, with a head line',
    );
  }
}

async function outcomeOf({ key, value }: Entry, index: number, options: OutcomeOptions): Promise<Outcome> {
  const found = key ?? idText(options.key === null ? fieldOf(value, KEY_FIELDS) : await options.key.evaluate(value));
  if (found === null) {
    throw new RecordError(
      `entry ${index + 1} has no id: ${quote(value)}`,
      `name it with --outcome-id, or give one of ${KEY_FIELDS.join(', ')}`,
    );
  }
  const verdict =
    options.passed !== null && isJsonObject(value)
      ? await options.passed.evaluate(value)
      : verdictIn(value, found, key !== null);
  return { key: found, check: checkOf(verdict, found, options.passMark) };
}

/** An id alone stands for itself. */
function fieldOf(value: Json, names: readonly string[]): Json | undefined {
  if (idText(value) !== null) return value;
  if (!isJsonObject(value)) return undefined;
  const name = names.find((each) => Object.hasOwn(value, each));
  return name === undefined ? undefined : value[name];
}

function verdictIn(value: Json, key: string, isNamed: boolean): Json {
  // An id alone is an id on a list of passed ones.
  if (idText(value) === key && !isNamed) return true;
  if (!isJsonObject(value)) return value;
  const name = VERDICT_FIELDS.find((each) => Object.hasOwn(value, each));
  if (name !== undefined) return value[name] ?? null;
  throw new RecordError(
    `${key} has no verdict: ${quote(value)}`,
    `say with --passed what counts as passed, or give one of ${VERDICT_FIELDS.join(', ')}`,
  );
}

const PASSED_WORDS = new Set(['passed', 'pass', 'true', 'yes', 'resolved', 'success', 'correct', 'c']);
const NO_VERDICT = new Set(['none', 'unknown', 'null', 'n/a', 'na', '-']);
const FAILED_WORDS = new Set(['failed', 'fail', 'false', 'no', 'unresolved', 'failure', 'incorrect', 'i', 'error']);

/** A verdict in words, true or false, or a score; what is missing or says "none" is no verdict, never a failure. */
function checkOf(verdict: Json, key: string, passMark: number): Check {
  if (typeof verdict === 'boolean') return verdict ? 'passed' : 'failed';
  const word = typeof verdict === 'string' ? verdict.trim().toLowerCase() : null;
  if (verdict === null || word === '' || (word !== null && NO_VERDICT.has(word))) return 'none';
  const score = scoreOf(verdict);
  if (score !== null) return score >= passMark ? 'passed' : 'failed';
  if (word !== null && PASSED_WORDS.has(word)) return 'passed';
  if (word !== null && FAILED_WORDS.has(word)) return 'failed';
  throw new RecordError(`the verdict of ${key} is ${quote(verdict)}`, 'say with --passed what counts as passed');
}

/** A finite number, as one or as a text; `null` for anything else. */
function scoreOf(verdict: Json): number | null {
  const text = verdict instanceof ExactNumber ? verdict.text : String(verdict);
  const isNumber = ['number', 'string'].includes(typeof verdict) || verdict instanceof ExactNumber;
  const score = isNumber && parseDecimal(text) !== null ? Number(text) : Number.NaN;
  return Number.isFinite(score) ? score : null;
}
