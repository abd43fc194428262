import { expect, test } from 'vitest';
import { policy } from '../builders.js';
import { ANSWERED, describeFramework, type Outcome, testCaps } from './cap-suite.js';
import { exported } from './exported.js';

interface Snippet {
  stopSettings(): { maxSteps?: number; stopWhen?: unknown[] };
}

async function run({ stopSettings }: Snippet, answersAt: number): Promise<Outcome> {
  const [{ Agent }, { createTool }, { z }, { stubModel }] = await Promise.all([
    import('@mastra/core/agent'),
    import('@mastra/core/tools'),
    import('zod'),
    import('./ai-stub.js'),
  ]);
  const { model, seen } = stubModel(answersAt);
  let tools = 0;
  const look = createTool({
    id: 'look',
    description: 'Looks.',
    inputSchema: z.object({}) as never,
    execute: async () => `seen ${++tools}`,
  });
  const agent = new Agent({ id: 'stub', name: 'stub', instructions: 'Look.', model: model as never, tools: { look } });
  const result = await agent.generate('go', stopSettings() as never);
  const end = result.text === 'done' ? ANSWERED : `${result.finishReason}, text "${result.text}"`;
  return { calls: seen.calls, tools, end };
}

const STOPPED = 'tool-calls, text ""';

describeFramework('Mastra under the exported settings', () => {
  testCaps<Snippet>({
    id: 'mastra',
    run,
    settingsOf: ({ stopSettings }) => ({ ...stopSettings() }) as never,
    stopped: STOPPED,
    told: "finishReason 'tool-calls' and an empty text",
  });

  test.each([
    [{ passes: 9, tokens: 45 }, 3],
    [{ passes: 9, tokens: 46 }, 4],
    [{ passes: 2, tokens: 46 }, 2],
    [{ tokens: 40 }, 3],
  ])('caps %j: %d calls are billed', async (caps, calls) => {
    const { module } = await exported<Snippet>('mastra', policy({ caps }));
    expect(await run(module, Number.POSITIVE_INFINITY)).toEqual({ calls, tools: calls, end: STOPPED });
    expect(await run(module, calls)).toEqual({ calls, tools: calls - 1, end: ANSWERED });
  });
});
