import { decimal, roundedUp, wholeSeconds } from './amounts.js';
import type { Exporter } from './exporter.js';

export const sweAgent: Exporter = {
  id: 'swe-agent',
  title: 'SWE-agent',
  language: 'yaml',
  setting: '`agent.model.per_instance_call_limit`, 0 (off) where it is left out',
  unit: 'one API call; P lets call P count, and one more is paid before it fires',
  checked: { version: 'SWE-agent 3ea751c of 2026-07-16', how: 'read in its source' },
  billed: 'N + 1',
  billedNote: 'asked after the call; with N - 1 no more than N are paid, but the work of call N is lost',
  receives:
    'exit_status "submitted (exit_cost)" with whatever was changed so far: a run that was stopped may still count as resolved',
  says: {
    caps: {
      passes: { differs: 'asked after the call, and fires above the cap: one more call is paid' },
      usd: { differs: 'asked after the call, and fires above the cap; its own cost figures' },
    },
    toolTimeout: { differs: 'the command is killed and the model is told; three in a row end the run' },
  },
  quirks: ['tools.total_execution_timeout (1800 s of tool time) stays as it is'],
  write: ({ caps, timeouts }) => {
    const tool = timeouts.tool === null ? null : wholeSeconds(timeouts.tool);
    const cost = caps.usd === undefined ? '0' : decimal('usd', caps.usd);
    return {
      settings: {
        per_instance_cost_limit: Number(cost),
        ...(caps.passes === undefined ? {} : { per_instance_call_limit: caps.passes }),
        ...(tool === null ? {} : { execution_timeout: tool }),
      },
      differs: roundedUp('timeouts.tool', timeouts.tool),
      code: [
        'agent:',
        '  model:',
        ...(caps.passes === undefined ? [] : [`    per_instance_call_limit: ${caps.passes}`]),
        ...(caps.usd === undefined ? ['    # No cap on money: 0 is off here; left out, it would be 3.0.'] : []),
        `    per_instance_cost_limit: ${cost}`,
        ...(tool === null ? [] : ['  tools:', `    execution_timeout: ${tool}`]),
      ],
    };
  },
};
