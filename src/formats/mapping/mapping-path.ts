import { isJsonObject, type Json } from '../../model/json.js';

/*
 * Expressions that are a path of plain names, such as `usage.prompt_tokens` or `$cost.total`, or compare one with a
 * text, as in `type = "llm_call"`. Most of what mappings ask is of this kind. JSONata copies the whole value for every
 * question and would take most of the reading time; besides, a number that no double can hold stays exact this way.
 */

/** Values by the name of the variable that they are bound to. */
export type Scope = { readonly [name: string]: Json };

/** Where JSONata must decide: it maps the rest of a path over a list. */
export const UNDECIDED = Symbol('undecided');

const QUESTION = /^((?:\$(?:[A-Za-z]\w*)?|[A-Za-z_]\w*)(?:\.[A-Za-z_]\w*)*)(?:\s*=\s*(?:"([^"\\]*)"|'([^'\\]*)'))?$/;
/** Words that are no field names to JSONata, or not everywhere. */
const KEYWORDS: ReadonlySet<string> = new Set(['true', 'false', 'null', 'and', 'or', 'in']);

/** What answers an expression of this kind, or `null` for any other. */
export function plainQuestion(text: string): ((value: Json, scope: Scope) => Json | typeof UNDECIDED) | null {
  const [, path = '', double, single] = QUESTION.exec(text) ?? [];
  const steps = path.split('.');
  if (path === '' || steps.some((step) => KEYWORDS.has(step))) return null;
  const wanted = double ?? single;
  if (wanted === undefined) return (value, scope) => walk(steps, value, scope);
  return (value, scope) => {
    const found = walk(steps, value, scope);
    return found === UNDECIDED || Array.isArray(found) ? UNDECIDED : found === wanted;
  };
}

/** What a comparison of this kind looks at; `null` for any other expression. */
export function subjectOf(text: string): string | null {
  const [, path, double, single] = QUESTION.exec(text) ?? [];
  return path === undefined || (double ?? single) === undefined ? null : path;
}

function walk(steps: readonly string[], value: Json, scope: Scope): Json | typeof UNDECIDED {
  const [first = '', ...rest] = steps;
  let at: Json = value;
  const names = first.startsWith('$') ? rest : steps;
  if (first.startsWith('$') && first !== '$') at = own(scope, first.slice(1));
  for (const name of names) {
    if (Array.isArray(at)) return UNDECIDED;
    at = isJsonObject(at) ? own(at, name) : null;
  }
  return at;
}

function own(object: { readonly [key: string]: Json }, name: string): Json {
  return Object.hasOwn(object, name) ? (object[name] ?? null) : null;
}
