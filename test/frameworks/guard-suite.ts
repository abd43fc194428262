import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createGuard, type Guard, type PolicyRecord, type RunReport } from '../../src/guard/index.js';

/** What the stub model answers to one call: tool calls, or else the final text. */
export interface Turn {
  readonly calls?: readonly { readonly n: number }[];
  /** `null`: the provider says nothing of tokens. */
  readonly usage: { readonly input: number; readonly output: number } | null;
}

/** One run of a framework's own loop under a guard. */
export interface Job {
  readonly guard: Guard;
  readonly turns: readonly Turn[];
  /** The one tool, `look`. */
  readonly look: (args: { readonly n: number }) => string;
  /** A limit of the framework's own on model calls, beside the guard's. */
  readonly ownLimit: number | null;
  readonly usd: (() => number) | undefined;
}

/** Runs a job until it ends, whichever way; what was thrown at a stop is caught. */
export type Loop = (job: Job) => Promise<{ readonly modelCalls: number; readonly text: string | null }>;

export interface Framework {
  readonly name: string;
  readonly loop: Loop;
  /** Whether the framework tells its hooks that a tool failed. */
  readonly tellsErrors: boolean;
}

export const FINAL_TEXT = 'done';
export const INSTALLED = existsSync(join(import.meta.dirname, 'node_modules'));

const USAGE = { input: 100, output: 10 };
const call = (...numbers: number[]): Turn => ({ calls: numbers.map((n) => ({ n })), usage: USAGE });
const FINISH: Turn = { usage: USAGE };

interface Lived {
  readonly modelCalls: number;
  readonly toolRuns: readonly number[];
  readonly text: string | null;
  readonly report: RunReport;
}

/** A name for a suite that says why it was left out. */
export function titleOf(name: string): string {
  return INSTALLED ? name : `${name} (left out: not installed, see npm run frameworks)`;
}

interface Given {
  readonly turns: readonly Turn[];
  readonly policy?: Omit<PolicyRecord, 'capfit'>;
  readonly result?: (n: number) => string;
  readonly ownLimit?: number;
  readonly usd?: () => number;
}

/** Lives a run; every tool call takes one second of the guard's clock. */
async function live(loop: Loop, { turns, policy, result, ownLimit, usd }: Given): Promise<Lived> {
  let seconds = 50;
  const toolRuns: number[] = [];
  const guard = createGuard({ capfit: 'policy/v1', ...policy }, { now: () => seconds * 1000 });
  const look = ({ n }: { readonly n: number }): string => {
    toolRuns.push(n);
    seconds++;
    return result === undefined ? `seen ${n}` : result(n);
  };
  const { modelCalls, text } = await loop({ guard, turns, look, ownLimit: ownLimit ?? null, usd });
  if (text !== null) guard.claim('answer', text);
  return { modelCalls, toolRuns, text, report: guard.finish() };
}

