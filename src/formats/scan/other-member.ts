import { isDeeperThan, MAX_DEPTH, parseJson } from '../../model/json.js';
import { behindScalar, behindSpaces, behindText, behindValue, COLON, type Found, NOT_PLAIN } from './json-bytes.js';
import { textAt } from './parts.js';

/** A member that no reader asks for. */
export function behindOther(bytes: DataView, at: number, found: Found): number {
  const name = behindText(bytes, at, found);
  if (name === NOT_PLAIN || bytes.getUint8(name) !== COLON) return NOT_PLAIN;
  const value = behindSpaces(bytes, name + 1);
  const next = behindScalar(bytes, value, found);
  return next === NOT_PLAIN ? behindJson(bytes, value, found) : next;
}

/** A value that only a parser can judge. */
function behindJson(bytes: DataView, at: number, found: Found): number {
  const next = behindValue(bytes, at);
  if (next === NOT_PLAIN) return NOT_PLAIN;
  markBeyondAscii(bytes, at, next, found);
  try {
    return isDeeperThan(parseJson(textAt(bytes, at, next)), MAX_DEPTH) ? NOT_PLAIN : next;
  } catch {
    return NOT_PLAIN;
  }
}

/** For parts that are not read text by text. */
export function markBeyondAscii(bytes: DataView, from: number, to: number, found: Found): void {
  for (let at = from; at < to; at++) if (bytes.getUint8(at) >= 0x80) found.isBeyondAscii = true;
}
