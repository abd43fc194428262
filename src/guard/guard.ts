import type { Counters } from '../model/limits.js';
import type { Call } from '../model/run.js';
import type { Claim } from '../model/status.js';
import { chargePass, endPass, openLedger, tellCall, tellDispatch } from '../policy/ledger.js';
import { type PolicyRecord, policyOf } from '../policy/of-record.js';
import { judgesDispatch, type Policy } from '../policy/policy.js';
import { firstReached, firstReachedAtDispatch, type Reached } from '../policy/stop.js';
import { answered, type GuardCall, liveCall } from './call.js';
import { type Decision, decideClaim, decideFailure, decideVerdict, haltExit } from './endings.js';
import { addUsage, closedPass, type OpenPass, openPass, type Usage } from './pass.js';
import { type Exit, openStory, RUNNING, type RuleWarning, type RunReport, reportOf, stopExit } from './report.js';
import { warningAfter } from './warning.js';

/** What a guard is told beside the policy. */
export interface GuardOptions {
  /** A clock in milliseconds that never goes back; the default is `performance.now`. */
  readonly now?: (() => number) | undefined;
  /** Where the transcript of this run can be found. */
  readonly transcriptId?: string | null | undefined;
}

/**
 * The stop decision of a policy in a live loop. It only decides: the loop asks before every model call and every tool,
 * and obeys. Nothing here calls a model, a tool or a check, waits, or throws at a stop.
 */
export interface Guard {
  /** Asked before every model call: `null` to go on, else the exit. Once there is an exit, it stands. */
  beforeCall(): Exit | null;
  /** As `beforeCall`, but opens no pass: for a loop that can only be stopped after a pass and may end there by itself. */
  afterPass(): Exit | null;
  /** Books what the model call of this pass used; again for a retry or a sub-agent, also after an exit inside it. */
  charge(usage: Usage): void;
  /** Asked before every tool call: `null` to run it, else the exit, and the tool is not run. */
  beforeDispatch(call: GuardCall): Exit | null;
  /** Told every tool call that was run and what it brought; a warning is due one step before a repeat stop. */
  observe(call: GuardCall, result?: unknown, outcome?: { readonly error?: boolean | null }): RuleWarning | null;
  /** The agent says it is done, blocked, or that the task is impossible. An empty answer is not an exit. */
  claim(kind: 'answer' | 'blocked' | 'impossible', evidence?: unknown): Decision;
  /** What the check said. One that fails is not an exit; its output goes back to the model. */
  verify(check: { readonly passed: boolean; readonly output?: unknown }): Decision;
  /** An error that the loop met: an exit where the policy halts on its class, else fed back to the model. */
  fail(errorClass: string, detail?: unknown): Decision;
  /** An error that no feeding back can mend: always an exit. */
  halt(errorClass: string): Exit;
  /** Somebody stopped the run from outside. */
  cancel(): Exit;
  /** Work done so far, for whoever takes over. */
  keep(partialWork: unknown): void;
  /** Whether one last model call may sum up: after a stop, where the policy allows it, once. */
  mayWrapUp(): boolean;
  /** The text of that call, kept apart and labelled as unverified. */
  wrapUp(text: unknown, usage?: Usage): void;
  /** The envelope as it stands, `running` while there is no exit: for a record that survives a crash. */
  report(): RunReport;
  /** Ends the run and gives the envelope. A loop that ends without an exit is a `halted_error` of its own. */
  finish(): RunReport;
}

const MICROS_PER_MILLI = 1000;

/**
 * A guard for one run.
 *
 * @param policy a policy, or the content of a policy file (`capfit: policy/v1`)
 * @throws as `policyOf` does for a record that is no policy
 */