/** What every adapter has to hold, whatever the framework. */
export function describeGuard({ name, loop, tellsErrors }: Framework): void {
  describe.skipIf(!INSTALLED)(titleOf(name), () => {
    test('a pass cap of n stops after exactly n billed model calls', async () => {
      const lived = await live(loop, { turns: [1, 2, 3, 4, 5].map((n) => call(n)), policy: { caps: { passes: 3 } } });
      expect(lived.report).toMatchObject({
        status: 'stopped_budget',
        reason: 'passes',
        limit: { cap: 3, counter: 3 },
        passes: 3,
        tokens: 330,
        steps: 9,
        seconds: 3,
      });
      expect(lived).toMatchObject({ modelCalls: 3, toolRuns: [1, 2, 3] });
    });

    test('a token cap stops after the pass that crosses it, which is billed in full', async () => {
      const lived = await live(loop, { turns: [1, 2, 3, 4].map((n) => call(n)), policy: { caps: { tokens: 250 } } });
      expect(lived.report).toMatchObject({
        reason: 'tokens',
        limit: { cap: 250, counter: 330 },
        passes: 3,
        tokens: 330,
      });
      expect(lived.modelCalls).toBe(3);
    });

    test('a cap on seconds counts from before the first model call', async () => {
      const lived = await live(loop, { turns: [1, 2, 3, 4].map((n) => call(n)), policy: { caps: { seconds: 2 } } });
      expect(lived.report).toMatchObject({ reason: 'seconds', limit: { cap: 2, counter: 2 }, passes: 2, seconds: 2 });
      expect(lived.modelCalls).toBe(2);
    });

    test('a cap on dollars takes the price it is given', async () => {
      const lived = await live(loop, {
        turns: [1, 2, 3].map((n) => call(n)),
        policy: { caps: { usd: 0.02 } },
        usd: () => 0.01,
      });
      expect(lived.report).toMatchObject({ reason: 'usd', passes: 2, usd: 0.02 });
    });

    test('the repeat rule stops at the third identical call', async () => {
      const lived = await live(loop, {
        turns: [call(1), call(7), call(7), call(7), call(7)],
        policy: { rules: [{ rule: 'repeat', count: 3 }] },
      });
      expect(lived.report).toMatchObject({ reason: 'repeats', limit: { cap: 3, counter: 3 }, passes: 4, tokens: 440 });
      expect(lived).toMatchObject({ modelCalls: 4, toolRuns: [1, 7, 7, 7] });
      expect(lived.report.warnings.map(({ rule, count }) => [rule, count])).toEqual([['repeats', 2]]);
    });

    test('the same call with another result is no repeat', async () => {
      let calls = 0;
      const lived = await live(loop, {
        turns: [call(7), call(7), call(7), FINISH],
        policy: { rules: [{ rule: 'repeat', count: 2 }] },
        result: () => `${++calls} lines`,
      });
      expect(lived).toMatchObject({ text: FINAL_TEXT, modelCalls: 4 });
    });

    test('parallel calls of one pass count one by one', async () => {
      const lived = await live(loop, {
        turns: [call(7, 7), call(7), FINISH],
        policy: { rules: [{ rule: 'repeat', count: 3 }] },
      });
      expect(lived.report).toMatchObject({ reason: 'repeats', passes: 2, tokens: 220, steps: 8 });
      expect(lived).toMatchObject({ modelCalls: 2, toolRuns: [7, 7, 7] });
    });

    test('a run that finishes in its last allowed pass is not cut', async () => {
      const lived = await live(loop, {
        turns: [call(1), call(2), FINISH],
        policy: { caps: { passes: 3, tokens: 330, seconds: 3 } },
      });
      expect(lived).toMatchObject({ modelCalls: 3, toolRuns: [1, 2], text: FINAL_TEXT });
      expect(lived.report).toEqual({
        schema: 'capfit/report@1',
        status: 'done_claimed',
        reason: null,
        message: 'the agent says it is done, and no check looked',
        limit: null,
        check: 'none',
        claim: 'completed',
        passes: 3,
        tokens: 330,
        seconds: 2,
        usd: null,
        steps: 8,
        transcript_id: null,
        answer: FINAL_TEXT,
        evidence: null,
        check_output: null,
        partial_work: null,
        wrap_up: null,
        warnings: [],
        not_judged: [],
      });
    });

    test('a run without a tool call is one pass', async () => {
      const lived = await live(loop, { turns: [FINISH], policy: { caps: { passes: 1 } } });
      expect(lived.report).toMatchObject({ status: 'done_claimed', passes: 1, tokens: 110, steps: 2 });
    });

    test('a refused call is not run, and its pass is billed', async () => {
      const lived = await live(loop, {
        turns: [call(7), call(7), call(7), FINISH],
        policy: { rules: [{ rule: 'repeat', key: 'request', count: 3, when: 'before_dispatch' }] },
      });
      expect(lived.report).toMatchObject({ reason: 'repeats', passes: 3, tokens: 330, limit: { cap: 3, counter: 3 } });
      expect(lived).toMatchObject({ modelCalls: 3, toolRuns: [7, 7], text: null });
    });

    test('of parallel calls only those up to the refused one are run', async () => {
      const lived = await live(loop, {
        turns: [call(1), call(2, 3, 4), FINISH],
        policy: { caps: { steps: 7 }, steps_at: 'dispatch' },
      });
      expect(lived.report).toMatchObject({ reason: 'steps', passes: 2, tokens: 220 });
      expect(lived).toMatchObject({ modelCalls: 2, toolRuns: [1, 2] });
    });

    test('usage that the provider leaves out is unknown, and stops nothing', async () => {
      const lived = await live(loop, {
        turns: [call(1), { calls: [{ n: 2 }], usage: null }, call(3), FINISH],
        policy: { caps: { tokens: 200 } },
      });
      expect(lived).toMatchObject({ modelCalls: 4, text: FINAL_TEXT });
      expect(lived.report).toMatchObject({ passes: 4, tokens: null });
    });

    test.runIf(tellsErrors)('tools that fail are told as such', async () => {
      const failing = (n: number): string => {
        throw new Error(`no entry ${n}`);
      };
      const lived = await live(loop, {
        turns: [call(1), call(2), call(3), FINISH],
        policy: { rules: [{ rule: 'errors', count: 2 }] },
        result: failing,
      });
      expect(lived.report).toMatchObject({ reason: 'errors', passes: 2 });
    });

    test("where the framework's own limit ends the run, no pass is counted that was not made", async () => {
      const lived = await live(loop, {
        turns: [1, 2, 3, 4].map((n) => call(n)),
        policy: { caps: { passes: 9 } },
        ownLimit: 2,
      });
      expect(lived.modelCalls).toBe(2);
      expect(lived.report).toMatchObject({ status: 'halted_error', reason: 'no_exit', passes: 2, tokens: 220 });
    });

    test('a guard that has ended lets no model call through', async () => {
      let exit: string | null = null;
      const lived = await live(
        (job) => {
          exit = job.guard.cancel().reason;
          return loop(job);
        },
        { turns: [FINISH] },
      );
      expect(exit).toBe('canceled');
      expect(lived).toMatchObject({ modelCalls: 0, text: null });
      expect(lived.report).toMatchObject({ status: 'halted_error', reason: 'canceled', passes: 0, tokens: 0 });
    });
  });
}
