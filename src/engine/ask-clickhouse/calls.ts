import type { RepeatKey } from '../../policy/policy.js';
import { type Layer, layer } from './layers.js';
import { textsSql } from './words.js';

/** What is kept of a call. */
export type Part = 'tool' | 'args' | 'result' | 'failed';

/** No tool is left out. */
export const NO_EXEMPT: readonly string[] = [];

/** What a rule compares of the calls. */
export const KEY_PARTS: Readonly<Record<RepeatKey, readonly Part[]>> = {
  call: ['tool', 'args', 'result'],
  request: ['tool', 'args'],
  result: ['result'],
};

/** A layer, and the name of a column that it surely has. */
export interface WithColumn {
  readonly layer: Layer;
  readonly column: string;
}

/** A part of the calls of all tools but some. Rules that leave out the same tools share it. */
export function addPart(from: Layer, exempt: readonly string[], part: Part | 'place'): WithColumn {
  if (exempt.length === 0) return { layer: from, column: `f_${part}` };
  const { layer: base, set } = withSet(from, exempt);
  const column = `f_${part}_${set}`;
  return { layer: added(base, column, `arrayFilter((v, s) -> s, f_${part}, s_${set})`), column };
}

/** The place of a set of tools among all of the query, and for each call whether its tool is none of them: told once. */
function withSet(from: Layer, exempt: readonly string[]): { readonly layer: Layer; readonly set: number } {
  const tools = [...new Set(exempt)].sort();
  const key = JSON.stringify(tools);
  const found = from.sets.indexOf(key);
  const set = found < 0 ? from.sets.length : found;
  const known = found < 0 ? { ...from, sets: [...from.sets, key] } : from;
  return { layer: added(known, `s_${set}`, `arrayMap(t -> NOT has(${textsSql(tools)}, t), f_tool)`), set };
}

/**
 * A number for each call, equal for two exactly where the rule must take them for the same. A call without a result
 * equals no other: it gets its own place below zero.
 */
export function addEvents(from: Layer, exempt: readonly string[], key: RepeatKey): WithColumn {
  let base = from;
  const columns = KEY_PARTS[key].map((part) => {
    const { layer: next, column } = addPart(base, exempt, part);
    base = next;
    return column;
  });
  const column = exempt.length === 0 ? `v_${key}` : `v_${key}_${withSet(base, exempt).set}`;
  const dense = `arrayEnumerateDense(${columns.join(', ')})`;
  const result = columns[KEY_PARTS[key].indexOf('result')];
  const events =
    result === undefined
      ? `arrayMap(e -> toInt64(e), ${dense})`
      : `arrayMap((e, r, i) -> if(r = '', -toInt64(i), toInt64(e)), ${dense}, ${result}, arrayEnumerate(${result}))`;
  return { layer: added(base, column, events), column };
}

function added(from: Layer, column: string, expression: string): Layer {
  return from.columns.includes(column) ? from : layer(from, { [column]: expression });
}
