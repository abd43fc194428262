import { wholeOf } from '../model/figures.js';
import { type Counters, LIMITS, type LimitName } from '../model/limits.js';
import { hasAllPasses, passAmount, passCount } from '../model/measure.js';
import type { Pass, Run } from '../model/run.js';
import { advance, chargePass, endPass, type Ledger, openLedger, tellCall } from '../policy/ledger.js';
import { judgesDispatch, type Policy } from '../policy/policy.js';
import { firstReached, firstReachedAtDispatch, isReached, type Reached } from '../policy/stop.js';
import { firstPassAtMost, mayStopUnseen } from './unjudged.js';

/** A stop that the policy makes: what was reached, and after how many passes. */
export interface Stop extends Reached {
  readonly afterPasses: number;
}

/** What a policy would have done to one recorded run. */
export interface Outcome {
  /** `null`: the recorded ending stands. */
  readonly stop: Stop | null;
  /** Counters at the ending, in atoms; where only a bound is known, the upper one. */
  readonly end: Counters;
  /** The lower bound of `end`; equal to it wherever the record has the boundary. */
  readonly endAtLeast: Counters;
  /** Limits known only from the run's totals that may have stopped it, or earlier than it was; no one can tell. */
  readonly maybe: readonly LimitName[];
  /** Recorded as stopped, and not stopped by this policy: what it would have done next is unknown. */
  readonly censored: boolean;
  /** Some figure of this run is a bound, because passes or their parts were not recorded. */
  readonly approximate: boolean;
  /** Limits and rules that could not judge this run, because the record lacks what they count. */
  readonly notJudged: readonly string[];
  /** A cap among these may have stopped it, or earlier than it was; no one can tell. */
  readonly unjudged: boolean;
}

/**
 * Walks a recorded run under a policy: before every model call the policy is asked with the counters so far. A limit
 * that is reached only after the last pass stops nothing. This plain loop is the definition; anything faster must
 * equal it.
 */
export function replayRun(run: Run, policy: Policy): Outcome {
  const notJudged = new Set<string>();
  const ledger = openLedger(policy);
  const walked = walk(run.passes ?? [], policy, ledger, notJudged);
  noteBlindRules(run, policy, ledger, walked, notJudged);
  const stop = walked ?? stopByStatedPasses(run, policy);
  const whole = wholeOf(run);
  const maybe = limitsPerhapsReached(run, policy, whole, notJudged);
  const end = stop === null ? whole : countersAt(stop, ledger, whole, walked !== null, 'upper');
  const atStop = stop === null ? whole : countersAt(stop, ledger, whole, walked !== null, 'lower');
  const least = lowestEnd(atStop, policy, maybe);
  const unjudged = mayStopUnseen([...notJudged], passCount(run), policy);
  return {
    stop,
    end,
    endAtLeast: unjudged ? firstPassAtMost(least, afterFirst(run)) : least,
    maybe,
    censored: stop === null && run.status === 'stopped_budget' && !stopsAtItsEnd(policy, ledger, whole),
    approximate: !hasAllPasses(run) || maybe.length > 0 || LIMITS.some((limit) => end[limit] !== least[limit]),
    notJudged: [...notJudged],
    unjudged,
  };
}

/** The loop: ask at boundary k, then book pass k + 1, asking inside it where the policy does. Leaves the ledger where the run ended. */
function walk(passes: readonly Pass[], policy: Policy, ledger: Ledger, notJudged: Set<string>): Stop | null {
  const dispatches = judgesDispatch(policy);
  for (const [boundary, pass] of passes.entries()) {
    const reached = firstReached(policy, ledger, (limit) => notJudged.add(limit));
    if (reached !== null) return { ...reached, afterPasses: boundary };
    const inside = dispatches ? walkCalls(pass, policy, ledger) : null;
    if (!dispatches) advance(ledger, pass);
    if (inside !== null) return { ...inside, afterPasses: boundary + 1 };
  }
  return null;
}

