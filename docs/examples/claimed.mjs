// done_claimed: the agent says it is done, and there is no check that could look.
import { runAgent } from './loop.mjs';
import { stubWorld } from './stub.mjs';

const policy = { capfit: 'policy/v1', caps: { passes: 5 } };
const usage = { input_tokens: 900, output_tokens: 100 };
const script = [{ model: { answer: '', usage } }, { model: { answer: 'Order 17 is refunded.', usage } }];

const { world } = stubWorld({ script });
console.log(JSON.stringify(await runAgent(policy, world), null, 2));
