import { HARD_CUT, timerMillis, times, unsaidSeconds } from './amounts.js';
import type { Exporter } from './exporter.js';

export const langchain: Exporter = {
  id: 'langchain',
  title: 'LangChain (createAgent with modelCallLimitMiddleware)',
  language: 'typescript',
  setting: '`modelCallLimitMiddleware({ runLimit })`, none where it is left out, and `recursionLimit`, 25',
  unit: 'one model call: P; the graph below it counts 4P + 1 super-steps with this middleware alone',
  checked: { version: 'langchain 1.5.14', how: 'run here with a stub model' },
  billed: 'N',
  billedNote: 'the tools of the last call run too',
  receives:
    'a rejected promise, ModelCallLimitMiddlewareError; under exitBehavior "end", the default, an ordinary result instead whose last message reads "Model call limits exceeded: ..."',
  says: {
    caps: {
      passes: 'exactly',
      seconds: HARD_CUT,
    },
  },
  quirks: [],
  write: (policy) => {
    const { passes } = policy.caps;
    const millis = timerMillis(policy.caps.seconds);
    const limit = passes === undefined ? Number.MAX_SAFE_INTEGER : times(4, passes, 1);
    return {
      settings: {
        ...(passes === undefined ? {} : { runLimit: passes, exitBehavior: 'error' }),
        recursionLimit: limit,
        ...(millis === null ? {} : { signalMillis: millis }),
      },
      unsaid: unsaidSeconds(policy),
      code: [
        ...(passes === undefined ? [] : middleware(passes)),
        '/** The config of agent.invoke(), made anew for every run: the clock starts here. */',
        'export function stopSettings() {',
        '  return {',
        ...recursionWords(passes),
        `    recursionLimit: ${limit},`,
        ...(millis === null ? [] : [`    signal: AbortSignal.timeout(${millis}),`]),
        '  };',
        '}',
        '',
        `// const agent = createAgent({ model, tools${passes === undefined ? '' : ', middleware: [modelCallLimit]'} });`,
        '// const state = await agent.invoke(input, stopSettings());',
        ...(passes === undefined
          ? []
          : [`// Python: ModelCallLimitMiddleware(run_limit=${passes}, exit_behavior="error")`]),
      ],
    };
  },
};

function middleware(passes: number): string[] {
  return [
    "import { modelCallLimitMiddleware } from 'langchain';",
    '',
    '// "error", since under the default "end" a stop comes back as an ordinary answer.',
    `export const modelCallLimit = modelCallLimitMiddleware({ runLimit: ${passes}, exitBehavior: 'error' });`,
    '',
  ];
}

function recursionWords(passes: number | undefined): string[] {
  return passes === undefined
    ? ['    // No cap on passes: the default of 25 super-steps would stop a run in its 13th pass.']
    : [
        `    // Every node of the graph is a super-step, so that ${passes} passes need 4 x ${passes} + 1. Add ${passes} for each further`,
        '    // beforeModel or afterModel hook, and 1 for each beforeAgent or afterAgent hook.',
      ];
}
