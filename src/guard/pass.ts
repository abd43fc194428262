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
  /** Microseconds; `null` where the clock did not say. */
  readonly startedAt: number | null;
  input: number | null;
  output: number | null;
  nanos: number | null;
  steps: number | null;
  charged: boolean;
  /** Tool calls asked for and not yet observed, as requests. */
  readonly announced: string[];
  readonly calls: Call[];
}

export function openPass(startedAt: number | null): OpenPass {
  return { startedAt, input: 0, output: 0, nanos: 0, steps: null, charged: false, announced: [], calls: [] };
}

const KEYS: readonly string[] = ['inputTokens', 'outputTokens', 'usd', 'steps'] satisfies readonly (keyof Usage)[];

/**
 * Adds usage to a pass; no usage at all is an unknown amount.
 *
 * @throws RangeError for an amount that is negative or not finite, TypeError for a key that is none: either would
 *   silence a cap
 */
export function addUsage(pass: OpenPass, given: Usage | null | undefined): void {
  const usage = given ?? {};
  for (const key in usage) {
    if (!KEYS.includes(key)) throw new TypeError(`charge(): unknown key ${key}; known are ${KEYS.join(', ')}`);
  }
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
  const atoms = typeof amount === 'number' ? toAtoms(limit, amount) : null;
  if (atoms === null) throw new RangeError(`${name} is ${amount}: it must be 0 or more; leave out what is not known`);
  return before === null ? null : before + atoms;
}

/** The pass as the ledger books it. A model call that nothing was charged for has an unknown price. */
export function closedPass(pass: OpenPass, now: number | null): Pass {
  const { charged, startedAt } = pass;
  return {
    inputTokens: charged ? pass.input : null,
    outputTokens: charged ? pass.output : null,
    cacheReadTokens: null,
    cacheWriteTokens: null,
    micros: now === null || startedAt === null ? null : now - startedAt,
    nanos: charged ? pass.nanos : null,
    steps: pass.steps,
    model: null,
    calls: pass.calls,
  };
}

/** All tokens of one usage, `null` where a part is not known. */
export function tokensOf(usage: Usage | undefined): number | null {
  const pass = openPass(null);
  addUsage(pass, usage);
  return pass.input === null || pass.output === null ? null : pass.input + pass.output;
}
