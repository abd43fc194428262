import { expect, test } from 'vitest';
import { policy } from '../builders.js';
import { describeFramework, type Outcome, testCaps } from './cap-suite.js';
import { exported } from './exported.js';

interface Snippet {
  readonly modelCallLimit?: unknown;
  stopSettings(): { recursionLimit: number };
}

async function run({ modelCallLimit, stopSettings }: Snippet, answersAt: number): Promise<Outcome> {
  const { createAgent } = await import('langchain');
  const { runGraph } = await import('./chat-stub.js');
  const middleware = modelCallLimit === undefined ? [] : [modelCallLimit as never];
  return runGraph(answersAt, (model, look) =>
    createAgent({ model, tools: [look], middleware }).invoke(
      { messages: [{ role: 'user', content: 'go' }] },
      stopSettings(),
    ),
  );
}

describeFramework('LangChain under the exported settings', () => {
  testCaps<Snippet>({
    id: 'langchain',
    run,
    // What the middleware was made with does not show on it; the counts of the runs tell.
    settingsOf: ({ modelCallLimit, stopSettings }) => {
      const { recursionLimit } = stopSettings();
      if (modelCallLimit === undefined) return { recursionLimit };
      return { runLimit: (recursionLimit - 1) / 4, exitBehavior: 'error', recursionLimit };
    },
    stopped: 'ModelCallLimitMiddlewareError',
    told: 'ModelCallLimitMiddlewareError',
  });

  test.each([1, 3, 10])('%d passes: one super-step less and the graph fires before the middleware', async (passes) => {
    const { module } = await exported<Snippet>('langchain', policy({ caps: { passes } }));
    const { recursionLimit } = module.stopSettings();
    const tighter = { ...module, stopSettings: () => ({ recursionLimit: recursionLimit - 1 }) };
    expect((await run(tighter, Number.POSITIVE_INFINITY)).end).toBe('GraphRecursionError');
    expect((await run(tighter, passes)).end).toBe('GraphRecursionError');
  });
});
