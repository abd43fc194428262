// done_verified: the agent answers, the check fails, the agent mends it, and the check passes.
import { runAgent } from './loop.mjs';
import { stubWorld } from './stub.mjs';

const policy = { capfit: 'policy/v1', caps: { passes: 5 }, check: 'npm test' };
const usage = { input_tokens: 900, output_tokens: 100 };
const script = [
  { model: { answer: 'Order 71 is refunded.', usage }, check: { passed: false, output: '1 failed' } },
  { model: { answer: 'Order 17 is refunded.', usage }, check: { passed: true, output: '3 passed' } },
];

const { world } = stubWorld({ script });
console.log(JSON.stringify(await runAgent(policy, world), null, 2));
