/**
 * The guard as a middleware of LangChain's `createAgent` (package `langchain`, 1.x). What it needs of the framework is
 * passed in, so that this entry has no dependencies.
 *
 * @module
 */

import type { Guard } from './guard.js';
import { GuardStop } from './guard-stop.js';

export { GuardStop };

/** What is read of the message that a model call brings. */
export interface ModelMessage {
  readonly usage_metadata?: { readonly input_tokens: number; readonly output_tokens: number } | undefined;
  readonly response_metadata?: unknown;
}

interface ToolCallRequest {
  readonly toolCall: { readonly name: string; readonly args: unknown; readonly id?: string | undefined };
  readonly runtime?: { readonly signal?: { readonly aborted: boolean } | undefined } | undefined;
}

interface ToolMessageFields {
  readonly content: string;
  readonly tool_call_id: string;
  readonly name: string;
  readonly status: 'error';
}

/** The hooks that the middleware consists of. */
export interface GuardHooks<ToolMessage> {
  readonly name: string;
  readonly beforeModel: {
    readonly canJumpTo: 'end'[];
    readonly hook: () => { readonly jumpTo: 'end' } | undefined;
  };
  readonly wrapModelCall: <Request, Message>(
    request: Request,
    handler: (request: Request) => Message | Promise<Message>,
  ) => Promise<Message>;
  readonly wrapToolCall: <Request extends ToolCallRequest, Result>(
    request: Request,
    handler: (request: Request) => Result | Promise<Result>,
  ) => Promise<Result | ToolMessage>;
}

/** What LangChain has to give: the module itself fits. */
export interface Langchain<Middleware, ToolMessage> {
  readonly createMiddleware: (hooks: GuardHooks<ToolMessage>) => Middleware;
  readonly ToolMessage: new (fields: ToolMessageFields) => ToolMessage;
}

/** What LangChain does not tell by itself. */
export interface MiddlewareOptions {
  /** What a model call cost in dollars. Without it the cost is unknown, and a `usd` cap never stops anything. */
  readonly usd?: ((message: ModelMessage) => number | null | undefined) | undefined;
}

/**
 * A middleware that puts a guard in charge of one run of an agent made for it: put it first in the list, so that it
 * stands outside of retries. A limit that is reached ends the agent before its next model call; a refused tool is not
 * run, and is answered with what stopped the run.
 *
 * `beforeModel` is what ends a run quietly, `wrapModelCall` what opens and books a pass: a repeated request for
 * structured output skips the first, and is refused by a `GuardStop` thrown by the second.
 *
 * @param langchain the module, or what is used of it
 */
export function guardMiddleware<Middleware, ToolMessage>(
  guard: Guard,
  langchain: Langchain<Middleware, ToolMessage>,
  options: MiddlewareOptions = {},
): Middleware {
  const answer = ({ toolCall }: ToolCallRequest, content: string): ToolMessage => {
    const { name, id = '' } = toolCall;
    return new langchain.ToolMessage({ content, tool_call_id: id, name, status: 'error' });
  };
  return langchain.createMiddleware({
    name: 'CapfitGuard',
    beforeModel: {
      canJumpTo: ['end'],
      hook: () => (guard.afterPass() === null ? undefined : { jumpTo: 'end' }),
    },
    async wrapModelCall(request, handler) {
      const exit = guard.beforeCall();
      if (exit !== null) throw new GuardStop(exit);
      const answered = await handler(request);
      charge(guard, messageOf(answered), options);
      return answered;
    },
    async wrapToolCall(request, handler) {
      const call = { tool: request.toolCall.name, args: request.toolCall.args };
      const exit = guard.beforeDispatch(call);
      if (exit !== null) return answer(request, exit.message);
      try {
        const result = await handler(request);
        const { content, status } = result as { readonly content?: unknown; readonly status?: unknown };
        guard.observe(call, content, { error: status === 'error' });
        return result;
      } catch (error) {
        if (leavesOnPurpose(request, error)) throw error;
        guard.observe(call, String(error), { error: true });
        if (isForLangchain(error)) throw error;
        // Without a middleware around its tools the agent would be told of the error as well.
        return answer(request, String(error));
      }
    },
  });
}

/** The model's message; where the answer is structured, it is the first of the messages that go with it. */
function messageOf(answered: unknown): ModelMessage {
  const { messages } = answered as { readonly messages?: readonly ModelMessage[] };
  return messages?.[0] ?? (answered as ModelMessage);
}

function charge(guard: Guard, message: ModelMessage, options: MiddlewareOptions): void {
  const usage = message.usage_metadata;
  guard.charge({
    inputTokens: usage?.input_tokens,
    outputTokens: usage?.output_tokens,
    usd: options.usd?.(message),
  });
}

/** An interrupt, a command to another graph, or a run that was aborted: the tool has not failed. */
function leavesOnPurpose({ runtime }: ToolCallRequest, error: unknown): boolean {
  return propertyOf(error, 'is_bubble_up') === true || runtime?.signal?.aborted === true;
}

/** Bad arguments, which LangChain answers by itself, and errors of other middlewares, which end the run. */
function isForLangchain(error: unknown): boolean {
  const brand = propertyOf(error, '~brand');
  return brand === 'ToolInvocationError' || brand === 'MiddlewareError';
}

function propertyOf(error: unknown, name: string): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
}
