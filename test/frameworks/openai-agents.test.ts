import { ANSWERED, describeFramework, type Outcome, testCaps } from './cap-suite.js';

interface Snippet {
  stopSettings(): { maxTurns: number | null };
}

const CALL = { type: 'function_call', name: 'look', arguments: '{}', status: 'completed' };
const ANSWER = {
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'done' }],
};

async function run({ stopSettings }: Snippet, answersAt: number): Promise<Outcome> {
  const { Agent, Runner, Usage, setTracingDisabled, tool } = await import('@openai/agents');
  setTracingDisabled(true);
  const seen = { calls: 0, tools: 0 };
  const model = {
    getResponse: async () => {
      seen.calls++;
      const output = seen.calls >= answersAt ? ANSWER : { ...CALL, callId: `call-${seen.calls}` };
      return { usage: new Usage({ requests: 1, inputTokens: 10, outputTokens: 5, totalTokens: 15 }), output: [output] };
    },
    getStreamedResponse: () => {
      throw new Error('not streamed');
    },
  };
  const look = tool({
    name: 'look',
    description: 'Looks.',
    parameters: { type: 'object', properties: {}, required: [], additionalProperties: false },
    strict: true,
    execute: async () => `seen ${++seen.tools}`,
  });
  const agent = new Agent({ name: 'stub', instructions: 'Look.', model: model as never, tools: [look] });
  try {
    const result = await new Runner().run(agent, 'go', stopSettings());
    return { ...seen, end: result.finalOutput === 'done' ? ANSWERED : `answer: ${result.finalOutput}` };
  } catch (error) {
    return { ...seen, end: (error as Error).constructor.name };
  }
}

describeFramework('OpenAI Agents SDK under the exported settings', () => {
  testCaps<Snippet>({
    id: 'openai-agents-js',
    run,
    settingsOf: ({ stopSettings }) => ({ ...stopSettings() }),
    stopped: 'MaxTurnsExceededError',
    told: 'MaxTurnsExceededError',
  });
});
