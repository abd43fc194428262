// stopped_budget, by a rule: the same call with the same result, three times in a row; a hint comes one before.
import { runAgent } from './loop.mjs';
import { stubWorld } from './stub.mjs';

const policy = { capfit: 'policy/v1', caps: { passes: 10 }, rules: [{ rule: 'repeat', count: 3 }] };
const script = [
  {
    model: {
      tool_calls: [{ tool: 'search', args: { q: 'order 17' } }],
      usage: { input_tokens: 900, output_tokens: 100 },
    },
    tools: [{ result: 'no hits' }],
  },
];

const { world } = stubWorld({ script, repeat_last_turn: true });
console.log(JSON.stringify(await runAgent(policy, world), null, 2));
