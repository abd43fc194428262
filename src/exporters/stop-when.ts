import type { Policy } from '../policy/policy.js';
import { decimal, wholeMillis } from './amounts.js';
import type { Exporter } from './exporter.js';

/** What holds of every loop that stops by conditions on its steps. */
export const STEPWISE = {
  unit: 'one step, a model call with its tools: P',
  billed: 'N',
  billedNote: 'the tools of the last call run too',
  receives:
    "an ordinary result, no error: finishReason 'tool-calls' and an empty text, which condition fired is not told",
  says: { caps: { passes: 'exactly', tokens: 'exactly', seconds: 'exactly' }, order: 'any' },
} as const satisfies Partial<Exporter>;

/** Conditions on the steps so far, in the policy's order: what a `stopWhen` of the AI SDK and its kin takes. */
export interface StopWhen {
  /** Lines of the list's entries, the pass cap left to the caller. */
  readonly entries: readonly string[];
  /** Names that the entries use and that must be declared. */
  readonly needsTokens: boolean;
  readonly needsClock: boolean;
}

/** @param passes the entry for a cap on passes, or `null` where another setting holds it */
export function stopWhen({ caps, order }: Policy, passes: ((cap: number) => string) | null): StopWhen {
  const entries = order.flatMap((limit) => {
    const cap = limit === 'rules' ? undefined : caps[limit];
    if (cap === undefined) return [];
    if (limit === 'passes') return passes === null ? [] : [passes(cap)];
    if (limit === 'tokens') return [`({ steps }: { steps: Step[] }) => tokensOf(steps) >= ${cap}`];
    if (limit === 'seconds') {
      return [`() => performance.now() - started >= ${wholeMillis(cap)} /* ${decimal('seconds', cap)} s */`];
    }
    return [];
  });
  return { entries, needsTokens: caps.tokens !== undefined, needsClock: caps.seconds !== undefined };
}

/** The declaration of what the entries call. */
export const TOKENS_OF: readonly string[] = [
  'interface Step {',
  '  usage: { inputTokens?: number | undefined; outputTokens?: number | undefined };',
  '}',
  '',
  '/** Input (cached tokens included) and output of all steps; a count that is not known reaches no cap. */',
  'function tokensOf(steps: Step[]): number {',
  '  const known = (count: number | undefined) => count ?? Number.NaN;',
  '  return steps.reduce((sum, { usage }) => sum + known(usage.inputTokens) + known(usage.outputTokens), 0);',
  '}',
  '',
];
