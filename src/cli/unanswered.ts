import type { FieldTally } from '../formats/format.js';
import { nearest } from '../formats/nearest.js';
import { plural } from '../model/words.js';

/** What a mapping asked for in vain, and where. */
interface Unanswered {
  readonly tally: FieldTally;
  readonly asked: number;
  /** `null`: in no file was anything found. */
  readonly file: string | null;
}

/**
 * Sentences about expressions of a mapping that found nothing: in any record at all, or in any record of a file where
 * other files answered. A file of one record that lacks an optional field is no file to be told of.
 */
export function unansweredLines(tallies: readonly FieldTally[]): string[] {
  const byKey = new Map<string, FieldTally[]>();
  for (const tally of tallies) byKey.set(tally.key, [...(byKey.get(tally.key) ?? []), tally]);
  return [...byKey.values()].flatMap(unansweredIn).map(sentence);
}

function unansweredIn(tallies: readonly FieldTally[]): Unanswered[] {
  const [first] = tallies;
  if (first === undefined) return [];
  if (tallies.every(({ found }) => found === 0)) {
    const asked = tallies.reduce((sum, tally) => sum + tally.asked, 0);
    const fields = [...new Set(tallies.flatMap((tally) => tally.fields))];
    return [{ tally: { ...first, fields }, asked, file: tallies.length === 1 ? first.file : null }];
  }
  return tallies
    .filter(({ found, asked }) => found === 0 && asked > 1)
    .map((tally) => ({ tally, asked: tally.asked, file: tally.file }));
}

const LONGEST_EXPRESSION = 60;
const SHOWN_FIELDS = 12;

function sentence({ tally: { key, expression, fields }, asked, file }: Unanswered): string {
  const short = expression.replace(/\s+/g, ' ');
  const shown = short.length > LONGEST_EXPRESSION ? `${short.slice(0, LONGEST_EXPRESSION)}…` : short;
  const where = file === null ? '' : ` of ${file}`;
  const vain = `${key}: '${shown}' found nothing in any of ${plural(asked, nounOf(key))}${where}`;
  // What stands behind a variable has other fields than the record.
  if (fields.length === 0 || /^\$\w/.test(short)) return vain;
  const [name] = /^\w{3,}/.exec(short) ?? [];
  // Any name of two letters is near any other.
  const longer = fields.filter((each) => each.length > 2);
  const near = name === undefined ? null : nearest(name, longer);
  const more = fields.length > SHOWN_FIELDS ? ', …' : '';
  const meant = near === null || near === name ? '' : `; did you mean ${near}?`;
  return `${vain}${meant}; fields there are: ${fields.slice(0, SHOWN_FIELDS).join(', ')}${more}`;
}

/** What an expression is asked of. */
function nounOf(key: string): string {
  if (key.startsWith('pass.')) return 'model call';
  if (key.startsWith('call.')) return 'tool call';
  if (key.startsWith('result.')) return 'result';
  if (['pass_when', 'call_when', 'result_when', 'time'].includes(key)) return 'event';
  return key.startsWith('let.') || key === 'runs' ? 'document' : 'record';
}
