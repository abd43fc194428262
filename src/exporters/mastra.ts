import type { Policy } from '../policy/policy.js';
import { wholeMillis } from './amounts.js';
import type { Exporter, Settings } from './exporter.js';
import { STEPWISE, stopWhen, TOKENS_OF } from './stop-when.js';

export const mastra: Exporter = {
  id: 'mastra',
  title: 'Mastra',
  language: 'typescript',
  ...STEPWISE,
  setting: '`maxSteps`, 5 where neither it nor `stopWhen` is given',
  checked: { version: '@mastra/core 1.71.0', how: 'run here with a stub model' },
  quirks: [],
  write: (policy) => {
    const { passes } = policy.caps;
    const { entries, needsTokens, needsClock } = stopWhen(policy, null);
    return {
      settings: settingsOf(policy),
      code: [
        ...(needsTokens ? TOKENS_OF : []),
        '/** Options of agent.generate() and agent.stream(), made anew for every run. */',
        'export function stopSettings() {',
        ...(needsClock ? ['  const started = performance.now();'] : []),
        '  return {',
        ...(passes === undefined ? [] : [`    maxSteps: ${passes},`]),
        ...(entries.length > 0 ? ['    stopWhen: [', ...entries.map((entry) => `      ${entry},`), '    ],'] : []),
        ...(passes === undefined && entries.length === 0
          ? [
              '    // No cap that it knows: without a word the default would stop after five steps.',
              '    stopWhen: [() => false],',
            ]
          : []),
        '  };',
        '}',
        '',
        '// const result = await agent.generate(prompt, stopSettings());',
        "// A finishReason of 'tool-calls' means that the run was stopped: it did not answer.",
      ],
    };
  },
};

function settingsOf({ caps }: Policy): Settings {
  const stop = {
    ...(caps.tokens === undefined ? {} : { tokens: caps.tokens }),
    ...(caps.seconds === undefined ? {} : { millis: wholeMillis(caps.seconds) }),
  };
  const needsStop = caps.passes === undefined || Object.keys(stop).length > 0;
  return {
    ...(caps.passes === undefined ? {} : { maxSteps: caps.passes }),
    ...(needsStop ? { stopWhen: stop } : {}),
  };
}
