import type { Exporter } from './exporter.js';

export const googleAdk: Exporter = {
  id: 'google-adk',
  title: "Google's Agent Development Kit",
  language: 'python',
  setting: '`RunConfig(max_llm_calls=)` (Python), `maxLlmCalls` (JavaScript), 500 where it is left out',
  unit: 'one model call: P',
  checked: {
    version: 'adk-python 7c670f6 of 2025-06-20 (an old snapshot), @google/adk 2.0.0',
    how: 'read in its source',
  },
  billed: 'N',
  billedNote: 'the count goes up first, then the call is refused',
  receives: 'LlmCallsLimitExceededError out of the event stream; the events so far were handed over before',
  says: { caps: { passes: 'exactly' } },
  quirks: [],
  write: ({ caps: { passes } }) => ({
    settings: { max_llm_calls: passes ?? -1 },
    code: [
      'from google.adk.agents.run_config import RunConfig',
      '',
      ...(passes === undefined
        ? ['# No cap on passes: a value that is not above zero switches the default of 500 off.']
        : []),
      `run_config = RunConfig(max_llm_calls=${passes ?? -1})`,
      '',
      '# async for event in runner.run_async(..., run_config=run_config):',
    ],
  }),
};
