import { toAtoms } from '../model/atoms.js';
import type { Call, Pass } from '../model/run.js';

/** What one model call used. What the provider did not say is left out or `null`. */
export interface Usage {
  /** All prompt tokens, cached ones included. */
  readonly inputTokens?: number | null | undefined;
  readonly outputTokens?: number | null | undefined;
  /** Dollars. */
  readonly usd?: number | null | undefined;
  /** Emitted steps, where the loop counts its own; else 1 for the plan and 2 a call. */
  readonly steps?: number | null | undefined;
}

/** A pass while it goes on. Usage charged twice (a retry, a sub-agent) adds up; one unknown part makes all unknown. */
export interface OpenPass {
  readonly startedAt: number;
  input: number | null;
  output: number | null;
  nanos: number | null;
  steps: number | null;
  charged: boolean;
  /** Tool calls asked for and not yet observed. */
  announced: number;
  readonly calls: Call[];
}

export function openPass(startedAt: number): OpenPass {
  return { startedAt, input: 0, output: 0, nanos: 0, steps: null, charged: false, announced: 0, calls: [] };
}

/**
 * Adds usage to a pass.
 *
 * @throws RangeError for an amount that is negative or not finite: it would corrupt every later decision
 */
export function addUsage(pass: OpenPass, usage: Usage): void {
  pass.charged = true;
  pass.input = plus(pass.input, usage.inputTokens, 'tokens', 'inputTokens');
  pass.output = plus(pass.output, usage.outputTokens, 'tokens', 'outputTokens');
  pass.nanos = plus(pass.nanos, usage.usd, 'usd', 'usd');
  if (usage.steps !== undefined && usage.steps !== null)
    pass.steps = plus(pass.steps ?? 0, usage.steps, 'steps', 'steps');
}

function plus(
  before: number | null,
  amount: number | null | undefined,
  limit: 'tokens' | 'usd' | 'steps',
  name: keyof Usage,
): number | null {
  if (amount === undefined || amount === null) return null;
  const atoms = toAtoms(limit, amount);
  if (atoms === null) throw new RangeError(`charge(): ${name} is ${amount}; leave out what is not known`);
  return before === null ? null : before + atoms;
}

/** The pass as the ledger books it. A model call that nothing was charged for has an unknown price. */
export function closedPass(pass: OpenPass, now: number): Pass {
  const { charged } = pass;
  return {
    inputTokens: charged ? pass.input : null,
    outputTokens: charged ? pass.output : null,
    cacheReadTokens: null,
    cacheWriteTokens: null,
    micros: now - pass.startedAt,
    nanos: charged ? pass.nanos : null,
    steps: pass.steps,
    model: null,
    calls: pass.calls,
  };
}
