import type { ByteSource } from '../../../src/formats/format.js';
import type { Run } from '../../../src/model/run.js';
import type { RunTable } from '../../../src/model/table.js';

/** The runs of a table, with codes of contents by the order of their first occurrence: the numbers mean nothing but equality. */
export function comparable(table: RunTable): Run[] {
  return [...table].map((run) => {
    const seen = { args: new Map<string, number>(), result: new Map<string, number>() };
    const codeOf = (codes: Map<string, number>, digest: string | null): string | null => {
      if (digest === null) return null;
      if (!codes.has(digest)) codes.set(digest, codes.size);
      return String(codes.get(digest));
    };
    const passes = run.passes?.map((pass) => ({
      ...pass,
      calls: pass.calls.map((call) => ({
        ...call,
        argsDigest: codeOf(seen.args, call.argsDigest),
        resultDigest: codeOf(seen.result, call.resultDigest),
      })),
    }));
    return { ...run, passes: passes ?? null };
  });
}

/** Bytes in pieces of a size. */
export async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

/** The same, put where they are asked for. */
export function source(bytes: Uint8Array, size: number): ByteSource {
  let at = 0;
  return {
    read(target) {
      const length = Math.min(size, target.length, bytes.length - at);
      target.set(bytes.subarray(at, at + length));
      at += length;
      return length;
    },
  };
}