/** One pass, asked before each of its tool calls: the pass is billed whole, the call that is refused is not made. */
function walkCalls(pass: Pass, policy: Policy, ledger: Ledger): Reached | null {
  const before = ledger.counters.steps;
  chargePass(ledger, pass);
  for (const [index, call] of pass.calls.entries()) {
    const emitted = before === null ? null : before + 2 * (index + 1);
    const reached = firstReachedAtDispatch(policy, ledger, call, emitted);
    if (reached !== null) {
      ledger.counters.steps = emitted;
      return reached;
    }
    tellCall(ledger, call);
  }
  endPass(ledger, pass.calls.length);
  return null;
}

/** A pass cap is exact even without the passes: pass cap + 1 was made if and only if the run made more than cap. */
function stopByStatedPasses(run: Run, policy: Policy): Stop | null {
  if (hasAllPasses(run)) return null;
  const cap = policy.caps.passes;
  const made = passCount(run);
  if (cap === undefined || made === null || !isReached(made - 1, cap)) return null;
  return { reason: 'passes', limit: 'passes', cap, counter: cap, afterPasses: cap };
}

/**
 * Limits whose boundaries were not recorded although the run's total reaches the cap: it may have been reached in the
 * last pass, which stops nothing, or before. A total below the cap clears the limit; an unknown one cannot judge.
 */
function limitsPerhapsReached(run: Run, policy: Policy, whole: Counters, notJudged: Set<string>): LimitName[] {
  const made = passCount(run);
  const maybe: LimitName[] = [];
  for (const limit of LIMITS) {
    const cap = policy.caps[limit];
    if (cap === undefined || (hasAllPasses(run) && !notJudged.has(limit))) continue;
    if (whole[limit] === null) {
      if (made !== 0) notJudged.add(limit);
      continue;
    }
    notJudged.delete(limit);
    const mayStop = limit !== 'passes' && (made === null || made > 1);
    if (mayStop && isReached(whole[limit], cap)) maybe.push(limit);
  }
  return maybe;
}

/** Counters at a stop. Where the walk has no figure, the run's total bounds it from above, zero from below. */
function countersAt(stop: Stop, ledger: Ledger, whole: Counters, walked: boolean, side: 'lower' | 'upper'): Counters {
  const at = { ...whole };
  for (const limit of LIMITS) {
    const counted = walked ? ledger.counters[limit] : null;
    if (counted !== null) at[limit] = counted;
    else if (side === 'lower' && whole[limit] !== null) at[limit] = 0;
  }
  at.passes = stop.afterPasses;
  return at;
}

/** The least a run can have used if a limit that may have stopped it did: its cap, and nothing known of the others. */
function lowestEnd(atStop: Counters, policy: Policy, maybe: readonly LimitName[]): Counters {
  if (maybe.length === 0) return atStop;
  const least = { ...atStop };
  for (const limit of LIMITS) {
    const most = atStop[limit];
    if (most === null) continue;
    const isTheOne = maybe.length === 1 && maybe[0] === limit;
    least[limit] = Math.min(most, limit === 'passes' ? 1 : isTheOne ? (policy.caps[limit] ?? 0) : 0);
  }
  return least;
}

/** Counters after the first pass, as far as they are recorded. */
function afterFirst({ passes }: Run): Counters {
  const [first] = passes ?? [];
  const amount = (limit: LimitName): number | null => (first === undefined ? null : passAmount(first, limit));
  return {
    passes: 1,
    tokens: amount('tokens'),
    seconds: amount('seconds'),
    usd: amount('usd'),
    steps: amount('steps'),
  };
}

/** Whether the policy would have stopped the run right where the recording ends, so that the recorded stop stands. */
function stopsAtItsEnd(policy: Policy, ledger: Ledger, whole: Counters): boolean {
  return firstReached(policy, { ...ledger, counters: whole }) !== null;
}

/** A rule is blind where calls lack what it compares, or where no passes were kept. The one that fired has judged. */
function noteBlindRules(run: Run, policy: Policy, ledger: Ledger, stop: Stop | null, notJudged: Set<string>): void {
  for (const [index, rule] of policy.rules.entries()) {
    const blind = ledger.trackers[index]?.blind === true || (run.passes === null && passCount(run) !== 0);
    if (blind && stop?.reason !== rule.name) notJudged.add(rule.name);
  }
}
