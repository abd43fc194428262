import { type CallColumns, createCallColumns, type PackedCalls } from './call-columns.js';
import type { Chunk, PackedColumn, Sealed } from './chunk.js';
import { type Growing, growing } from './growing.js';
import type { LimitName } from './limits.js';
import { passAmount } from './measure.js';
import type { Pass } from './run.js';
import type { DraftFigures, Span } from './run-draft.js';

/** What is summed along a run. Passes need no column: they are counted by their place. */
export const SUMMED = ['tokens', 'seconds', 'usd', 'steps'] as const satisfies readonly LimitName[];
export type Summed = (typeof SUMMED)[number];

/**
 * The passes of many runs, one run behind the other, as running totals inside their run: what a counter stands at after
 * a pass is one look, and where it reaches a cap a bisection. A total is unknown from the first pass on that lacks it.
 */
export interface PassColumns {
  readonly length: number;
  readonly calls: CallColumns;
  addRun(passes: readonly Pass[]): void;
  /** A row that stands for all passes of a run, by what they came to in atoms, `null`: unknown. Their calls are not kept. */
  addSum(totals: Readonly<Record<Summed, number | null>>): void;
  /** Those of the passes and calls of a draft that lie in [from, to). */
  addDraft(draft: DraftFigures, passes: Span, calls: Span): void;
  /** The passes and calls of other columns that lie in [from, to); nothing can be added to those afterwards. */
  addSpan(other: PassColumns, passes: Span, calls: Span): void;
  /** How many calls each pass made. */
  callCounts(): Chunk;
  /** So many passes, some more or fewer, will come in packed parts. */
  expect(length: number): void;
  freeze(): void;
  pack(): PackedPasses;
  unpack(packed: PackedPasses): void;
  /** The running totals of a counter in atoms, `null` where no pass knows it; nothing can be added afterwards. */
  totals(limit: Summed): Sealed | null;
  /** Whether there are running totals of a counter after every pass; nothing can be added afterwards. */
  isKnown(limit: Summed): boolean;
  /** How many calls a pass made. */
  callsOf(pass: number): number;
  /** @param call index of the first call of the first of these passes */
  slice(from: number, to: number, call: number): Pass[];
}

/** Passes and their calls as another thread can be given them. */
export interface PackedPasses {
  readonly totals: Readonly<Record<Summed, PackedColumn>>;
  readonly callsMade: PackedColumn;
  readonly calls: PackedCalls;
}

export function createPassColumns(): PassColumns {
  const running: Readonly<Record<Summed, Growing>> = {
    tokens: growing(),
    seconds: growing(),
    usd: growing(),
    steps: growing(),
  };
  const calls = createCallColumns();
  const callsMade = growing();
  /** What one pass added to a counter. */
  const amount = (limit: Summed, pass: number, isFirst: boolean): number | null => {
    const after = running[limit].at(pass);
    if (after === null || isFirst) return after;
    return after - (running[limit].at(pass - 1) as number);
  };
  const passAt = (pass: number, isFirst: boolean, firstCall: number): Pass => {
    const tokens = amount('tokens', pass, isFirst);
    return {
      inputTokens: tokens,
      outputTokens: tokens === null ? null : 0,
      cacheReadTokens: null,
      cacheWriteTokens: null,
      micros: amount('seconds', pass, isFirst),
      nanos: amount('usd', pass, isFirst),
      steps: amount('steps', pass, isFirst),
      model: null,
      calls: calls.slice(firstCall, firstCall + (callsMade.at(pass) as number)),
    };
  };
  return {
    get length() {
      return callsMade.length;
    },
    calls,
    addRun(passes) {
      calls.beginRun();
      for (const limit of SUMMED) addTotals(running[limit], limit, passes);
      for (const pass of passes) {
        callsMade.push(pass.calls.length);
        for (const call of pass.calls) calls.add(call);
      }
    },
    addSum(totals) {
      for (const limit of SUMMED) running[limit].push(totals[limit]);
      callsMade.push(0);
    },
    addDraft(draft, [from, to], ofCalls) {
      const { narrow } = draft;
      running.tokens.append(draft.tokens, from, to, narrow);
      running.seconds.append(draft.micros, from, to, narrow);
      running.usd.append(draft.nanos, from, to, narrow);
      running.steps.append(draft.steps, from, to, narrow);
      callsMade.append(draft.callsMade, from, to, narrow);
      calls.addDraft(draft, ofCalls);
    },
    addSpan(other, [from, to], ofCalls) {
      for (const limit of SUMMED) running[limit].appendChunk(other.totals(limit), from, to);
      callsMade.appendChunk(other.callCounts(), from, to);
      calls.addSpan(other.calls, ofCalls);
    },
    callCounts: () => callsMade.seal(),
    expect(length) {
      // Walks ask for these in a wide kind in any case. Money is not always known, and steps are seldom asked for.
      running.tokens.expect(length);
      running.seconds.expect(length);
    },
    freeze() {
      for (const limit of SUMMED) running[limit].freeze();
      callsMade.freeze();
      calls.freeze();
    },
    pack: () => ({
      totals: {
        tokens: running.tokens.pack(),
        seconds: running.seconds.pack(),
        usd: running.usd.pack(),
        steps: running.steps.pack(),
      },
      callsMade: callsMade.pack(),
      calls: calls.pack(),
    }),
    unpack(packed) {
      for (const limit of SUMMED) running[limit].unpack(packed.totals[limit]);
      callsMade.unpack(packed.callsMade);
      calls.unpack(packed.calls);
    },
    totals: (limit) => running[limit].sealWide(),
    isKnown(limit) {
      running[limit].sealWide();
      return running[limit].seal()?.isWhole === true;
    },
    callsOf: (pass) => callsMade.at(pass) as number,
    slice(from, to, call) {
      const passes: Pass[] = [];
      let next = call;
      for (let index = from; index < to; index++) {
        passes.push(passAt(index, index === from, next));
        next += callsMade.at(index) as number;
      }
      return passes;
    },
  };
}

function addTotals(column: Growing, limit: Summed, passes: readonly Pass[]): void {
  let total: number | null = 0;
  for (const pass of passes) {
    const amount: number | null = total === null ? null : passAmount(pass, limit);
    total = total === null || amount === null ? null : total + amount;
    column.push(total);
  }
}
