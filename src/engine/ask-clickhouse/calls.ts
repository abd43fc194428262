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
  const column = columnName(`f_${part}`, exempt);
  const kept = `arrayFilter((v, t) -> NOT has(${textsSql(exempt)}, t), f_${part}, f_tool)`;
  return { layer: added(from, column, kept), column };
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
  const column = columnName(`v_${key}`, exempt);
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

/** The tools that are left out are written into the name in hexadecimals, so that no two sets share one. */
function columnName(stem: string, exempt: readonly string[]): string {
  if (exempt.length === 0) return stem;
  return `${stem}_${Buffer.from(JSON.stringify([...exempt].sort())).toString('hex')}`;
}
