import { HARD_CUT, timerMillis, times, unsaidSeconds } from './amounts.js';
import type { Exporter } from './exporter.js';

export const langgraph: Exporter = {
  id: 'langgraph',
  title: 'LangGraph (createReactAgent)',
  language: 'typescript',
  setting:
    '`recursionLimit` (JavaScript, 25 where it is left out), `recursion_limit` (Python, 10007; read in f09cfe8 of 2026-08-20)',
  unit: 'one super-step; model and tools take turns and one step is kept in hand: 2P',
  checked: {
    version: '@langchain/langgraph 1.7.3',
    how: 'run here with a stub model',
  },
  billed: 'N',
  billedNote: 'the tools of the last call run too; in a graph with more nodes a pass has more steps',
  receives:
    'a rejected promise, GraphRecursionError (lc_error_code GRAPH_RECURSION_LIMIT); the messages so far only with a checkpointer; the prebuilt agent of Python may answer "Sorry, need more steps to process this request." instead, which looks like an answer',
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
    const limit = passes === undefined ? Number.MAX_SAFE_INTEGER : times(2, passes);
    return {
      settings: { recursionLimit: limit, ...(millis === null ? {} : { signalMillis: millis }) },
      unsaid: unsaidSeconds(policy),
      code: [
        '/** The config of invoke() and stream(), made anew for every run: the clock starts here. */',
        'export function stopSettings() {',
        '  return {',
        passes === undefined
          ? '    // No cap on passes: the default of 25 super-steps would stop a run in its 13th pass.'
          : `    // ${passes} passes: 2 super-steps each (model, tools), and the graph needs one more than it uses.`,
        `    recursionLimit: ${limit},`,
        ...(millis === null ? [] : [`    signal: AbortSignal.timeout(${millis}),`]),
        '  };',
        '}',
        '',
        '// const state = await agent.invoke(input, stopSettings());',
        `// Python (langgraph f09cfe8 of 2026-08-20, read and not run): agent.invoke(input, {"recursion_limit": ${limit}})`,
      ],
    };
  },
};
