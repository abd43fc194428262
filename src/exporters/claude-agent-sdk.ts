import { decimal } from './amounts.js';
import type { Exporter } from './exporter.js';

export const claudeAgentSdk: Exporter = {
  id: 'claude-agent-sdk',
  title: 'the Claude Agent SDK',
  language: 'python',
  setting: '`max_turns` (Python), `maxTurns` (TypeScript), `--max-turns`, none where it is left out',
  unit: 'a turn, for which three public definitions disagree: P, to be checked against `num_turns` of recorded results',
  checked: {
    version: '@anthropic-ai/claude-agent-sdk 0.3.332, claude-agent-sdk-python e8bde60 of 2026-08-22',
    how: 'its documentation',
  },
  billed: 'not known',
  billedNote: 'what a turn counts is told in three ways; compare num_turns with your recorded passes',
  receives: 'a ResultMessage with subtype "error_max_turns", after which Python raises ResultError',
  says: {
    caps: {
      passes: { differs: 'a turn may be more than one model call, or only one that uses tools' },
      usd: { differs: 'an estimate, asked after each API call and including sub-agents: one call may overshoot it' },
    },
  },
  quirks: [],
  write: ({ caps }) => {
    const usd = caps.usd === undefined ? null : decimal('usd', caps.usd);
    const words = [
      ...(caps.passes === undefined ? [] : [['max_turns', 'maxTurns', String(caps.passes)]]),
      ...(usd === null ? [] : [['max_budget_usd', 'maxBudgetUsd', usd]]),
    ];
    return {
      settings: {
        ...(caps.passes === undefined ? {} : { max_turns: caps.passes }),
        ...(usd === null ? {} : { max_budget_usd: Number(usd) }),
      },
      code: [
        'from claude_agent_sdk import ClaudeAgentOptions',
        '',
        ...(words.length === 0
          ? ['# No cap that it knows; it has none of its own.', 'options = ClaudeAgentOptions()']
          : [
              'options = ClaudeAgentOptions(',
              ...words.map(([name, , value]) => `    ${name}=${value},`),
              ')',
              `# TypeScript: query({ prompt, options: { ${words.map(([, name, value]) => `${name}: ${value}`).join(', ')} } })`,
            ]),
      ],
    };
  },
};
