import { toAtoms } from '../../model/atoms.js';
import { ExactNumber, isJsonObject, type Json } from '../../model/json.js';

/** As the JSON is written, or as amounts of a counter that is held in atoms. */
export type Comparison = 'json' | 'seconds' | 'usd';

/** Whether two JSON values are the same; the order of keys says nothing. */
export function sameValue(found: Json | undefined, expected: Json, as: Comparison = 'json'): boolean {
  if (found === undefined) return false;
  if (as !== 'json' && isNumber(expected)) return isNumber(found) && toAtoms(as, found) === toAtoms(as, expected);
  if (isList(expected)) {
    return isList(found) && found.length === expected.length && expected.every((each, i) => sameValue(found[i], each));
  }
  if (isJsonObject(expected)) return isJsonObject(found) && sameMembers(found, expected);
  return found === expected;
}

function sameMembers(found: { readonly [key: string]: Json }, expected: { readonly [key: string]: Json }): boolean {
  const keys = Object.keys(expected);
  return (
    keys.length === Object.keys(found).length &&
    keys.every((key) => Object.hasOwn(found, key) && sameValue(found[key], expected[key] as Json))
  );
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function isNumber(value: Json): value is number | ExactNumber {
  return typeof value === 'number' || value instanceof ExactNumber;
}
