import type { Policy } from '../policy/policy.js';
import { decimal, wholeMillis } from './amounts.js';

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
