import { expect, test } from 'vitest';
import { policy } from '../builders.js';
import { describeFramework, type Outcome, testCaps } from './cap-suite.js';
import { exported } from './exported.js';

interface Snippet {
  stopSettings(): { recursionLimit: number };
}

async function run({ stopSettings }: Snippet, answersAt: number): Promise<Outcome> {
  const { createReactAgent } = await import('@langchain/langgraph/prebuilt');
  const { runGraph } = await import('./chat-stub.js');
  return runGraph(answersAt, (llm, look) =>
    createReactAgent({ llm, tools: [look] }).invoke({ messages: [{ role: 'user', content: 'go' }] }, stopSettings()),
  );
}

describeFramework('LangGraph under the exported settings', () => {
  testCaps<Snippet>({
    id: 'langgraph',
    run,
    settingsOf: ({ stopSettings }) => ({ ...stopSettings() }),
    stopped: 'GraphRecursionError',
    told: 'GraphRecursionError',
  });

  test('one super-step less would cut a run that answers in its last allowed pass', async () => {
    const { module } = await exported<Snippet>('langgraph', policy({ caps: { passes: 3 } }));
    const { recursionLimit } = module.stopSettings();
    const tighter = { stopSettings: () => ({ recursionLimit: recursionLimit - 1 }) };
    expect(await run(tighter, 3)).toEqual({ calls: 3, tools: 2, end: 'GraphRecursionError' });
  });
});