export function createGuard(policy: Policy | PolicyRecord, options: GuardOptions = {}): Guard {
  const rules = 'capfit' in policy ? policyOf(policy) : policy;
  const now = options.now ?? (() => performance.now());
  const clock = (): number => Math.round(now() * MICROS_PER_MILLI);
  const ledger = openLedger(rules);
  const story = openStory();
  const dispatches = judgesDispatch(rules);
  let pass: OpenPass | null = null;
  let exit: Exit | null = null;
  /** When an exit cut a pass short, and the steps emitted by then. What that pass used may still be told. */
  let cut: { readonly at: number; readonly steps: number | null } | null = null;
  let last: { readonly asked: GuardCall; readonly call: Call } | null = null;

  /** The call as compared; one that is observed as it was asked for is not worked out twice. */
  const known = (asked: GuardCall): Call => {
    if (last?.asked !== asked) last = { asked, call: liveCall(asked) };
    return last.call;
  };
  /** Books the pass that goes on, so that the counters stand at a boundary. */
  const settle = (): void => {
    if (pass === null) return;
    chargePass(ledger, closedPass(pass, clock()));
    endPass(ledger, pass.calls.length);
    pass = null;
  };
  /** The counters as they stand: with the pass that was cut short, or that goes on and has been charged for. */
  const standing = (): Counters => {
    if (pass === null || (cut === null && !pass.charged)) return ledger.counters;
    const counters = { ...ledger.counters };
    chargePass({ ...ledger, counters }, closedPass(pass, cut?.at ?? clock()));
    return cut === null || cut.steps === null ? counters : { ...counters, steps: cut.steps };
  };
  const end = (made: Exit, steps: number | null = null): Exit => {
    if (pass !== null) cut = { at: clock(), steps };
    exit = made;
    return made;
  };
  const obey = ({ reason, cap, counter }: Reached, steps: number | null = null): Exit =>
    end(stopExit(reason, cap, counter), steps);
  const afterPass = (): Exit | null => {
    if (exit !== null) return exit;
    settle();
    const reached = firstReached(rules, ledger);
    return reached === null ? null : obey(reached);
  };
  const decided = (decision: Decision): Decision => {
    if (exit !== null) return { ...decision, exit, feedBack: null, needsCheck: false };
    if (decision.exit !== null) end(decision.exit);
    return decision;
  };

  return {
    beforeCall() {
      const made = afterPass();
      if (made === null) pass = openPass(clock());
      return made;
    },
    afterPass,
    charge(usage) {
      if (pass === null) throw new Error('charge() without beforeCall(): ask before every model call');
      addUsage(pass, usage);
    },
    beforeDispatch(asked) {
      if (exit !== null || pass === null) return exit;
      const call = known(asked);
      pass.announced++;
      if (!dispatches) return null;
      const before = ledger.counters.steps;
      const steps = before === null ? null : before + 2 * (pass.calls.length + pass.announced);
      const reached = firstReachedAtDispatch(rules, ledger, call, steps);
      return reached === null ? null : obey(reached, steps);
    },
    observe(asked, result, outcome = {}) {
      if (exit !== null || pass === null) return null;
      const call = answered(known(asked), result, outcome.error ?? null);
      last = null;
      // A loop that did not ask before the tool ran is told late, but nothing is lost.
      if (pass.announced > 0) pass.announced--;
      else tellDispatch(ledger, call);
      pass.calls.push(call);
      tellCall(ledger, call);
      const warning = warningAfter(rules, ledger, call);
      if (warning !== null) story.warnings.push(warning);
      return warning;
    },
    claim(kind, evidence) {
      const decision = decideClaim(kind, evidence, rules.check !== null);
      // An empty answer was none: no report may carry it.
      if (decision.feedBack !== null) return decided(decision);
      story.claim = CLAIM_OF[kind];
      if (kind === 'answer') story.answer = evidence ?? null;
      else story.evidence = evidence ?? null;
      return decided(decision);
    },
    verify(check) {
      story.check = check.passed ? 'passed' : 'failed';
      story.checkOutput = check.output ?? null;
      return decided(decideVerdict(check));
    },
    fail: (errorClass, detail) => decided(decideFailure(rules, errorClass, detail)),
    halt: (errorClass) => exit ?? end(haltExit(errorClass, `halted on ${errorClass}`)),
    cancel: () => exit ?? end(haltExit('canceled', 'canceled')),
    keep(partialWork) {
      story.partialWork = partialWork;
    },
    mayWrapUp: () => rules.wrapUp && exit?.status === 'stopped_budget' && story.wrapUp === null,
    wrapUp(text, usage = {}) {
      const { inputTokens = null, outputTokens = null } = usage;
      const tokens = inputTokens === null || outputTokens === null ? null : inputTokens + outputTokens;
      story.wrapUp = { text, verified: false, tokens };
    },
    report: () => reportOf(exit ?? RUNNING, standing(), story, options.transcriptId ?? null),
    finish() {
      const made = exit ?? end(haltExit('no_exit', 'the loop ended without an exit'));
      return reportOf(made, standing(), story, options.transcriptId ?? null);
    },
  };
}

const CLAIM_OF: Readonly<Record<'answer' | 'blocked' | 'impossible', Claim>> = {
  answer: 'completed',
  blocked: 'blocked',
  impossible: 'impossible',
};
