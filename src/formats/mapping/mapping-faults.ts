import type * as z from 'zod';
import type { Problem } from '../../model/problem.js';
import { quote } from '../fields.js';
import { problem } from '../format.js';
import { nearest } from '../nearest.js';
import type { Locate } from '../yaml.js';
import { knownKeys, MAPPING_VERSION, type MappingFile } from './mapping-schema.js';

/** What the schema finds wrong, told so that the user can mend it. */
export function issueProblems(issue: z.core.$ZodIssue, value: unknown, file: string, locate: Locate): Problem[] {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    const known = knownKeys(path) ?? [];
    return issue.keys.map((key) =>
      problem(file, locate([...issue.path, key]), null, `unknown key ${dotted([...path, key])}`, suggest(key, known)),
    );
  }
  const found = path.reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], value);
  const shown = found === undefined ? 'missing' : quote(found);
  return [problem(file, locate(issue.path), null, `${dotted(path)} is ${shown}`, hintFor(path, issue))];
}

/** The known word that was meant, and all of them. */
export function suggest(typed: string, known: readonly string[], mark = ''): string {
  const near = nearest(typed, known);
  const listed = `known here: ${known.map((each) => mark + each).join(', ')}`;
  return near === null ? listed : `did you mean ${mark}${near}? ${listed}`;
}

function hintFor(path: readonly string[], issue: z.core.$ZodIssue): string {
  if (path[0] === 'capfit') return `the file must say "capfit: ${MAPPING_VERSION}"`;
  if (path[0] === 'unknown') return 'give one value, or a list of values, that stand for "not measured"';
  if (path[0] === 'files') return 'give one glob such as "*.json", or a list of them';
  if (issue.code !== 'invalid_union') return issue.message;
  return "write an expression, a number, true or false; an expression that begins with [ or { must stand in quotes ('')";
}

function dotted(path: readonly string[]): string {
  return path.reduce((text, key) => (/^\d+$/.test(key) ? `${text}[${key}]` : text === '' ? key : `${text}.${key}`), '');
}

/** A key that needs another key, or excludes it. */
interface Need {
  readonly path: readonly string[];
  readonly holds: (file: MappingFile) => boolean;
  readonly reason: string;
  readonly hint: string;
}

const NEEDS: readonly Need[] = [
  {
    path: ['id'],
    holds: (file) => file.id !== undefined || file.group_by !== undefined,
    reason: 'id is missing',
    hint: 'say which field tells the runs apart, such as "id: task_id"; "id: $file" is the name of the file',
  },
  {
    path: ['events'],
    holds: (file) => file.events === undefined || file.passes === undefined,
    reason: 'passes and events are both given',
    hint: 'passes is a list of model calls, events a list in which model calls stand among other things: give one',
  },
  {
    path: ['events'],
    holds: (file) => (file.events === undefined) === (file.pass_when === undefined),
    reason: 'events and pass_when must be given together',
    hint: 'pass_when says of an event whether it is a model call, such as \'type = "llm_call"\'',
  },
  ...(['call_when', 'result_when', 'time'] as const).map((key) => ({
    path: [key],
    holds: (file: MappingFile) => file[key] === undefined || file.events !== undefined,
    reason: `${key} is asked of events, and there are none`,
    hint: 'give events and pass_when',
  })),
  {
    path: ['time_is'],
    holds: (file) => file.time_is === undefined || file.time !== undefined,
    reason: 'time_is is given without time',
    hint: 'say with time when an event happened',
  },
  {
    path: ['pass'],
    holds: (file) => file.pass === undefined || file.passes !== undefined || file.events !== undefined,
    reason: 'pass is given, but not where the passes are',
    hint: 'give passes, the list of model calls, or events and pass_when',
  },
  {
    path: ['pass', 'time'],
    holds: (file) => file.pass?.time === undefined || file.events === undefined,
    reason: 'pass.time is given beside events',
    hint: 'of events the time is asked with the key time',
  },
  {
    path: ['call'],
    holds: (file) => (file.call !== undefined) === (file.pass?.calls !== undefined || file.call_when !== undefined),
    reason: 'call must be given together with pass.calls or call_when',
    hint: 'pass.calls lists the calls of a pass, call_when finds them among events, and call says what one holds',
  },
  {
    path: ['result'],
    holds: (file) => (file.result === undefined) === (file.result_when === undefined),
    reason: 'result and result_when must be given together',
    hint: 'result_when says of an event whether it is the result of a call, and result what it holds',
  },
  {
    path: ['check_by'],
    holds: (file) => file.check_by === undefined || file.check !== undefined,
    reason: 'check_by is given without check',
    hint: 'say with check what the verdict is',
  },
];

/** What a schema cannot say: keys that need or exclude one another. */
export function needProblems(mapping: MappingFile, file: string, locate: Locate): Problem[] {
  return NEEDS.filter((need) => !need.holds(mapping)).map((need) =>
    problem(file, locate(need.path), null, need.reason, need.hint),
  );
}
