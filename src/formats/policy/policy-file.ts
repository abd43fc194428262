import { stringify } from 'yaml';
import { toAtoms } from '../../model/atoms.js';
import { isLimitName, LIMITS } from '../../model/limits.js';
import type { Problem } from '../../model/problem.js';
import { policyOf } from '../../policy/of-record.js';
import { DEFAULT_RULE_NAMES, type Policy } from '../../policy/policy.js';
import { POLICY_VERSION, policyRecord } from '../../policy/record.js';
import { problem } from '../format.js';
import { type Locate, readYaml, type YamlKind } from '../yaml.js';
import { issueProblems } from './policy-faults.js';
import { repeatConflicts } from './policy-rules.js';
import { type PolicyFile, policySchema } from './policy-schema.js';

/** The policy a YAML or JSON text holds, or everything that is wrong with it, each with its line. */
export type PolicyReading =
  | { readonly policy: Policy; readonly problems: null }
  | { readonly policy: null; readonly problems: readonly Problem[] };

const POLICY_FILE: YamlKind = {
  noun: 'policy',
  opening: `capfit: ${POLICY_VERSION}`,
  syntaxHint: 'correct the syntax; indentation counts in YAML',
  verbatim: ['measured'],
};

/** Reads a policy file, version 1. JSON is YAML, so one reader serves both. */
export function readPolicy(text: string, file: string): PolicyReading {
  const { value, locate, problems } = readYaml(text, file, POLICY_FILE);
  if (value === null) return refuse(problems);
  const parsed = policySchema.safeParse(value);
  if (!parsed.success) {
    return refuse(parsed.error.issues.flatMap((issue) => issueProblems(issue, value, file, locate)));
  }
  const conflicts = conflictProblems(parsed.data, file, locate);
  return conflicts.length > 0 ? refuse(conflicts) : { policy: policyOf(parsed.data), problems: null };
}

function refuse(problems: readonly Problem[]): PolicyReading {
  return { policy: null, problems };
}

/** What a schema cannot say: names that collide, an order that names a limit twice. */
function conflictProblems(file: PolicyFile, name: string, locate: Locate): Problem[] {
  const problems: Problem[] = [];
  const seen = new Map<string, number>();
  for (const [index, rule] of (file.rules ?? []).entries()) {
    const ruleName = rule.name ?? DEFAULT_RULE_NAMES[rule.rule];
    const line = locate(['rules', index]);
    const earlier = seen.get(ruleName);
    if (earlier !== undefined) {
      problems.push(
        problem(
          name,
          line,
          null,
          `two rules are named ${JSON.stringify(ruleName)}, here and at line ${earlier}`,
          'give each rule a name of its own',
        ),
      );
    }
    if (isLimitName(ruleName)) {
      problems.push(
        problem(name, line, null, `a rule is named ${ruleName}, like a cap`, 'reasons would mix: choose another name'),
      );
    }
    seen.set(ruleName, line);
    problems.push(...repeatConflicts(rule, index, name, locate));
  }
  for (const [index, entry] of (file.order ?? []).entries()) {
    if ((file.order ?? []).indexOf(entry) !== index) {
      problems.push(
        problem(name, locate(['order', index]), null, `order names ${entry} twice`, 'name each limit once'),
      );
    }
  }
  for (const limit of LIMITS) {
    const cap = file.caps?.[limit];
    if (cap !== undefined && !(Number(toAtoms(limit, cap)) > 0)) {
      problems.push(
        problem(
          name,
          locate(['caps', limit]),
          null,
          `caps.${limit} is ${cap}`,
          'the cap is below the smallest unit or beyond exact numbers',
        ),
      );
    }
  }
  return problems;
}

/** The policy as a YAML file. */
export function writePolicyYaml(policy: Policy): string {
  return stringify(policyRecord(policy), { lineWidth: 100, flowCollectionPadding: false });
}
