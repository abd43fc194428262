import type { Call } from '../model/run.js';
import { contentDigest } from './content.js';

/** A tool call as the loop sees it: any value that JSON can hold, or a digest where content must not be kept. */
export interface GuardCall {
  readonly tool: string;
  readonly args?: unknown;
  readonly argsDigest?: string | null | undefined;
  readonly resultDigest?: string | null | undefined;
}

/** The call as the rules compare it: contents as digests of their normal form, kept apart from the caller's own. */
export function liveCall(call: GuardCall): Call {
  return {
    tool: call.tool,
    args: undefined,
    argsDigest: contentDigest(call.args) ?? ownDigest(call.argsDigest),
    result: undefined,
    resultDigest: ownDigest(call.resultDigest),
    error: null,
  };
}

/** The same call with what it brought. */
export function answered(call: Call, result: unknown, error: boolean | null): Call {
  return { ...call, resultDigest: contentDigest(result) ?? call.resultDigest, error };
}

function ownDigest(digest: string | null | undefined): string | null {
  return digest === undefined || digest === null ? null : `d${digest}`;
}
