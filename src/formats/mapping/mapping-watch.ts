import { isJsonObject, type Json } from '../../model/json.js';
import type { FieldTally } from '../format.js';
import { type Ask, isYes, type Scope } from './mapping-ask.js';
import { plainQuestion, subjectOf } from './mapping-path.js';
import type { Mapping } from './mapping-plan.js';

/** A mapping that counts what its expressions find. */
export interface WatchedMapping {
  readonly mapping: Mapping;
  /** One for each expression that was asked. */
  tallies(file: string): FieldTally[];
}

/** The same mapping, its expressions counted: a misspelt field finds nothing anywhere, and no record is to blame. */
export function watched(mapping: Mapping): WatchedMapping {
  const counters: Counter[] = [];
  const watch = (ask: Ask): Ask => {
    if (ask.text === null) return ask;
    const counter = createCounter(ask.key, ask.text);
    counters.push(counter);
    return {
      ...ask,
      async of(value, scope) {
        const answer = await ask.of(value, scope);
        counter.see(answer, value, scope);
        return answer;
      },
    };
  };
  return {
    mapping: withAsks(mapping, watch),
    tallies: (file) => counters.map(({ tally }) => ({ file, ...tally() })).filter(({ asked }) => asked > 0),
  };
}

interface Counter {
  see(answer: Json, value: Json, scope: Scope): void;
  tally(): Omit<FieldTally, 'file'>;
}

/** Names that a message can show, and values that are looked at for them. */
const MOST_FIELDS = 30;
const LOOKED_AT = 20;

function createCounter(key: string, expression: string): Counter {
  const fields = new Set<string>();
  const hasFound = finder(key, expression);
  let asked = 0;
  let found = 0;
  return {
    see(answer, value, scope) {
      asked++;
      // Where it has found something once, nobody will ask for the names.
      if (found === 0 && asked <= LOOKED_AT && fields.size < MOST_FIELDS) addFields(fields, value);
      if (hasFound(answer, value, scope)) found++;
    },
    tally: () => ({ key, expression, asked, found, fields: [...fields].slice(0, MOST_FIELDS) }),
  };
}

type Finder = (answer: Json, value: Json, scope: Scope) => boolean;

/** A comparison gives `false` where there is nothing to compare; and if no event is a model call, none was found. */
function finder(key: string, expression: string): Finder {
  if (key === 'pass_when') return isYes;
  const subject = subjectOf(expression);
  const look = subject === null ? null : plainQuestion(subject);
  return (answer, value, scope) => isSomething(answer === false && look !== null ? look(value, scope) : answer);
}

function isSomething(answer: unknown): boolean {
  return answer !== null && answer !== '' && !(Array.isArray(answer) && answer.length === 0);
}

/** Of rows that belong together the first one tells. */
function addFields(fields: Set<string>, value: Json): void {
  const one = Array.isArray(value) ? (value[0] as Json | undefined) : value;
  if (one !== undefined && isJsonObject(one)) for (const name of Object.keys(one)) fields.add(name);
}

/** A copy of a part of a mapping with other expressions in the same places. */
function withAsks<Part>(part: Part, change: (ask: Ask) => Ask): Part {
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
  if (isAsk(part)) return change(part) as Part & Ask;
  if (part instanceof Map)
    return new Map([...part].map(([name, each]) => [name, withAsks(each, change)])) as Part & Map<string, Ask>;
  return Object.fromEntries(Object.entries(part).map(([name, each]) => [name, withAsks(each, change)])) as Part;
}

function isAsk(part: object): part is Ask {
  return 'of' in part && typeof part.of === 'function';
}
