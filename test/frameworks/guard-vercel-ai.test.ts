import type { LanguageModelV3GenerateResult, LanguageModelV3StreamPart } from '@ai-sdk/provider';
import type { LanguageModel, Tool } from 'ai';
import { describe, expect, test } from 'vitest';
import { createGuard } from '../../src/guard/index.js';
import { GuardStop, guardSteps, guardTools } from '../../src/guard/vercel-ai.js';
import { describeGuard, FINAL_TEXT, INSTALLED, type Job, type Loop, type Turn, titleOf } from './guard-suite.js';

type Content = LanguageModelV3GenerateResult['content'];
type Usage = LanguageModelV3GenerateResult['usage'];

function contentOf(turn: Turn, index: number): Content {
  if (turn.calls === undefined) return [{ type: 'text', text: FINAL_TEXT }];
  return turn.calls.map((args, position) => ({
    type: 'tool-call',
    toolCallId: `call-${index}-${position}`,
    toolName: 'look',
    input: JSON.stringify(args),
  }));
}

function resultOf(turn: Turn, index: number): LanguageModelV3GenerateResult {
  const usage: Usage = {
    inputTokens: { total: turn.usage?.input, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: turn.usage?.output, text: undefined, reasoning: undefined },
  };
  return {
    content: contentOf(turn, index),
    finishReason: { unified: turn.calls === undefined ? 'stop' : 'tool-calls', raw: undefined },
    usage,
    warnings: [],
  };
}

function partsOf({ content, finishReason, usage }: LanguageModelV3GenerateResult): LanguageModelV3StreamPart[] {
  const parts = content.flatMap((part): LanguageModelV3StreamPart[] => {
    if (part.type === 'tool-call') return [part];
    return [
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: FINAL_TEXT },
      { type: 'text-end', id: 't' },
    ];
  });
  return [{ type: 'stream-start', warnings: [] }, ...parts, { type: 'finish', finishReason, usage }];
}

/** The SDK's own stub model, which answers with one turn after the other. */
async function stubModel(turns: readonly Turn[]) {
  const { MockLanguageModelV3, convertArrayToReadableStream } = await import('ai/test');
  let asked = 0;
  const next = (): LanguageModelV3GenerateResult => {
    const index = asked++;
    return resultOf(turns[index] as Turn, index);
  };
  const model = new MockLanguageModelV3({
    doGenerate: async () => next(),
    doStream: async () => ({ stream: convertArrayToReadableStream(partsOf(next())) }),
  });
  return { model, modelCalls: () => asked };
}

interface Settings {
  readonly model: LanguageModel;
  readonly tools: { look: Tool<{ n: number }, string> };
  readonly prompt: string;
  readonly job: Job;
}

type Way = (settings: Settings) => Promise<{ readonly text: string }>;

/** Lives a job the given way. A stopped run ends like any other, so that its text is what the last step said: nothing. */
function loopOf(way: Way): Loop {
  return async (job) => {
    const { tool } = await import('ai');
    const { z } = await import('zod');
    const { model, modelCalls } = await stubModel(job.turns);
    const look = tool({ inputSchema: z.object({ n: z.number() }), execute: async (args) => job.look(args) });
    try {
      const { text } = await way({ model, tools: guardTools(job.guard, { look }), prompt: 'look', job });
      return { modelCalls: modelCalls(), text: text === '' ? null : text };
    } catch (error) {
      expect(error).toBeInstanceOf(GuardStop);
      return { modelCalls: modelCalls(), text: null };
    }
  };
}

const generated: Way = async ({ job, ...settings }) => {
  const { generateText, stepCountIs } = await import('ai');
  const { stopWhen, ...others } = guardSteps(job.guard, { usd: job.usd });
  return generateText({ ...settings, ...others, stopWhen: [stopWhen, stepCountIs(job.ownLimit ?? 99)] });
};

const streamed: Way = async ({ job, ...settings }) => {
  const { streamText, stepCountIs } = await import('ai');
  const { stopWhen, ...others } = guardSteps(job.guard, { usd: job.usd });
  let thrown: unknown = null;
  const result = streamText({
    ...settings,
    ...others,
    stopWhen: [stopWhen, stepCountIs(job.ownLimit ?? 99)],
    onError: ({ error }) => {
      thrown = error;
    },
  });
  await result.consumeStream();
  if (thrown !== null) throw thrown;
  return { text: await result.text };
};

const byAgent: Way = async ({ job, prompt, ...settings }) => {
  const { ToolLoopAgent, stepCountIs } = await import('ai');
  const { stopWhen, ...others } = guardSteps(job.guard, { usd: job.usd });
  const agent = new ToolLoopAgent({
    ...settings,
    ...others,
    stopWhen: [stopWhen, stepCountIs(job.ownLimit ?? 99)],
  });
  return agent.generate({ prompt });
};

describeGuard({ name: 'generateText', loop: loopOf(generated), tellsErrors: true });
describeGuard({ name: 'streamText', loop: loopOf(streamed), tellsErrors: true });
describeGuard({ name: 'ToolLoopAgent', loop: loopOf(byAgent), tellsErrors: true });

describe.skipIf(!INSTALLED)(titleOf('the settings of the AI SDK'), () => {
  const usage = { input: 100, output: 10 };
  const turns: Turn[] = [{ calls: [{ n: 1 }], usage }, { usage }];

  test('settings without prepareStep are told, not counted wrongly', async () => {
    const { generateText, tool } = await import('ai');
    const { z } = await import('zod');
    const { model } = await stubModel(turns);
    const look = tool({ inputSchema: z.object({ n: z.number() }), execute: async () => 'seen' });
    const { stopWhen } = guardSteps(createGuard({ capfit: 'policy/v1' }));
    await expect(generateText({ model, tools: { look }, prompt: 'look', stopWhen })).rejects.toThrow(
      'prepareStep was not called',
    );
  });

  test('a tool that halts the run ends it after its step, which is billed', async () => {
    const { generateText, tool } = await import('ai');
    const { z } = await import('zod');
    const guard = createGuard({ capfit: 'policy/v1', halt_on: ['permission_denied'] });
    const { model, modelCalls } = await stubModel(turns);
    const look = tool({
      inputSchema: z.object({ n: z.number() }),
      execute: async () => String(guard.fail('permission_denied').exit?.reason),
    });
    await generateText({ model, tools: { look }, prompt: 'look', ...guardSteps(guard) });
    expect(modelCalls()).toBe(1);
    expect(guard.finish()).toMatchObject({ reason: 'permission_denied', passes: 1, tokens: 110 });
  });

  test('tools without execute, and every other property of a tool, stay as they are', async () => {
    const { tool } = await import('ai');
    const { z } = await import('zod');
    const guard = createGuard({ capfit: 'policy/v1' });
    const asked = tool({ description: 'asks a person', inputSchema: z.object({}) });
    const look = tool({ description: 'looks', inputSchema: z.object({ n: z.number() }), execute: async () => 'seen' });
    const guarded = guardTools(guard, { asked, look });
    expect(guarded.asked).toBe(asked);
    expect(guarded.look.description).toBe('looks');
    expect(guarded.look.inputSchema).toBe(look.inputSchema);
  });
});
