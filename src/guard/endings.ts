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

export type ClaimKind = 'answer' | 'blocked' | 'impossible';

/**
 * A claim: an exit only where no check can look, and never when it is empty.
 *
 * @throws TypeError for another kind of claim
 */
export function decideClaim(kind: ClaimKind, evidence: unknown, hasCheck: boolean): Decision {
  if (kind === 'blocked' || kind === 'impossible') {
    return { ...GO_ON, exit: claimed(`the agent says the task is ${kind}`) };
  }
  if (kind !== 'answer') throw new TypeError(`claim(): ${String(kind)} is not one of answer, blocked, impossible`);
  if (isEmpty(evidence)) return { ...GO_ON, feedBack: EMPTY_ANSWER };
  if (hasCheck) return { ...GO_ON, needsCheck: true };
  return { ...GO_ON, exit: claimed('the agent says it is done, and no check looked') };
}

const EMPTY_ANSWER = 'The answer is empty. Give the answer, or go on with the task.';

function claimed(message: string): Exit {
  return { status: 'done_claimed', reason: null, message, limit: null };
}

/** No answer at all: nothing, blanks, also such as cannot be seen, or a list or object that holds nothing else. */
function isEmpty(answer: unknown): boolean {
  if (answer === undefined || answer === null || Number.isNaN(answer)) return true;
  if (typeof answer === 'string') return /^[\s\u200b-\u200d\u2060\ufeff]*$/.test(answer);
  if (answer instanceof Map || answer instanceof Set) return answer.size === 0;
  if (typeof answer !== 'object') return false;
  const isPlain = Array.isArray(answer) || Object.getPrototypeOf(answer) === Object.prototype;
  return isPlain && Object.values(answer).every(isEmpty);
}

/** What the check said. */
export interface Verdict {
  readonly passed: boolean;
  readonly output?: unknown;
}

/**
 * A verdict: the only way to `done_verified`. A failed one goes back to the model, and so does one on an empty answer.
 *
 * @throws TypeError where `passed` is neither true nor false, such as a promise that was not awaited
 */
export function decideVerdict(check: Verdict, isAboutNothing: boolean): Decision {
  if (typeof check?.passed !== 'boolean') {
    throw new TypeError('verify() takes {passed: true or false, output}; was the check awaited?');
  }
  if (isAboutNothing) return { ...GO_ON, feedBack: EMPTY_ANSWER };
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

/** @throws TypeError for a class without a name: the reason would be lost */
export function haltExit(reason: string, message: string): Exit {
  if (typeof reason !== 'string' || reason === '')
    throw new TypeError('an error class must be a text, such as provider_error');
  return { status: 'halted_error', reason, message, limit: null };
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (value instanceof Error) return ` ${value.message}`;
  if (typeof value === 'string') return ` ${value}`;
  try {
    return ` ${JSON.stringify(value) ?? String(value)}`;
  } catch {
    return ` ${String(value)}`;
  }
}
