import { decimal, roundedUp, wholeSeconds } from './amounts.js';
import type { Exporter } from './exporter.js';

export const miniSweAgent: Exporter = {
  id: 'mini-swe-agent',
  title: 'mini-swe-agent',
  language: 'yaml',
  setting: '`agent.step_limit`, 0 (off) where it is left out, 250 in swebench.yaml',
  unit: 'one model call: P',
  checked: { version: 'mini-swe-agent a83fcae of 2026-07-22', how: 'read in its source' },
  billed: 'N',
  billedNote: '',
  receives: 'exit_status "LimitsExceeded" and an empty submission; a run over its wall time "TimeExceeded"',
  says: {
    caps: {
      passes: 'exactly',
      seconds: 'exactly',
      usd: { differs: 'its own cost figures; a model without a price counts as nothing, or is an error' },
    },
    toolTimeout: { differs: 'the command is killed and the model is told; it holds for every command' },
  },
  quirks: [
    'three malformed answers in a row end the run (RepeatedFormatError)',
    'MSWEA_GLOBAL_CALL_LIMIT, where it is set, counts over all runs of a process',
  ],
  write: ({ caps, timeouts }) => {
    const wall = caps.seconds === undefined ? null : wholeSeconds(caps.seconds);
    const tool = timeouts.tool === null ? null : wholeSeconds(timeouts.tool);
    const cost = caps.usd === undefined ? '0' : decimal('usd', caps.usd);
    return {
      settings: {
        agent: {
          step_limit: caps.passes ?? 0,
          cost_limit: Number(cost),
          ...(wall === null ? {} : { wall_time_limit_seconds: wall }),
        },
        ...(tool === null ? {} : { environment: { timeout: tool } }),
      },
      differs: [...roundedUp('caps.seconds', caps.seconds), ...roundedUp('timeouts.tool', timeouts.tool)],
      code: [
        'agent:',
        ...(caps.passes === undefined ? ['  # No cap on passes: 0 is off here; swebench.yaml says 250.'] : []),
        `  step_limit: ${caps.passes ?? 0}`,
        ...(caps.usd === undefined ? ['  # No cap on money: 0 is off here; left out, it would be 3.0.'] : []),
        `  cost_limit: ${cost}`,
        ...(wall === null ? [] : [`  wall_time_limit_seconds: ${wall}`]),
        ...(tool === null ? [] : ['environment:', `  timeout: ${tool}`]),
      ],
    };
  },
};
