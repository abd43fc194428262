// stopped_budget, by a cap: three passes, an overshoot of the token cap, and one call to sum up.
import { runAgent } from './loop.mjs';
import { stubWorld } from './stub.mjs';

const policy = { capfit: 'policy/v1', caps: { passes: 10, tokens: 60_000 }, wrap_up: true };
const reads = (page, input_tokens) => ({
  model: { tool_calls: [{ tool: 'search', args: { page } }], usage: { input_tokens, output_tokens: 500 } },
  tools: [{ result: `hits of page ${page}` }],
  work: { pages: page },
});
const script = [reads(1, 20_000), reads(2, 30_000), reads(3, 9_504)];
const wrap_up = { text: 'Three pages read, nothing refunded.', usage: { input_tokens: 2_500, output_tokens: 60 } };

const { world } = stubWorld({ script, wrap_up });
console.log(JSON.stringify(await runAgent(policy, world), null, 2));
