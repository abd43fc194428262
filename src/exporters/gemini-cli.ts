import type { Exporter } from './exporter.js';

/** Turns after which a prompt ends, whatever is set. */
const TURNS_A_PROMPT = 100;

export const geminiCli: Exporter = {
  id: 'gemini-cli',
  title: 'Gemini CLI (settings.json)',
  language: 'jsonc',
  setting: '`model.maxSessionTurns`, -1 (off) where it is left out',
  unit: 'one turn of a session: P',
  checked: { version: 'gemini-cli 5411f11 of 2026-08-21', how: 'read in its source' },
  billed: 'N',
  billedNote: 'a sub-agent that is stopped gets one more turn of 60 s to recover',
  receives: 'exit code 53, FatalTurnLimitedError',
  says: { caps: { passes: { differs: 'counted over a session: a second prompt goes on from the first' } } },
  quirks: [
    `a prompt ends after ${TURNS_A_PROMPT} turns whatever is set`,
    'its own loop detection stays on: five identical requests, or a block of up to five of them five times',
    'sub-agents have caps of their own: max_turns 30 and timeout_mins 10 in the head of their files',
  ],
  write: ({ caps: { passes } }) => ({
    settings: passes === undefined ? {} : { model: { maxSessionTurns: passes } },
    differs:
      passes !== undefined && passes > TURNS_A_PROMPT
        ? [`caps.passes ${passes}: above the ${TURNS_A_PROMPT} turns of a prompt, which end it first`]
        : [],
    code: passes === undefined ? ['{}'] : ['{', '  "model": {', `    "maxSessionTurns": ${passes}`, '  }', '}'],
  }),
};
