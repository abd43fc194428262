import { type Counters, LIMITS } from '../model/limits.js';
import type { Call } from '../model/run.js';
import type { Claim } from '../model/status.js';
import { chargePass, endPass, openLedger, tellCall, tellDispatch } from '../policy/ledger.js';
import { policyOf } from '../policy/of-record.js';
import { judgesDispatch, type Policy } from '../policy/policy.js';
import type { PolicyRecord } from '../policy/policy-record.js';
import { firstReached, firstReachedAtDispatch, type Reached } from '../policy/stop.js';
import { answered, type GuardCall, liveCall, requestOf } from './call.js';
import { createClock } from './clock.js';
import {
  type ClaimKind,
  type Decision,
  decideClaim,
  decideFailure,
  decideVerdict,
  haltExit,
  type Verdict,
} from './endings.js';
import { addUsage, closedPass, type OpenPass, openPass, tokensOf, type Usage } from './pass.js';
import { type Exit, openStory, RUNNING, type RuleWarning, type RunReport, reportOf, stopExit } from './report.js';
import { type Standing, warningAfter } from './warning.js';

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
  charge(usage: Usage | null | undefined): void;
  /** Asked before every tool call: `null` to run it, else the exit, and the tool is not run. */
  beforeDispatch(call: GuardCall): Exit | null;
  /** Told every tool call that was run and what it brought; a warning is due one step before a repeat stop. */
  observe(call: GuardCall, result?: unknown, outcome?: { readonly error?: boolean | null }): RuleWarning | null;
  /** The agent says it is done, blocked, or that the task is impossible. An empty answer is not an exit. */
  claim(kind: ClaimKind, evidence?: unknown): Decision;
  /** What the check said. One that fails is not an exit; its output goes back to the model. */
  verify(check: Verdict): Decision;
  /** An error that the loop met: an exit where the policy halts on its class, else fed back to the model. */
  fail(errorClass: string, detail?: unknown): Decision;
  /** An error that no feeding back can mend: always an exit. */
  halt(errorClass: string): Exit;
  /** Somebody stopped the run from outside. */
  cancel(): Exit;
  /** Work done so far, for whoever takes over. */
  keep(partialWork: unknown): void;
  /** Whether one last model call may sum up: after a stop and before `finish`, where the policy allows it, once. */
  mayWrapUp(): boolean;
  /** The text of that call, kept apart and labelled as unverified. */
  wrapUp(text: unknown, usage?: Usage): void;
  /** The envelope as it stands, `running` while there is no exit: for a record that survives a crash. */
  report(): RunReport;
  /** Ends the run and gives the envelope. A loop that ends without an exit is a `halted_error` of its own. */
  finish(): RunReport;
}

/**
 * A guard for one run.
 *
 * @param policy a policy, or the content of a policy file (`capfit: policy/v1`)
 * @throws as `policyOf` does for a record that is no policy
 */
