import { fromAtoms } from '../model/atoms.js';
import { type Counters, LIMITS, type LimitName } from '../model/limits.js';
import type { Check, Claim, Status } from '../model/status.js';

/** How a run ended, or that it did not yet. */
export interface Exit {
  readonly status: Status;
  /** The limit or rule for `stopped_budget`, the error class for `halted_error`; else `null`. */
  readonly reason: string | null;
  /** One sentence for a log or a person. */
  readonly message: string;
  /** For `stopped_budget`: the ceiling and what the counter stood at, in the limit's own unit. */
  readonly limit: { readonly cap: number; readonly counter: number } | null;
}

/** A hint one step before a repeat rule fires: worth telling the model. */
export interface RuleWarning {
  readonly rule: string;
  readonly count: number;
  /** The count at which the rule stops the run. */
  readonly stops_at: number;
  readonly message: string;
}

/** The one envelope that every run ends with, whatever the exit. What is unknown is `null`, never zero. */
export interface RunReport {
  readonly schema: 'capfit/report@1';
  readonly status: Status;
  readonly reason: string | null;
  readonly message: string;
  readonly limit: Exit['limit'];
  readonly check: Check;
  readonly claim: Claim | null;
  readonly passes: number;
  readonly tokens: number | null;
  readonly seconds: number | null;
  readonly usd: number | null;
  readonly steps: number | null;
  readonly transcript_id: string | null;
  /** What the agent gave as its answer; only `status` and `check` say whether it is one. */
  readonly answer: unknown;
  /** What it offered as evidence that it is blocked or that the task is impossible. */
  readonly evidence: unknown;
  readonly check_output: unknown;
  readonly partial_work: unknown;
  /** The text of the one call after a stop, and what that call used on top of the figures above. */
  readonly wrap_up: { readonly text: unknown; readonly verified: false; readonly tokens: number | null } | null;
  readonly warnings: readonly RuleWarning[];
  /** Rules and caps that could not judge the run whole, since the loop did not tell what they count. */
  readonly not_judged: readonly string[];
}

/** What the caller's loop has told the guard beside the counters. */
export interface Story {
  check: Check;
  claim: Claim | null;
  answer: unknown;
  evidence: unknown;
  checkOutput: unknown;
  partialWork: unknown;
  wrapUp: RunReport['wrap_up'];
  readonly warnings: RuleWarning[];
}

export function openStory(): Story {
  return {
    check: 'none',
    claim: null,
    answer: null,
    evidence: null,
    checkOutput: null,
    partialWork: null,
    wrapUp: null,
    warnings: [],
  };
}

/** The envelope of a run as it stands. */
export function reportOf(
  exit: Exit,
  counters: Counters,
  story: Story,
  transcriptId: string | null,
  notJudged: readonly string[],
): RunReport {
  return {
    schema: 'capfit/report@1',
    status: exit.status,
    reason: exit.reason,
    message: exit.message,
    limit: exit.limit,
    check: story.check,
    claim: story.claim,
    passes: counters.passes ?? 0,
    tokens: counters.tokens,
    seconds: inUnits('seconds', counters),
    usd: inUnits('usd', counters),
    steps: counters.steps,
    transcript_id: transcriptId,
    answer: story.answer,
    evidence: story.evidence,
    check_output: story.checkOutput,
    partial_work: story.partialWork,
    wrap_up: story.wrapUp,
    warnings: [...story.warnings],
    not_judged: notJudged,
  };
}

function inUnits(limit: LimitName, counters: Counters): number | null {
  const atoms = counters[limit];
  return atoms === null ? null : fromAtoms(limit, atoms);
}

/** The exit of a limit that was reached. */
export function stopExit(reason: string, cap: number, counter: number): Exit {
  const limit = LIMITS.find((name) => name === reason);
  const shown = (atoms: number): number => (limit === undefined ? atoms : fromAtoms(limit, atoms));
  return {
    status: 'stopped_budget',
    reason,
    message: `stopped by ${reason}: ${shown(counter)} of ${shown(cap)}`,
    limit: { cap: shown(cap), counter: shown(counter) },
  };
}

/** A run without an exit so far. */
export const RUNNING: Exit = { status: 'running', reason: null, message: 'running', limit: null };
