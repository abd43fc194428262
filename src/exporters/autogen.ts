import { decimal } from './amounts.js';
import type { Exporter } from './exporter.js';

export const autogen: Exporter = {
  id: 'autogen',
  title: 'AutoGen (one agent in a team)',
  language: 'python',
  setting: '`RoundRobinGroupChat(max_turns=)`, none where it is left out',
  unit: 'one turn of the agent, a model call with its tools where it makes one tool iteration: P',
  checked: { version: 'autogen 027ecf0 of 2026-04-06', how: 'read in its source' },
  billed: 'N',
  billedNote: 'with reflect_on_tool_use=False; reflection calls the model once more in every turn that uses tools',
  receives:
    'an ordinary TaskResult, no error: stop_reason holds a sentence such as "Maximum number of turns N reached."',
  says: {
    caps: {
      passes: 'exactly',
      tokens: { differs: 'counts the usage that messages carry; one without usage counts as nothing' },
      seconds: 'exactly',
    },
  },
  quirks: [],
  write: ({ caps }) => {
    const conditions = [
      ...(caps.tokens === undefined ? [] : [`TokenUsageTermination(max_total_token=${caps.tokens})`]),
      ...(caps.seconds === undefined
        ? []
        : [`TimeoutTermination(timeout_seconds=${decimal('seconds', caps.seconds)})`]),
    ];
    const imported = ['TextMessageTermination', ...conditions.map((each) => each.replace(/\(.*/, ''))].sort();
    return {
      settings: {
        max_tool_iterations: 1,
        reflect_on_tool_use: false,
        ...(caps.passes === undefined ? {} : { max_turns: caps.passes }),
        ...(caps.tokens === undefined ? {} : { max_total_token: caps.tokens }),
        ...(caps.seconds === undefined ? {} : { timeout_seconds: Number(decimal('seconds', caps.seconds)) }),
      },
      code: [
        `from autogen_agentchat.conditions import ${imported.join(', ')}`,
        'from autogen_agentchat.teams import RoundRobinGroupChat',
        '',
        '',
        '# The agent must make one pass a turn, or the limits are only asked after its whole inner loop:',
        '# AssistantAgent(..., max_tool_iterations=1, reflect_on_tool_use=False)',
        'def capped_team(agent):',
        '    """Made anew for every run: the conditions keep their counts and their clock."""',
        '    # A text message without tool calls is the answer and ends the run.',
        ...(conditions.length === 0
          ? ['    stop = TextMessageTermination(agent.name)']
          : [
              '    stop = (',
              '        TextMessageTermination(agent.name)',
              ...conditions.map((each) => `        | ${each}`),
              '    )',
            ]),
        `    return RoundRobinGroupChat([agent], termination_condition=stop${caps.passes === undefined ? '' : `, max_turns=${caps.passes}`})`,
      ],
    };
  },
};
