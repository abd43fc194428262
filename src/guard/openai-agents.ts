/**
 * The guard in the loop of the OpenAI Agents SDK (package `@openai/agents`). Its runner has no setting that ends a run
 * quietly before a model call, so the model itself is wrapped: a refused call throws a `GuardStop` out of `run()`.
 *
 * @module
 */

import { delegate } from './delegate.js';
import type { Guard } from './guard.js';
import { GuardStop } from './guard-stop.js';
import { askFirst, tellMade } from './made-calls.js';

export { GuardStop };

interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** An item of a request or of a response; a call and its result carry the same `callId`. */
interface Item {
  readonly type?: string | undefined;
  readonly id?: string | undefined;
  readonly callId?: string | undefined;
  readonly name?: string | undefined;
  readonly arguments?: unknown;
  readonly action?: unknown;
  readonly operation?: unknown;
  readonly output?: unknown;
}

interface Request {
  readonly input: string | readonly object[];
}

/** What is read of a response: any `ModelResponse` of the SDK fits. */
export interface Response {
  readonly usage: Usage;
  readonly output: readonly object[];
}

/** What is used of a model: any `Model` of the SDK fits. */
export interface Model {
  getResponse(request: never): Promise<Response>;
  getStreamedResponse(request: never): AsyncIterable<object>;
}

/** What is used of a provider: any `ModelProvider` of the SDK fits. */
export interface ModelProvider {
  getModel(name?: string): Model | Promise<Model>;
}

/** What the SDK does not tell by itself. */
export interface ModelOptions {
  /** What a model call cost in dollars. Without it the cost is unknown, and a `usd` cap never stops anything. */
  readonly usd?: ((response: Response) => number | null | undefined) | undefined;
}

/** What goes on in a run, whichever of its agents has the word. */
interface Loop {
  /** Calls that were asked for and whose results are still to come. */
  readonly pending: Map<string, Item>;
  /** The last model call failed: the next one is its retry and belongs to the same pass. */
  failed: boolean;
}

const loops = new WeakMap<Guard, Loop>();

/**
 * The same model, which asks the guard before every call and tells it what the call used. Tool calls and their results
 * are read from the responses and the requests that follow, so that rules on repeats see every tool of every agent.
 * Wrap the model of each agent of a run with the one guard of that run.
 */
export function guardModel<M extends Model>(guard: Guard, model: M, options: ModelOptions = {}): M {
  return delegate(model, {
    getResponse: async (request: Request): Promise<Response> => {
      open(guard, request);
      const response = await model.getResponse(request as never).catch((error: unknown) => {
        loopOf(guard).failed = true;
        throw error;
      });
      close(guard, response, options);
      return response;
    },
    getStreamedResponse: (request: Request) => guardStream(guard, request, model, options),
  });
}

/** The same provider, all of whose models are guarded: for a `Runner` whose agents name their models. */
export function guardProvider<P extends ModelProvider>(guard: Guard, provider: P, options: ModelOptions = {}): P {
  return delegate(provider, {
    getModel: async (name?: string): Promise<Model> => guardModel(guard, await provider.getModel(name), options),
  });
}

async function* guardStream(
  guard: Guard,
  request: Request,
  model: Model,
  options: ModelOptions,
): AsyncGenerator<object> {
  open(guard, request);
  try {
    for await (const event of model.getStreamedResponse(request as never)) {
      const response = finalResponse(event);
      if (response !== null) close(guard, response, options);
      yield event;
    }
  } catch (error) {
    loopOf(guard).failed = true;
    throw error;
  }
}

function finalResponse(event: { readonly type?: unknown; readonly response?: unknown }): Response | null {
  return event.type === 'response_done' ? (event.response as Response) : null;
}

function open(guard: Guard, request: Request): void {
  const loop = loopOf(guard);
  if (loop.failed) {
    loop.failed = false;
    return;
  }
  tellResults(guard, loop, request.input);
  const exit = guard.beforeCall();
  if (exit !== null) throw new GuardStop(exit);
}

function close(guard: Guard, response: Response, options: ModelOptions): void {
  const { inputTokens, outputTokens } = response.usage;
  // The SDK puts zeros where a provider said nothing; no model call has an empty prompt.
  const tokens = inputTokens > 0 ? { inputTokens, outputTokens } : {};
  guard.charge({ ...tokens, usd: options.usd?.(response) });
  const { pending } = loopOf(guard);
  for (const item of response.output as readonly Item[]) {
    if (item.callId !== undefined) pending.set(item.callId, item);
    else if (item.type === 'hosted_tool_call') {
      tellMade(guard, [{ id: item.id ?? '', call: callOf(item), result: item.output, error: null }]);
    }
  }
}

function tellResults(guard: Guard, { pending }: Loop, input: Request['input']): void {
  if (typeof input === 'string') return;
  const made = (input as readonly Item[]).flatMap((item) => {
    const call = pending.get(item.callId ?? '');
    if (call === undefined || call.type === item.type) return [];
    pending.delete(item.callId ?? '');
    return [{ id: item.callId ?? '', call: callOf(call), result: item.output, error: null }];
  });
  tellMade(guard, made);
}

function callOf(item: Item): { readonly tool: string; readonly args: unknown } {
  return {
    tool: item.name ?? item.type ?? 'unknown',
    args: item.arguments ?? item.action ?? item.operation,
  };
}

function loopOf(guard: Guard): Loop {
  const loop = loops.get(guard) ?? { pending: new Map<string, Item>(), failed: false };
  loops.set(guard, loop);
  return loop;
}

/**
 * The same tools, each of which asks the guard before it runs. A refused tool is not run: what stopped the run is its
 * result, and the model call that would have read it throws.
 */
export function guardTools<T extends readonly object[]>(guard: Guard, tools: T): T {
  return tools.map((tool) => guardTool(guard, tool)) as unknown as T;
}

function guardTool(guard: Guard, tool: object & { readonly name?: unknown; readonly invoke?: unknown }): object {
  const { name, invoke } = tool;
  if (typeof invoke !== 'function') return tool;
  return delegate(tool, {
    invoke: async (context: unknown, input: unknown, details?: { readonly toolCall?: Item | undefined }) => {
      const exit = askFirst(guard, details?.toolCall?.callId, { tool: String(name), args: input });
      return exit === null ? Reflect.apply(invoke, tool, [context, input, details]) : exit.message;
    },
  });
}
