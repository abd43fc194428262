// halted_error, canceled: somebody stops the run from outside. What was done so far is handed over.
import { runAgent } from './loop.mjs';
import { stubWorld } from './stub.mjs';

const policy = { capfit: 'policy/v1', caps: { passes: 10 } };
const reads = (page, rest) => ({
  model: {
    tool_calls: [{ tool: 'search', args: { page } }],
    usage: { input_tokens: 900, output_tokens: 100 },
  },
  tools: [{ result: `hits of page ${page}` }],
  work: { pages: page },
  ...rest,
});
const script = [reads(1), reads(2, { cancel: true })];

const { world } = stubWorld({ script });
console.log(JSON.stringify(await runAgent(policy, world), null, 2));
