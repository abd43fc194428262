import type { Call } from '../model/run.js';
import { contentOf } from './content.js';

/** A tool call as the loop sees it: any value that JSON can hold, or a digest where content must not be kept. */
export interface GuardCall {
  readonly tool: string;
  readonly args?: unknown;
  readonly argsDigest?: string | null | undefined;
  readonly resultDigest?: string | null | undefined;
}

/** The call as the rules compare it. */
export function liveCall(call: GuardCall, result: unknown = undefined, error: boolean | null = null): Call {
  const args = contentOf(call.args);
  const brought = contentOf(result);
  return {
    tool: call.tool,
    args: args.json,
    argsDigest: args.digest ?? call.argsDigest ?? null,
    result: brought.json,
    resultDigest: brought.digest ?? call.resultDigest ?? null,
    error,
  };
}
