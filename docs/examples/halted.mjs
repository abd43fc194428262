// halted_error: an error that the policy halts on. An error before it, which is not on the list, went to the model.
import { runAgent } from './loop.mjs';
import { stubWorld } from './stub.mjs';

const policy = { capfit: 'policy/v1', caps: { passes: 10 }, halt_on: ['permission_denied'] };
const refunds = (order, error_class, result) => ({
  model: {
    tool_calls: [{ tool: 'refund', args: { order } }],
    usage: { input_tokens: 900, output_tokens: 100 },
  },
  tools: [{ error: true, error_class, result }],
});
const script = [refunds(71, 'not_found', 'no such order'), refunds(17, 'permission_denied', 'not allowed')];

const { world } = stubWorld({ script });
console.log(JSON.stringify(await runAgent(policy, world), null, 2));
