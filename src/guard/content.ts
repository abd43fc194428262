import { canonical } from '../model/canonical.js';
import type { Json } from '../model/json.js';

/** How many values that are no JSON were met: each gets a digest of its own, so that none ever equals another. */
let oddities = 0;

/**
 * What tells one value of a live program from another, `null` where it is unknown: the normal form of what JSON would
 * make of it, worked out once for all rules. `undefined` and `null` are unknown, as in a run record, so that a recorded
 * run replays as it was guarded; a value that JSON cannot hold (a cycle, a big integer, too deep a nesting) equals
 * nothing.
 */
export function contentDigest(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  try {
    if (isPlain(value)) return `c${canonical(value)}`;
    const text = JSON.stringify(value, telling);
    return text === undefined ? null : `c${canonical(JSON.parse(text) as Json)}`;
  } catch {
    oddities++;
    return `no JSON ${oddities}`;
  }
}

/** What JSON would write as an empty object although it holds something. */
function telling(_key: string, value: unknown): unknown {
  if (value instanceof Error) return { name: value.name, message: value.message };
  return value instanceof Map || value instanceof Set ? [...value] : value;
}

/** Whether JSON would give the value back as it is, so that the detour over its text can be saved. */
function isPlain(value: unknown): value is Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object') return false;
  if (Array.isArray(value)) return value.every(isPlain);
  const prototype: unknown = Object.getPrototypeOf(value);
  if ((prototype !== Object.prototype && prototype !== null) || 'toJSON' in value) return false;
  for (const key in value) if (!isPlain((value as { [key: string]: unknown })[key])) return false;
  return true;
}
