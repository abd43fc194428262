import type { Json } from '../model/json.js';
import { LIMITS } from '../model/limits.js';
import type { Policy } from '../policy/policy.js';
import { policyRecord } from '../policy/record.js';
import { decimal } from './amounts.js';
import type { Exporter } from './exporter.js';
import { SAYS_ALL } from './own.js';
import { shellJson } from './quote.js';

export const env: Exporter = {
  id: 'env',
  title: 'environment variables',
  language: 'shell',
  setting: '`CAPFIT_MAX_PASSES`, no limit where it is left out',
  unit: 'one model call with its tools: P',
  checked: { version: 'policy/v1', how: 'our own form, read back by a test' },
  billed: 'N',
  billedNote: 'where your loop asks before every model call, as capfit/guard does',
  receives: 'what your loop hands over',
  says: SAYS_ALL,
  quirks: [],
  write: (policy) => {
    const variables = variablesOf(policy);
    return {
      settings: variables,
      code: [
        '# Lists and free text are JSON. Read it with a .env reader, or in a shell: set -a; . ./policy.env; set +a',
        ...Object.entries(variables).map(([name, value]) => `${name}=${value}`),
      ],
    };
  },
};

/** Variables as they are written, quotes included. */
function variablesOf(policy: Policy): { [name: string]: string } {
  const { caps, timeouts } = policy;
  const { order, rules } = policyRecord(policy) as { order: readonly string[]; rules: readonly Json[] };
  const variables: { [name: string]: string } = {};
  for (const limit of LIMITS) {
    const cap = caps[limit];
    if (cap !== undefined) variables[`CAPFIT_MAX_${limit.toUpperCase()}`] = decimal(limit, cap);
  }
  if (order.length > 0) variables.CAPFIT_ORDER = order.join(',');
  if (rules.length > 0) variables.CAPFIT_RULES = shellJson(rules);
  if (policy.stepsAt === 'dispatch') variables.CAPFIT_STEPS_AT = policy.stepsAt;
  if (timeouts.modelCall !== null) variables.CAPFIT_MODEL_CALL_SECONDS = decimal('seconds', timeouts.modelCall);
  if (timeouts.tool !== null) variables.CAPFIT_TOOL_SECONDS = decimal('seconds', timeouts.tool);
  variables.CAPFIT_WRAP_UP = String(policy.wrapUp);
  if (policy.haltOn.length > 0) variables.CAPFIT_HALT_ON = shellJson(policy.haltOn);
  if (policy.check !== null) variables.CAPFIT_CHECK = shellJson(policy.check);
  if (policy.name !== null) variables.CAPFIT_POLICY_NAME = shellJson(policy.name);
  return variables;
}