export function createGuard(policy: Policy | PolicyRecord, options: GuardOptions = {}): Guard {
  const rules = isPolicy(policy) ? policy : policyOf(policy);
  const clock = createClock(options.now ?? (() => performance.now()));
  const ledger = openLedger(rules);
  const story = openStory();
  const dispatches = judgesDispatch(rules);
  let pass: OpenPass | null = null;
  let exit: Exit | null = null;
  /** When an exit cut a pass short, and the steps emitted by then. What that pass used may still be told. */
  let cut: { readonly at: number | null; readonly steps: number | null } | null = null;
  let last: { readonly asked: GuardCall; readonly call: Call } | null = null;
  let finished: RunReport | null = null;
  let isAnswerEmpty = false;
  const standingRules: Standing = [];

  /** Books the pass that goes on, so that the counters stand at a boundary. */
  const settle = (): void => {
    if (pass === null) return;
    chargePass(ledger, closedPass(pass, clock()));
    endPass(ledger, pass.calls.length + pass.announced.length);
    pass = null;
  };
  /** The counters as they stand: with the pass that was cut short, or that goes on and has been charged for. */
  const standing = (): Counters => {
    if (pass === null || (cut === null && !pass.charged)) return ledger.counters;
    const counters = { ...ledger.counters };
    chargePass({ ...ledger, counters }, closedPass(pass, cut === null ? clock() : cut.at));
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

  const mayWrapUp = (): boolean =>
    rules.wrapUp && exit?.status === 'stopped_budget' && story.wrapUp === null && finished === null;
  const report = (standingExit: Exit): RunReport => {
    // A rule that fired has judged, as in the replay.
    const blind = rules.rules
      .filter(({ name }, index) => ledger.trackers[index]?.blind === true && name !== standingExit.reason)
      .map(({ name }) => name);
    const counters = standing();
    const silent = LIMITS.filter((limit) => rules.caps[limit] !== undefined && counters[limit] === null);
    return reportOf(standingExit, counters, story, options.transcriptId ?? null, [...silent, ...blind]);
  };

  return {
    beforeCall() {
      const made = afterPass();
      if (made === null) pass = openPass(clock());
      return made;
    },
    afterPass,
    charge(usage) {
      if (pass === null) {
        throw new Error(
          exit === null ? 'charge() without beforeCall(): ask before every model call' : 'charge() after the end',
        );
      }
      addUsage(pass, usage);
    },
    beforeDispatch(asked) {
      if (exit !== null || pass === null) return exit;
      const call = liveCall(asked);
      last = { asked, call };
      pass.announced.push(requestOf(call));
      if (!dispatches) return null;
      const before = ledger.counters.steps;
      const steps = before === null ? null : before + 2 * (pass.calls.length + pass.announced.length);
      const reached = firstReachedAtDispatch(rules, ledger, call, steps);
      return reached === null ? null : obey(reached, steps);
    },
    observe(asked, result, outcome = {}) {
      if (exit !== null || pass === null) return null;
      // One that is observed as it was just asked for is not worked out twice.
      const request = last !== null && last.asked === asked ? last.call : liveCall(asked);
      const call = answered(request, result, outcome.error ?? null);
      last = null;
      // A loop that did not ask before the tool ran is told late, but nothing is lost.
      const place = pass.announced.indexOf(requestOf(call));
      if (place === -1) tellDispatch(ledger, call);
      else pass.announced.splice(place, 1);
      pass.calls.push(call);
      tellCall(ledger, call);
      const warning = warningAfter(rules, ledger, call, standingRules);
      if (warning !== null) story.warnings.push(warning);
      return warning;
    },
    claim(kind, evidence) {
      const decision = decideClaim(kind, evidence, rules.check !== null);
      // An empty answer was none, and what comes after the exit is none of this run: no report may carry it.
      isAnswerEmpty = decision.feedBack !== null;
      if (isAnswerEmpty || exit !== null) return decided(decision);
      story.claim = CLAIM_OF[kind];
      if (kind === 'answer') story.answer = evidence ?? null;
      else story.evidence = evidence ?? null;
      return decided(decision);
    },
    verify(check) {
      const decision = decideVerdict(check, isAnswerEmpty);
      if (isAnswerEmpty) return decided(decision);
      story.check = check.passed ? 'passed' : 'failed';
      story.checkOutput = check.output ?? null;
      return decided(decision);
    },
    fail: (errorClass, detail) => decided(decideFailure(rules, errorClass, detail)),
    halt: (errorClass) => exit ?? end(haltExit(errorClass, `halted on ${errorClass}`)),
    cancel: () => exit ?? end(haltExit('canceled', 'canceled')),
    keep(partialWork) {
      story.partialWork = partialWork ?? null;
    },
    mayWrapUp,
    wrapUp(text, usage) {
      if (!mayWrapUp())
        throw new Error(
          'wrapUp() where mayWrapUp() says no: once, after a stop and before finish(), if the policy allows it',
        );
      story.wrapUp = { text: text ?? null, verified: false, tokens: tokensOf(usage) };
    },
    report: () => finished ?? report(exit ?? RUNNING),
    finish() {
      finished ??= report(exit ?? end(haltExit('no_exit', 'the loop ended without an exit')));
      return finished;
    },
  };
}

/** A policy is told from a record by what only it has. */
function isPolicy(policy: Policy | PolicyRecord): policy is Policy {
  return typeof policy === 'object' && policy !== null && 'stepsAt' in policy;
}

const CLAIM_OF: Readonly<Record<ClaimKind, Claim>> = {
  answer: 'completed',
  blocked: 'blocked',
  impossible: 'impossible',
};
