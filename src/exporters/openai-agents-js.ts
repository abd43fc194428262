import { timerLoss, timerMillis, unsaidSeconds } from './amounts.js';
import type { Exporter } from './exporter.js';

export const openaiAgentsJs: Exporter = {
  id: 'openai-agents-js',
  title: 'the OpenAI Agents SDK for JavaScript',
  language: 'typescript',
  setting: '`run(agent, input, { maxTurns })`, 10 where it is left out',
  unit: 'one model call with its tools: P',
  checked: { version: '@openai/agents 0.20.0', how: 'run here with a stub model' },
  billed: 'N',
  billedNote: 'the tools of the last call run too',
  receives:
    'a rejected promise, MaxTurnsExceededError with the state so far and no answer; with errorHandlers.maxTurns an ordinary-looking finalOutput instead',
  says: {
    caps: {
      passes: 'exactly',
      seconds: { differs: 'the run rejects with a TimeoutError; a tool that hangs is waited for all the same' },
    },
    toolTimeout: 'exactly',
  },
  quirks: [],
  write: (policy) => {
    const { passes } = policy.caps;
    const millis = timerMillis(policy.caps.seconds);
    const tool = timerMillis(policy.timeouts.tool);
    const toolLoss = timerLoss(policy.timeouts.tool);
    return {
      settings: {
        maxTurns: passes ?? null,
        ...(millis === null ? {} : { signalMillis: millis }),
        ...(tool === null ? {} : { toolTimeoutMs: tool }),
      },
      unsaid: { ...unsaidSeconds(policy), ...(toolLoss === undefined ? {} : { toolTimeout: toolLoss }) },
      code: [
        '/** Options of run(), made anew for every run: the clock starts here. */',
        'export function stopSettings() {',
        '  return {',
        ...(passes === undefined ? ['    // No cap on passes: null switches the default of 10 off.'] : []),
        `    maxTurns: ${passes ?? 'null'},`,
        ...(millis === null ? [] : [`    signal: AbortSignal.timeout(${millis}),`]),
        '  };',
        '}',
        ...(tool === null
          ? []
          : [
              '',
              '/** For every tool: tool({ ..., ...toolSettings }). The model is told of the timeout and goes on. */',
              `export const toolSettings = { timeoutMs: ${tool} };`,
            ]),
        '',
        '// const result = await run(agent, input, stopSettings());',
      ],
    };
  },
};
