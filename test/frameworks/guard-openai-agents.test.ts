import type { ModelResponse, Runner } from '@openai/agents';
import { beforeAll, describe, expect, test } from 'vitest';
import { createGuard, type Guard } from '../../src/guard/index.js';
import { GuardStop, guardModel, guardProvider, guardTools } from '../../src/guard/openai-agents.js';
import { describeGuard, FINAL_TEXT, INSTALLED, type Job, type Loop, type Turn, titleOf } from './guard-suite.js';

const usage = { input: 100, output: 10 };

async function responseOf(turn: Turn, index: number): Promise<ModelResponse> {
  const { Usage } = await import('@openai/agents');
  const { assistantMessage, functionCall } = await import('@openai/agents/testing');
  const { input, output } = turn.usage ?? { input: 0, output: 0 };
  return {
    usage: new Usage({ requests: 1, inputTokens: input, outputTokens: output, totalTokens: input + output }),
    output: turn.calls?.map((args, position) =>
      functionCall('look', { ...args }, { callId: `call-${index}-${position}` }),
    ) ?? [assistantMessage(FINAL_TEXT)],
  };
}

/** The SDK's own stub model, which answers with one turn after the other. */
async function stubModel(turns: readonly Turn[]) {
  const { ScriptedModel } = await import('@openai/agents/testing');
  return new ScriptedModel(await Promise.all(turns.map(responseOf)));
}

async function lookTool(look: (args: { n: number }) => string) {
  const { tool } = await import('@openai/agents');
  const { z } = await import('zod');
  return tool({
    name: 'look',
    description: 'looks',
    parameters: z.object({ n: z.number() }),
    execute: async (args) => look(args),
  });
}

async function agentOf({ guard, turns, look, usd }: Omit<Job, 'ownLimit'>) {
  const { Agent } = await import('@openai/agents');
  const model = await stubModel(turns);
  const tools = guardTools(guard, [await lookTool(look)]);
  const agent = new Agent({ name: 'a', model: guardModel(guard, model, { usd }), tools });
  return { agent, model };
}

async function quietRunner(): Promise<Runner> {
  const { Runner } = await import('@openai/agents');
  return new Runner({ tracingDisabled: true });
}

/** The final text, or `null` where the guard or the SDK's own limit on turns ended the run. */
async function textOf(run: () => Promise<string | undefined>): Promise<string | null> {
  const { MaxTurnsExceededError } = await import('@openai/agents');
  try {
    return (await run()) ?? null;
  } catch (error) {
    if (!(error instanceof GuardStop) && !(error instanceof MaxTurnsExceededError)) throw error;
    return null;
  }
}

const whole: Loop = async ({ ownLimit, ...job }) => {
  const { agent, model } = await agentOf(job);
  const runner = await quietRunner();
  const text = await textOf(async () => (await runner.run(agent, 'look', { maxTurns: ownLimit })).finalOutput);
  return { modelCalls: model.calls.length, text };
};

const streamed: Loop = async ({ ownLimit, ...job }) => {
  const { agent, model } = await agentOf(job);
  const runner = await quietRunner();
  const text = await textOf(async () => {
    const result = await runner.run(agent, 'look', { maxTurns: ownLimit, stream: true });
    for await (const _ of result) void _;
    await result.completed;
    return result.finalOutput;
  });
  return { modelCalls: model.calls.length, text };
};

describeGuard({ name: 'run of the OpenAI Agents SDK', loop: whole, tellsErrors: false });
describeGuard({ name: 'run of the OpenAI Agents SDK, streamed', loop: streamed, tellsErrors: false });

describe.skipIf(!INSTALLED)(titleOf('the wrappers of the OpenAI Agents SDK'), () => {
  let runner: Runner;
  beforeAll(async () => {
    runner = await quietRunner();
  });
  const guardOf = (): Guard => createGuard({ capfit: 'policy/v1', rules: [{ rule: 'repeat', count: 3 }] });
  const turns: Turn[] = [1, 1, 1, 1].map((n) => ({ calls: [{ n }], usage }));

  test('rules on repeats need no wrapped tools', async () => {
    const { Agent } = await import('@openai/agents');
    const guard = guardOf();
    const model = await stubModel(turns);
    const agent = new Agent({ name: 'a', model: guardModel(guard, model), tools: [await lookTool(() => 'seen')] });
    await expect(runner.run(agent, 'look')).rejects.toMatchObject({ name: 'GuardStop', exit: { reason: 'repeats' } });
    expect(model.calls).toHaveLength(3);
    expect(guard.finish()).toMatchObject({ passes: 3, tokens: 330, steps: 9 });
  });

  test('a provider that is guarded guards the models that its agents name, across a handoff', async () => {
    const { Agent, Runner } = await import('@openai/agents');
    const { ScriptedModel, assistantMessage, functionCall } = await import('@openai/agents/testing');
    const guard = createGuard({ capfit: 'policy/v1', caps: { passes: 9 } });
    const models: { [name: string]: InstanceType<typeof ScriptedModel> } = {
      first: new ScriptedModel([[functionCall('transfer_to_b', {}, { callId: 'h' })]]),
      second: new ScriptedModel([[assistantMessage(FINAL_TEXT)]]),
    };
    const modelProvider = { getModel: (name = '') => models[name] as InstanceType<typeof ScriptedModel> };
    const b = new Agent({ name: 'b', model: 'second' });
    const a = new Agent({ name: 'a', model: 'first', handoffs: [b] });
    const guarded = new Runner({ tracingDisabled: true, modelProvider: guardProvider(guard, modelProvider) });
    expect((await guarded.run(a, 'look')).finalOutput).toBe(FINAL_TEXT);
    expect(guard.finish()).toMatchObject({ passes: 2, tokens: null, steps: 5 });
  });

  test.each([false, true])('a retry of a failed model call belongs to its pass (streamed: %s)', async (stream) => {
    const { Agent, retryPolicies } = await import('@openai/agents');
    const { ScriptedModel, modelError } = await import('@openai/agents/testing');
    const guard = createGuard({ capfit: 'policy/v1', caps: { passes: 2 } });
    const [first, last] = await Promise.all([{ calls: [{ n: 1 }], usage }, { usage }].map(responseOf));
    const failure = modelError(new Error('busy'), { suggested: true, replaySafety: 'safe' });
    const model = new ScriptedModel([failure, first as ModelResponse, last as ModelResponse]);
    const agent = new Agent({
      name: 'a',
      model: guardModel(guard, model),
      modelSettings: {
        retry: { maxRetries: 1, policy: retryPolicies.providerSuggested(), backoff: { initialDelayMs: 0 } },
      },
      tools: [await lookTool(() => 'seen')],
    });
    if (stream) await (await runner.run(agent, 'look', { stream: true })).completed;
    else await runner.run(agent, 'look');
    expect(model.calls).toHaveLength(3);
    expect(guard.finish()).toMatchObject({ passes: 2, tokens: 220 });
  });

  test('a wrapped model is still the model it was', async () => {
    const { ScriptedModel } = await import('@openai/agents/testing');
    const model = await stubModel(turns);
    const guarded = guardModel(guardOf(), model);
    expect(guarded).toBeInstanceOf(ScriptedModel);
    expect(guarded.remainingSteps).toBe(4);
    expect(
      await guarded.getRetryAdvice({ request: {}, error: null, stream: false, attempt: 1 } as never),
    ).toBeUndefined();
  });
});
