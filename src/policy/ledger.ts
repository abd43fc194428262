import { type Counters, LIMITS } from '../model/limits.js';
import { passAmount } from '../model/measure.js';
import type { Call, Pass } from '../model/run.js';
import type { Policy } from './policy.js';
import { trackRule } from './track-rule.js';
import type { RuleTracker } from './tracker.js';

/** The running record of one run: what was used so far, and each rule's count. */
export interface Ledger {
  readonly counters: Counters;
  /** One for each rule of the policy, in its order. */
  readonly trackers: readonly RuleTracker[];
  /** The trackers of rules judged before a tool is run: told of a call then, and not again when it was run. */
  readonly atDispatch: ReadonlySet<RuleTracker>;
}

/** The ledger before the first model call: every counter is zero, and known. */
export function openLedger(policy: Policy): Ledger {
  const trackers = policy.rules.map(trackRule);
  return {
    counters: { passes: 0, tokens: 0, seconds: 0, usd: 0, steps: 0 },
    trackers,
    atDispatch: new Set(trackers.filter((_, index) => policy.rules[index]?.when === 'before_dispatch')),
  };
}

/** Books one pass whole. A counter is unknown from the first pass that lacks its part, and stays so. */
export function advance(ledger: Ledger, pass: Pass): void {
  chargePass(ledger, pass);
  for (const call of pass.calls) {
    tellDispatch(ledger, call);
    tellCall(ledger, call);
  }
  endPass(ledger, pass.calls.length);
}

/** Books what a pass used, its calls not looked at. */
export function chargePass({ counters }: Ledger, pass: Pass): void {
  for (const limit of LIMITS) {
    const before = counters[limit];
    const amount = passAmount(pass, limit);
    counters[limit] = before === null || amount === null ? null : before + amount;
  }
}

/** Tells the rules that are judged before a tool is run of a call that is about to be. */
export function tellDispatch({ atDispatch }: Ledger, call: Call): void {
  for (const tracker of atDispatch) tracker.observe(call);
}

/** Tells all other rules of a call that was made, with its result. */
export function tellCall({ trackers, atDispatch }: Ledger, call: Call): void {
  for (const tracker of trackers) if (!atDispatch.has(tracker)) tracker.observe(call);
}

/** Tells all rules that a pass has ended. */
export function endPass({ trackers }: Ledger, calls: number): void {
  for (const tracker of trackers) tracker.endPass(calls);
}
