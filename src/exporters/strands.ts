import { timerMillis, unsaidSeconds } from './amounts.js';
import type { Exporter } from './exporter.js';

export const strands: Exporter = {
  id: 'strands',
  title: 'Strands Agents (TypeScript)',
  language: 'typescript',
  setting: '`agent.invoke(input, { limits: { turns } })`, none where it is left out; a single agent of Python has none',
  unit: 'one model call with its tools: P',
  checked: { version: '@strands-agents/sdk 1.16.0', how: 'run here with a stub model' },
  billed: 'N',
  billedNote: 'the tools of the last call run too',
  receives: "an ordinary AgentResult, no error: stopReason 'limitTurns' and no answer",
  says: {
    caps: {
      passes: 'exactly',
      tokens: 'exactly',
      seconds: {
        differs: "stopReason 'cancelled' at the next checkpoint; a tool that hangs is waited for all the same",
      },
    },
    order: ['seconds', 'passes', 'tokens'],
  },
  quirks: [],
  write: (policy) => {
    const { passes, tokens } = policy.caps;
    const millis = timerMillis(policy.caps.seconds);
    const limits = {
      ...(passes === undefined ? {} : { turns: passes }),
      ...(tokens === undefined ? {} : { totalTokens: tokens }),
    };
    const words = Object.entries(limits).map(([name, value]) => `${name}: ${value}`);
    return {
      settings: {
        ...(words.length === 0 ? {} : { limits }),
        ...(millis === null ? {} : { signalMillis: millis }),
      },
      unsaid: unsaidSeconds(policy),
      code: [
        '/** Options of agent.invoke() and agent.stream(), made anew for every run: the clock starts here. */',
        'export function stopSettings() {',
        '  return {',
        ...(words.length === 0 ? [] : [`    limits: { ${words.join(', ')} },`]),
        ...(millis === null ? [] : [`    cancelSignal: AbortSignal.timeout(${millis}),`]),
        ...(words.length === 0 && millis === null ? ['    // No cap that it knows; it has none of its own.'] : []),
        '  };',
        '}',
        '',
        '// const result = await agent.invoke(prompt, stopSettings());',
      ],
    };
  },
};
