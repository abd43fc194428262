import { expect, test } from 'vitest';
import { policy } from '../builders.js';
import { ANSWERED, describeFramework, type Outcome, testCaps } from './cap-suite.js';
import { exported } from './exported.js';

interface Snippet {
  stopSettings(): { limits?: { turns?: number; totalTokens?: number } };
}

async function run({ stopSettings }: Snippet, answersAt: number): Promise<Outcome> {
  const { Agent, FunctionTool, Model: Base } = await import('@strands-agents/sdk');
  // The stub's events are plain literals, which the package's union of event types is too narrow for.
  const Model = Base as unknown as new () => object;
  const seen = { calls: 0, tools: 0 };

  class Stub extends Model {
    updateConfig(): void {}
    getConfig() {
      return { modelId: 'stub' };
    }
    async *stream() {
      seen.calls++;
      const isDone = seen.calls >= answersAt;
      yield { type: 'modelMessageStartEvent', role: 'assistant' };
      yield* isDone ? ANSWER : callOf(seen.calls);
      yield { type: 'modelMessageStopEvent', stopReason: isDone ? 'endTurn' : 'toolUse' };
      yield { type: 'modelMetadataEvent', usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 } };
    }
  }

  const look = new FunctionTool({
    name: 'look',
    description: 'Looks.',
    inputSchema: { type: 'object', properties: {} },
    callback: () => `seen ${++seen.tools}`,
  });
  const agent = new Agent({ model: new (Stub as never as new () => never)(), tools: [look], printer: false });
  const result = await agent.invoke('go', stopSettings());
  const end = result.stopReason === 'endTurn' && String(result) === 'done' ? ANSWERED : result.stopReason;
  return { ...seen, end };
}

const ANSWER = [
  { type: 'modelContentBlockStartEvent' },
  { type: 'modelContentBlockDeltaEvent', delta: { type: 'textDelta', text: 'done' } },
  { type: 'modelContentBlockStopEvent' },
];

function callOf(call: number) {
  return [
    { type: 'modelContentBlockStartEvent', start: { type: 'toolUseStart', name: 'look', toolUseId: `call-${call}` } },
    { type: 'modelContentBlockDeltaEvent', delta: { type: 'toolUseInputDelta', input: '{}' } },
    { type: 'modelContentBlockStopEvent' },
  ];
}

describeFramework('Strands Agents under the exported settings', () => {
  testCaps<Snippet>({
    id: 'strands',
    run,
    settingsOf: ({ stopSettings }) => ({ ...stopSettings() }),
    stopped: 'limitTurns',
    told: 'limitTurns',
  });

  test.each([
    [{ passes: 9, tokens: 45 }, 3, 'limitTotalTokens'],
    [{ passes: 9, tokens: 46 }, 4, 'limitTotalTokens'],
    [{ passes: 3, tokens: 45 }, 3, 'limitTurns'],
  ])('caps %j: %d calls are billed, and the reason is %s', async (caps, calls, end) => {
    const { module } = await exported<Snippet>('strands', policy({ caps }));
    expect(await run(module, Number.POSITIVE_INFINITY)).toEqual({ calls, tools: calls, end });
    expect(await run(module, calls)).toEqual({ calls, tools: calls - 1, end: ANSWERED });
  });
});
