/**
 * The guard in the loop of the AI SDK (package `ai`, version 6): `generateText`, `streamText` and `ToolLoopAgent`.
 *
 * What cannot be done there: the SDK asks its stop condition after a step, and only after one that ran tools, and its
 * retries of a failed model call are not seen. A tool is refused before it runs only when it went through `guardTools`.
 *
 * @module
 */

import { delegate } from './delegate.js';
import type { Guard } from './guard.js';
import { GuardStop } from './guard-stop.js';
import { askFirst, type MadeCall, tellMade } from './made-calls.js';

export { GuardStop };

/** What is read of a step: any `StepResult` of the SDK fits. */
export interface Step {
  readonly usage: { readonly inputTokens?: number | undefined; readonly outputTokens?: number | undefined };
  readonly model?: { readonly provider: string; readonly modelId: string } | undefined;
  readonly content: readonly StepPart[];
}

interface StepPart {
  readonly type: string;
  readonly toolCallId?: string | undefined;
  readonly toolName?: string | undefined;
  readonly input?: unknown;
  readonly output?: unknown;
  readonly error?: unknown;
}

/** What the SDK does not tell by itself. */
export interface StepOptions {
  /** What a step cost in dollars. Without it the cost is unknown, and a `usd` cap never stops anything. */
  readonly usd?: ((step: Step) => number | null | undefined) | undefined;
}

/** Three settings for one run. They belong together: each knows one moment of a step that the others do not. */
export interface StepSettings {
  /** Before every model call: opens the pass, and throws a `GuardStop` where the run was over before it began. */
  readonly prepareStep: () => undefined;
  /** After every step, the last one included: books its usage and its calls. */
  readonly onStepFinish: (step: Step) => void;
  /** After every step that could be followed by another: whether the guard says no. */
  readonly stopWhen: (options: { readonly steps: readonly Step[] }) => boolean;
}

/**
 * The settings that put a guard in charge of one run: spread them into `generateText`, `streamText` or a
 * `ToolLoopAgent` made for this run. Where there is a `prepareStep` or an `onStepFinish` already, let it call these. A
 * stopped run ends as if it had finished; `guard.report()` tells the difference.
 */
export function guardSteps(guard: Guard, options: StepOptions = {}): StepSettings {
  const booked = new WeakSet<Step>();
  let opened = false;
  const book = (step: Step): void => {
    if (booked.has(step)) return;
    if (!opened) throw new Error('guardSteps(): prepareStep was not called; pass on all three settings');
    const { inputTokens, outputTokens } = step.usage;
    guard.charge({ inputTokens, outputTokens, usd: options.usd?.(step) });
    tellMade(guard, madeCalls(step));
    booked.add(step);
  };
  return {
    prepareStep() {
      const exit = guard.beforeCall();
      if (exit !== null) throw new GuardStop(exit);
      opened = true;
      return undefined;
    },
    onStepFinish: book,
    stopWhen({ steps }) {
      // The SDK swallows what onStepFinish throws: a step that it could not book is met again here, and told.
      const last = steps.at(-1);
      if (last !== undefined) book(last);
      return guard.afterPass() !== null;
    },
  };
}

/** Tool calls of a step that brought something, be it an error; an approval that is pending ran nothing. */
function madeCalls({ content }: Step): MadeCall[] {
  return content.flatMap(({ type, toolCallId, toolName, input, output, error }) => {
    if ((type !== 'tool-result' && type !== 'tool-error') || toolName === undefined) return [];
    const failed = type === 'tool-error';
    const result = failed ? textOf(error) : output;
    return [{ id: toolCallId ?? '', call: { tool: toolName, args: input }, result, error: failed }];
  });
}

function textOf(error: unknown): unknown {
  return error instanceof Error ? error.message : error;
}

/**
 * The same tools, each of which asks the guard before it runs. A refused tool is not run: its result is a `GuardStop`,
 * which the SDK takes for a tool error, and the run ends after the step.
 */
export function guardTools<T extends { readonly [name: string]: object }>(guard: Guard, tools: T): T {
  return Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, guardTool(guard, name, tool)])) as T;
}

function guardTool(guard: Guard, name: string, tool: object & { readonly execute?: unknown }): object {
  const { execute } = tool;
  if (typeof execute !== 'function') return tool;
  return delegate(tool, {
    execute: (input: unknown, options: { readonly toolCallId?: string } | undefined, ...more: unknown[]): unknown => {
      const exit = askFirst(guard, options?.toolCallId, { tool: name, args: input });
      if (exit !== null) throw new GuardStop(exit);
      return Reflect.apply(execute, tool, [input, options, ...more]);
    },
  });
}
