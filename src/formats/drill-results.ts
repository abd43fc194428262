import { isDeeperThan, isJsonObject, type Json, MAX_DEPTH } from '../model/json.js';
import type { Problem } from '../model/problem.js';
import { ElementFault, elementsOf } from './elements.js';
import { quote, readWord } from './fields.js';
import { isProblem, orProblemValue, problem, RecordError } from './format.js';
import { parseLine } from './jsonl.js';

/** What a loop reported of one scenario of the drill, as its file holds it. */
export interface DrillRecord {
  readonly scenario: string;
  readonly report: Json | undefined;
  readonly tool_runs: Json | undefined;
}

export type DrillReading =
  | { readonly records: readonly DrillRecord[]; readonly problems: null }
  | { readonly records: null; readonly problems: readonly Problem[] };

const SHAPE = 'the file must hold {"scenario": …, "report": {…}} for each scenario: a JSON list, or one object a line';

/** Reads the results of a drill: a JSON array, or JSON lines; every fault is told, each with its line. */
export async function readDrillResults(text: string, file: string): Promise<DrillReading> {
  const read: (DrillRecord | Problem)[] = [];
  try {
    for await (const { text: record, line } of recordsOf(text)) {
      read.push(orProblemValue(file, line, record, () => recordOf(parseLine(record))));
    }
  } catch (error) {
    if (!(error instanceof ElementFault)) throw error;
    read.push(problem(file, error.line, null, error.message, SHAPE));
  }
  if (read.length === 0) read.push(problem(file, null, null, 'the file holds no result', SHAPE));
  const problems = read.filter(isProblem);
  if (problems.length > 0) return { records: null, problems };
  return { records: read as DrillRecord[], problems: null };
}

/** The text of each record, and the line it starts at. */
async function* recordsOf(text: string): AsyncGenerator<{ readonly text: string; readonly line: number }> {
  if (/^\s*\[/.test(text)) {
    for await (const element of elementsOf(bytesOf(text))) yield { text: element.text ?? '', line: element.line };
    return;
  }
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() !== '') yield { text: line, line: index + 1 };
  }
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

function recordOf(value: Json): DrillRecord {
  if (isDeeperThan(value, MAX_DEPTH)) throw new RecordError('the JSON is nested too deeply', 'shorten what it carries');
  if (!isJsonObject(value)) throw new RecordError(`not a result but ${quote(value)}`, SHAPE);
  const scenario = readWord(value, 'scenario');
  if (scenario === null) throw new RecordError('scenario is missing', 'name the scenario that the report is of');
  return { scenario, report: value.report, tool_runs: value.tool_runs };
}
