import { canonical } from '../model/canonical.js';
import type { Json } from '../model/json.js';

/** What a tool call was given or brought, as the rules compare it. */
export interface Content {
  readonly json: Json | undefined;
  readonly digest: string | null;
}

const UNKNOWN: Content = { json: undefined, digest: null };

/** How many values that are no JSON were met: each gets a digest of its own, so that none ever equals another. */
let oddities = 0;

/**
 * A value of a live program as content: what JSON would make of it. `undefined` is unknown; a value that JSON cannot
 * hold (a cycle, a big integer, too deep a nesting) equals nothing.
 */
export function contentOf(value: unknown): Content {
  if (value === undefined) return UNKNOWN;
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return { json: value, digest: null };
  try {
    const text = JSON.stringify(value);
    if (text === undefined) return UNKNOWN;
    const json = JSON.parse(text) as Json;
    canonical(json);
    return { json, digest: null };
  } catch {
    oddities++;
    return { json: undefined, digest: `no JSON ${oddities}` };
  }
}
