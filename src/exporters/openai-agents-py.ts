import { decimal, HARD_CUT } from './amounts.js';
import type { Exporter } from './exporter.js';

export const openaiAgentsPy: Exporter = {
  id: 'openai-agents-py',
  title: 'the OpenAI Agents SDK for Python',
  language: 'python',
  setting: '`Runner.run(max_turns=)`, 10 where it is left out',
  unit: 'one model call with its tools: P',
  checked: { version: 'openai-agents-python 7f7a44f of 2026-08-22', how: 'read in its source' },
  billed: 'N',
  billedNote: 'the tools of the last call run too',
  receives:
    'MaxTurnsExceeded with run_data (items so far, no answer); with error_handlers={"max_turns": ...} an ordinary-looking final_output instead',
  says: {
    caps: {
      passes: 'exactly',
      seconds: HARD_CUT,
    },
  },
  quirks: [],
  write: ({ caps }) => ({
    settings: {
      max_turns: caps.passes ?? null,
      ...(caps.seconds === undefined ? {} : { timeout: Number(decimal('seconds', caps.seconds)) }),
    },
    code: [
      'import asyncio',
      '',
      'from agents import Runner',
      '',
      '',
      'async def run_capped(agent, task):',
      ...(caps.passes === undefined ? ['    # No cap on passes: None switches the default of 10 off.'] : []),
      `    run = Runner.run(agent, task, max_turns=${caps.passes ?? 'None'})`,
      caps.seconds === undefined
        ? '    return await run'
        : `    return await asyncio.wait_for(run, timeout=${decimal('seconds', caps.seconds)})`,
    ].slice(caps.seconds === undefined ? 2 : 0),
  }),
};
