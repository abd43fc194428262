import { createHash, type Hash } from 'node:crypto';
import type { Sealed } from '../model/chunk.js';
import { SUMMED } from '../model/pass-columns.js';
import type { Columns, RunTable } from '../model/table.js';
import { extentOf, totalsOf } from '../model/totals.js';

/** Numbers and texts are hashed in pieces of this many: a call for each would take longer than the hashing. */
const PIECE = 4096;
const UNKNOWN = -1;

/**
 * `sha256:` digest of the facts that percentiles and replays stand on, of all runs in their order. It is the same in
 * whichever form the runs are kept, so contents of calls, which a CSV keeps as digests only, are left out.
 */
export function fingerprintOf(table: RunTable): string {
  const columns = table.columns();
  const hash = createHash('sha256');
  hashFacts(hash, columns);
  const totals = totalsOf(columns);
  for (const limit of SUMMED) hashNumbers(hash, totals[limit]);
  return `sha256:${hash.digest('hex')}`;
}

function hashFacts(hash: Hash, columns: Columns): void {
  let text = '';
  for (let run = 0; run < columns.runs; run++) {
    const { id, status, check, reason, claim, startedAt, labels, totals } = columns.facts(run);
    text += JSON.stringify([id, status, check, reason, claim, startedAt, [...labels].sort(), totals]);
    text += columns.hasPasses(run) ? toolsOf(columns, run) : '-';
    text += '\n';
    if (run % PIECE === 0) {
      hash.update(text);
      text = '';
    }
  }
  hash.update(text);
}

/** The tools that each pass called. */
function toolsOf(columns: Columns, run: number): string {
  const { passes, firstCall } = columns;
  const { first, passes: count } = extentOf(columns, run);
  let text = '';
  let call = firstCall(run);
  for (let pass = first; pass < first + count; pass++) {
    for (const end = call + passes.callsOf(pass); call < end; call++) text += passes.calls.toolText(call);
    text += ';';
  }
  return text;
}

/** Running totals, eight bytes each. */
function hashNumbers(hash: Hash, column: Sealed | null): void {
  hash.update(column === null ? 'unknown' : 'known');
  if (column === null) return;
  const { values, unknown } = column;
  const piece = new DataView(new ArrayBuffer(PIECE * Float64Array.BYTES_PER_ELEMENT));
  for (let from = 0; from < values.length; from += PIECE) {
    const count = Math.min(PIECE, values.length - from);
    for (let index = 0; index < count; index++) {
      const value = values[from + index] as number;
      piece.setFloat64(index * Float64Array.BYTES_PER_ELEMENT, value === unknown ? UNKNOWN : value, true);
    }
    hash.update(new Uint8Array(piece.buffer, 0, count * Float64Array.BYTES_PER_ELEMENT));
  }
}
