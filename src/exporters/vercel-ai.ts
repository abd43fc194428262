import type { Policy } from '../policy/policy.js';
import { wholeMillis } from './amounts.js';
import type { Exporter, Settings } from './exporter.js';
import { STEPWISE, stopWhen, TOKENS_OF } from './stop-when.js';

export const vercelAi: Exporter = {
  id: 'vercel-ai',
  title: 'the Vercel AI SDK',
  language: 'typescript',
  ...STEPWISE,
  setting: '`stopWhen: stepCountIs(n)`, 1 in generateText and streamText, 20 in ToolLoopAgent where it is left out',
  checked: { version: 'ai 6.0.326', how: 'run here with a stub model' },
  quirks: [],
  write: (policy) => {
    const { entries, needsTokens, needsClock } = stopWhen(policy, (cap) => `stepCountIs(${cap})`);
    const word = policy.caps.passes === undefined ? null : 'stepCountIs';
    const imported = entries.length === 0 ? 'isLoopFinished' : word;
    return {
      settings: { stopWhen: conditions(policy) },
      code: [
        ...(imported === null ? [] : [`import { ${imported} } from 'ai';`, '']),
        ...(needsTokens ? TOKENS_OF : []),
        '/** Settings of generateText, streamText or ToolLoopAgent, made anew for every run. */',
        'export function stopSettings() {',
        ...(needsClock ? ['  const started = performance.now();'] : []),
        '  return {',
        ...(entries.length === 0
          ? [
              '    // No cap that it knows: without a word the default would stop after one step.',
              '    stopWhen: [isLoopFinished()],',
            ]
          : ['    // Asked after every step; the first that is reached ends the loop.', '    stopWhen: [']),
        ...(entries.length === 0 ? [] : [...entries.map((entry) => `      ${entry},`), '    ],']),
        '  };',
        '}',
        '',
        '// const result = await generateText({ model, tools, prompt, ...stopSettings() });',
        "// A finishReason of 'tool-calls' means that the run was stopped: it did not answer.",
      ],
    };
  },
};

function conditions({ caps }: Policy): Settings {
  return {
    ...(caps.passes === undefined ? {} : { steps: caps.passes }),
    ...(caps.tokens === undefined ? {} : { tokens: caps.tokens }),
    ...(caps.seconds === undefined ? {} : { millis: wholeMillis(caps.seconds) }),
  };
}
