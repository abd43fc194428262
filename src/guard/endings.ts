import type { Policy } from '../policy/policy.js';
import type { Exit } from './report.js';

/** What the loop has to do next. */
export interface Decision {
  /** The run is over; `null`: it goes on. */
  readonly exit: Exit | null;
  /** What to tell the model before its next call; `null`: nothing. */
  readonly feedBack: string | null;
  /** The loop has to run the check and call `verify`. */
  readonly needsCheck: boolean;
}

const GO_ON: Decision = { exit: null, feedBack: null, needsCheck: false };

/** A claim: an exit only where no check can look, and never when it is empty. */
export function decideClaim(kind: 'answer' | 'blocked' | 'impossible', evidence: unknown, hasCheck: boolean): Decision {
  if (kind !== 'answer') return { ...GO_ON, exit: claimed(`the agent says the task is ${kind}`) };
  if (isEmpty(evidence)) {
    return { ...GO_ON, feedBack: 'The answer is empty. Give the answer, or go on with the task.' };
  }
  if (hasCheck) return { ...GO_ON, needsCheck: true };
  return { ...GO_ON, exit: claimed('the agent says it is done, and no check looked') };
}

function claimed(message: string): Exit {
  return { status: 'done_claimed', reason: null, message, limit: null };
}

/** No answer at all: nothing, white space, or a list or object without content. */
function isEmpty(answer: unknown): boolean {
  if (answer === undefined || answer === null) return true;
  if (typeof answer === 'string') return answer.trim() === '';
  return typeof answer === 'object' && Object.keys(answer).length === 0;
}

/** A verdict: the only way to `done_verified`. A failed one goes back to the model. */
export function decideVerdict(check: { readonly passed: boolean; readonly output?: unknown }): Decision {
  if (check.passed) {
    return { ...GO_ON, exit: { status: 'done_verified', reason: null, message: 'the check passed', limit: null } };
  }
  return { ...GO_ON, feedBack: `The check failed.${shown(check.output)}` };
}

/** An error: an exit where the policy halts on its class. */
export function decideFailure(policy: Policy, errorClass: string, detail: unknown): Decision {
  if (policy.haltOn.includes(errorClass)) {
    return { ...GO_ON, exit: haltExit(errorClass, `halted on ${errorClass}`) };
  }
  return { ...GO_ON, feedBack: `Error: ${errorClass}.${shown(detail)}` };
}

export function haltExit(reason: string, message: string): Exit {
  return { status: 'halted_error', reason, message, limit: null };
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return '';
  return ` ${value instanceof Error ? value.message : typeof value === 'string' ? value : JSON.stringify(value)}`;
}
