import { NEVER_REACHED } from './amounts.js';
import type { Exporter } from './exporter.js';

export const smolagents: Exporter = {
  id: 'smolagents',
  title: 'smolagents',
  language: 'python',
  setting: '`max_steps`, 20 where it is left out or 0',
  unit: 'one action step; planning calls are not counted: P',
  checked: { version: 'smolagents e3a5b89 of 2026-07-11', how: 'read in its source' },
  billed: 'N + 1',
  billedNote: 'after the cap one more call makes a final answer; planning calls come on top',
  receives:
    'a plain answer string, as after a run that finished; only return_full_result=True shows state "max_steps_error", and the memory an AgentMaxStepsError',
  says: { caps: { passes: { differs: 'planning calls are not counted' } }, wrapUp: 'always' },
  quirks: [],
  write: ({ caps }) => {
    const limit = caps.passes ?? NEVER_REACHED;
    return {
      settings: { max_steps: limit, return_full_result: true },
      code: [
        '# ToolCallingAgent(tools=..., model=..., **stop_settings), likewise CodeAgent.',
        'stop_settings = {',
        ...(caps.passes === undefined
          ? ['    # No cap on passes: the default of 20 has no off, so this is a number that no run reaches.']
          : []),
        `    "max_steps": ${limit},`,
        '    # Without this a stop cannot be told from an answer.',
        '    "return_full_result": True,',
        '}',
      ],
    };
  },
};
