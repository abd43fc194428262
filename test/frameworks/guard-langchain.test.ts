import type { AIMessage } from 'langchain';
import { describe, expect, test } from 'vitest';
import { createGuard, type Guard } from '../../src/guard/index.js';
import { guardMiddleware } from '../../src/guard/langchain.js';
import { describeGuard, FINAL_TEXT, INSTALLED, type Loop, type Turn, titleOf } from './guard-suite.js';

const usage = { input: 100, output: 10 };

async function messageOf({ calls = [], usage }: Turn, index: number): Promise<AIMessage> {
  const { AIMessage } = await import('langchain');
  const tool_calls = calls.map((args, position) => ({
    type: 'tool_call' as const,
    id: `call-${index}-${position}`,
    name: 'look',
    args: { ...args },
  }));
  const message = new AIMessage({ content: calls.length === 0 ? FINAL_TEXT : '', tool_calls });
  return usage === null ? message : billed(message, usage);
}

function billed(message: AIMessage, { input, output }: NonNullable<Turn['usage']>): AIMessage {
  return Object.assign(message, {
    usage_metadata: { input_tokens: input, output_tokens: output, total_tokens: input + output },
  });
}

/** LangChain's own stub model, which answers with one turn after the other. */
async function stubModel(turns: readonly Turn[]) {
  const { fakeModel } = await import('langchain');
  const model = fakeModel();
  for (const [index, turn] of turns.entries()) model.respond(await messageOf(turn, index));
  return model;
}

async function lookTool(look: (args: { readonly n: number }) => string) {
  const { tool } = await import('langchain');
  const { z } = await import('zod');
  return tool(async (args) => look(args), { name: 'look', description: 'looks', schema: z.object({ n: z.number() }) });
}

const loop: Loop = async ({ guard, turns, look, ownLimit, usd }) => {
  const langchain = await import('langchain');
  const model = await stubModel(turns);
  const agent = langchain.createAgent({
    model,
    tools: [await lookTool(look)],
    middleware: [
      guardMiddleware(guard, langchain, { usd }),
      langchain.createMiddleware({
        name: 'OwnLimit',
        beforeModel: {
          canJumpTo: ['end'],
          hook: () => (model.callCount === ownLimit ? { jumpTo: 'end' } : undefined),
        },
      }),
    ],
  });
  const { messages } = await agent.invoke({ messages: 'look' });
  const last = messages.at(-1);
  return { modelCalls: model.callCount, text: last?.text === FINAL_TEXT ? FINAL_TEXT : null };
};

describeGuard({ name: 'createAgent of LangChain', loop, tellsErrors: true });

describe.skipIf(!INSTALLED)(titleOf('the middleware of LangChain'), () => {
  const turns: Turn[] = [{ calls: [{ n: 1 }], usage }, { usage }];
  const agentOf = async (guard: Guard, look: () => string) => {
    const langchain = await import('langchain');
    return langchain.createAgent({
      model: await stubModel(turns),
      tools: [await lookTool(look)],
      middleware: [guardMiddleware(guard, langchain)],
    });
  };

  test('a tool that throws is answered, as without a middleware, and the run goes on', async () => {
    const guard = createGuard({ capfit: 'policy/v1' });
    const agent = await agentOf(guard, () => {
      throw new Error('no entry');
    });
    const { messages } = await agent.invoke({ messages: 'look' });
    expect(messages.map(({ type, text }) => [type, text])).toEqual([
      ['human', 'look'],
      ['ai', ''],
      ['tool', 'Error: no entry'],
      ['ai', FINAL_TEXT],
    ]);
  });

  test('a refused call is answered with what stopped the run', async () => {
    const guard = createGuard({ capfit: 'policy/v1', caps: { steps: 2 }, steps_at: 'dispatch' });
    const agent = await agentOf(guard, () => 'seen');
    const { messages } = await agent.invoke({ messages: 'look' });
    expect(messages.at(-1)?.text).toBe('stopped by steps: 2 of 2');
  });

  const answerOf = async (id: string, size: unknown): Promise<AIMessage> => {
    const { AIMessage } = await import('langchain');
    const call = { type: 'tool_call' as const, id, name: 'answer', args: { size } };
    return billed(new AIMessage({ content: '', tool_calls: [call] }), usage);
  };
  const structuredAgent = async (guard: Guard, sizes: readonly unknown[]) => {
    const langchain = await import('langchain');
    const { z } = await import('zod');
    const model = langchain.fakeModel();
    for (const [index, size] of sizes.entries()) model.respond(await answerOf(`call-${index}`, size));
    const agent = langchain.createAgent({
      model,
      tools: [],
      responseFormat: langchain.toolStrategy(z.object({ size: z.number() }).meta({ title: 'answer' })),
      middleware: [guardMiddleware(guard, langchain)],
    });
    return { agent, model };
  };

  test('the model call that brings structured output is billed', async () => {
    const guard = createGuard({ capfit: 'policy/v1', caps: { passes: 2 } });
    const { agent } = await structuredAgent(guard, ['large', 7]);
    expect(await agent.invoke({ messages: 'look' })).toMatchObject({ structuredResponse: { size: 7 } });
    expect(guard.finish()).toMatchObject({ reason: 'no_exit', passes: 2, tokens: 220 });
  });

  test('a repeated request for structured output is refused where a limit is reached', async () => {
    const guard = createGuard({ capfit: 'policy/v1', caps: { passes: 2 } });
    const { agent, model } = await structuredAgent(guard, ['large', 'large', 'large']);
    await expect(agent.invoke({ messages: 'look' })).rejects.toMatchObject({
      cause: { name: 'GuardStop', exit: { reason: 'passes' } },
    });
    expect(model.callCount).toBe(2);
    expect(guard.finish()).toMatchObject({ reason: 'passes', passes: 2, tokens: 220 });
  });
});
