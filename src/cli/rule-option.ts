import { DEFAULT_RULE_NAMES, type Rule } from '../policy/policy.js';
import { POLICY_VERSION } from '../policy/record.js';
import { usageError } from './errors.js';
import { cutAtEqualsSign } from './options.js';

const EXAMPLE = 'for instance --add-rule repeat:key=request,count=4, or a rule as a policy file has it, in JSON';

/**
 * A rule as typed: `stale`, `repeat:key=request,count=4,exempt=poll,exempt=wait`, or the JSON of a policy file's rule.
 * The settings are those of the policy file; `exempt` names one tool and may come again.
 *
 * @throws CommandError that names what is wrong with it
 */
export async function ruleOption(text: string): Promise<Rule> {
  const record = text.trim().startsWith('{') ? jsonRecord(text) : typedRecord(text);
  const { readPolicy } = await import('../formats/policy/policy-file.js');
  const { policy, problems } = readPolicy(JSON.stringify({ capfit: POLICY_VERSION, rules: [record] }), '--add-rule');
  const [rule] = policy?.rules ?? [];
  if (rule !== undefined) return rule;
  const [first] = problems ?? [];
  throw usageError(`--add-rule ${text}: ${inOneRule(first?.reason ?? 'not a rule')}`, first?.hint ?? EXAMPLE);
}

/** There is only one rule to speak of. */
function inOneRule(reason: string): string {
  return reason.replaceAll('rules[0].', '').replaceAll('rules[0]', 'the rule');
}

function jsonRecord(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw usageError(`--add-rule ${text}: not JSON: ${(error as Error).message}`, EXAMPLE);
  }
}

function typedRecord(text: string): { [key: string]: unknown } {
  const at = text.indexOf(':');
  const rule = (at === -1 ? text : text.slice(0, at)).trim();
  if (rule === '') {
    throw usageError(`--add-rule ${text}: no rule is named`, `one of: ${Object.keys(DEFAULT_RULE_NAMES).join(', ')}`);
  }
  const record: { [key: string]: unknown } = { rule };
  for (const setting of at === -1 ? [] : text.slice(at + 1).split(',')) {
    const [key, value] = cutAtEqualsSign(setting).map((each) => each.trim()) as [string, string];
    if (key === '' || value === '') {
      throw usageError(
        `--add-rule ${text}: ${setting === '' ? 'a setting is empty' : `${setting} sets nothing`}`,
        EXAMPLE,
      );
    }
    if (key === 'exempt') record.exempt = [...((record.exempt as string[] | undefined) ?? []), value];
    else if (Object.hasOwn(record, key)) throw usageError(`--add-rule ${text}: ${key} is set twice`, EXAMPLE);
    else record[key] = key !== 'name' && /^\d+$/.test(value) ? Number(value) : value;
  }
  return record;
}
