import type { Call } from '../model/run.js';
import { contentDigest } from './content.js';

/** A tool call as the loop sees it: any value that JSON can hold, or a digest where content must not be kept. */
export interface GuardCall {
  readonly tool: string;
  readonly args?: unknown;
  readonly argsDigest?: string | null | undefined;
  readonly resultDigest?: string | null | undefined;
}

/** Names that others give to arguments: a call that has one of these has its arguments in the wrong place. */
const NOT_ARGS = ['input', 'arguments', 'parameters'];

/**
 * The call as the rules compare it: contents as digests of their normal form, kept apart from the caller's own.
 *
 * @throws TypeError for what is no call, or has its arguments under another name: all such calls would seem equal
 */
export function liveCall(call: GuardCall): Call {
  if (typeof call?.tool !== 'string')
    throw new TypeError('a call must be an object with the name of its tool: {tool, args}');
  const misplaced = call.args === undefined ? NOT_ARGS.find((key) => key in call) : undefined;
  if (misplaced !== undefined) throw new TypeError(`a call has its arguments in args, not in ${misplaced}`);
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

/** What a call asks for, whatever it brings. */
export function requestOf({ tool, argsDigest }: Call): string {
  return `${tool.length}:${tool}${argsDigest ?? ''}`;
}
