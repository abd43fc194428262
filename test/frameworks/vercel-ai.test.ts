import { afterEach, expect, test, vi } from 'vitest';
import { policy } from '../builders.js';
import { ANSWERED, describeFramework, type Outcome, testCaps } from './cap-suite.js';
import { exported } from './exported.js';

type Condition = (options: { steps: never[] }) => boolean;

interface Snippet {
  stopSettings(): { stopWhen: Condition[] };
}

async function run({ stopSettings }: Snippet, answersAt: number, look = () => {}): Promise<Outcome> {
  const { generateText, jsonSchema, tool } = await import('ai');
  const { stubModel } = await import('./ai-stub.js');
  const { model, seen } = stubModel(answersAt);
  let tools = 0;
  const inputSchema = jsonSchema({ type: 'object', properties: {} });
  const execute = async () => {
    look();
    return `seen ${++tools}`;
  };
  const result = await generateText({
    model,
    tools: { look: tool({ inputSchema, execute }) },
    prompt: 'go',
    ...(stopSettings() as object),
  });
  const end = result.text === 'done' ? ANSWERED : `${result.finishReason}, text "${result.text}"`;
  return { calls: seen.calls, tools, end };
}

const STOPPED = 'tool-calls, text ""';

describeFramework('Vercel AI SDK under the exported settings', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  testCaps<Snippet>({
    id: 'vercel-ai',
    run,
    settingsOf: ({ stopSettings }) => {
      const [count] = stopSettings().stopWhen;
      const steps = [...Array(100).keys()].find((many) => count?.({ steps: Array(many).fill(null) as never[] }));
      return { stopWhen: { steps: steps ?? null } };
    },
    stopped: STOPPED,
    told: "finishReason 'tool-calls' and an empty text",
  });

  test('a cap on tokens is asked at the boundary: the call that crosses it is billed, its tools run', async () => {
    const at = async (tokens: number) =>
      run((await exported<Snippet>('vercel-ai', policy({ caps: { passes: 9, tokens } }))).module, Infinity);
    expect([await at(45), await at(46)]).toEqual([
      { calls: 3, tools: 3, end: STOPPED },
      { calls: 4, tools: 4, end: STOPPED },
    ]);
  });

  test('a run that crosses the cap on tokens with its answer is not cut', async () => {
    const { module } = await exported<Snippet>('vercel-ai', policy({ caps: { tokens: 40 } }));
    expect(await run(module, 3)).toEqual({ calls: 3, tools: 2, end: ANSWERED });
  });

  test('a cap on seconds counts from when the settings are made', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const { module } = await exported<Snippet>('vercel-ai', policy({ caps: { seconds: 270.5 } }));
    const pass = () => vi.advanceTimersByTime(90_200);
    expect(await run(module, Infinity, pass)).toEqual({ calls: 3, tools: 3, end: STOPPED });
    expect(await run(module, 3, pass)).toEqual({ calls: 3, tools: 2, end: ANSWERED });
  });

  test('a step whose usage is not known reaches no cap on tokens', async () => {
    const { module } = await exported<Snippet>('vercel-ai', policy({ caps: { tokens: 1 } }));
    const [condition] = module.stopSettings().stopWhen;
    const step = (inputTokens?: number) => [{ usage: { inputTokens, outputTokens: 5 } }] as never[];
    expect([condition?.({ steps: step(10) }), condition?.({ steps: step() })]).toEqual([true, false]);
  });
});
