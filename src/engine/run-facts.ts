import { isJsonObject, type Json, parseJson } from '../model/json.js';
import { METRICS } from '../model/limits.js';
import type { Place, Problem } from '../model/problem.js';
import type { Run } from '../model/run.js';

/** Makes the run of a run record, or says why it cannot: the one reader of records, handed in by who has it. */
export type MakeRun = (record: Json, origin: Place) => Run | Problem;

export type Members = { readonly [key: string]: Json };

/** Why a row cannot be taken for part of a run record; never leaves this room. */
export class RowFault extends Error {
  readonly hint: string;

  constructor(reason: string, hint: string) {
    super(reason);
    this.hint = hint;
  }
}

/**
 * The members of a run record that `restSql` made JSON of.
 *
 * @throws RowFault where a column that holds JSON does not
 */
export function membersOf(rest: string): Members {
  const { more_labels, more_recorded_under, passes_recorded: _, totals, ...members } = parseJson(rest) as Members;
  return {
    ...members,
    labels: merged(members.labels, 'labels', more_labels),
    recorded_under: merged(members.recorded_under, 'recorded_under', more_recorded_under),
    blocker: contentOf('blocker', members.blocker),
    evidence: contentOf('evidence', members.evidence),
    totals: METRICS.some((metric) => (totals as Members)[metric] !== null) ? (totals as Members) : null,
  };
}

/** Whether the run's passes were recorded, as the column for it says; absent, they were. */
export function saysPassesRecorded(rest: string): boolean {
  return (parseJson(rest) as Members).passes_recorded !== false;
}

function merged(known: Json | undefined, column: string, more: Json | undefined): Json {
  const content = contentOf(column, more);
  if (content === null) return known ?? null;
  if (isJsonObject(content)) return { ...(known as Members), ...content };
  throw new RowFault(`${column} is no JSON object: ${shown(content)}`, `leave the column ${column} out`);
}

/** What a column that holds JSON texts says. */
function contentOf(column: string, text: Json | undefined): Json {
  if (typeof text !== 'string') return null;
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
    throw new RowFault(`${column} is no JSON: ${shown(text)}`, `${column} must be JSON; a text stands in quotes`);
  }
}

/** How a value looks in a message, cut short. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
