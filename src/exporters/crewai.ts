import { NEVER_REACHED, roundedUp, wholeSeconds } from './amounts.js';
import type { Exporter } from './exporter.js';

export const crewai: Exporter = {
  id: 'crewai',
  title: 'CrewAI',
  language: 'python',
  setting: '`Agent(max_iter=)`, 25 where it is left out',
  unit: 'one iteration of the loop; answers that cannot be parsed and failed calls count too: P',
  checked: { version: 'crewAI f4731f5 of 2026-08-21', how: 'read in its source' },
  billed: 'N + 1',
  billedNote: 'after the cap one more call forces a final answer; max_retry_limit (2) may repeat the whole task',
  receives: 'an ordinary AgentFinish with the forced answer: nothing tells it from a run that finished',
  says: {
    caps: {
      passes: { differs: 'iterations that failed or could not be parsed count as passes' },
      seconds: {
        differs:
          'per task, not per run; a TimeoutError, but the block waits for the worker on its way out, so the call at hand is not cut',
      },
    },
    wrapUp: 'always',
  },
  quirks: ['a request like the one just before is not run; the model is told so instead'],
  write: ({ caps }) => {
    const limit = caps.passes ?? NEVER_REACHED;
    const seconds = caps.seconds === undefined ? null : wholeSeconds(caps.seconds);
    return {
      settings: { max_iter: limit, ...(seconds === null ? {} : { max_execution_time: seconds }) },
      differs: roundedUp('caps.seconds', caps.seconds),
      code: [
        '# Agent(role=..., goal=..., backstory=..., **stop_settings)',
        'stop_settings = {',
        ...(caps.passes === undefined
          ? ['    # No cap on passes: the default of 25 has no off, so this is a number that no run reaches.']
          : []),
        `    "max_iter": ${limit},`,
        ...(seconds === null ? [] : [`    "max_execution_time": ${seconds},`]),
        '}',
      ],
    };
  },
};
