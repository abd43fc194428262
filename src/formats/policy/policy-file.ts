import { stringify } from 'yaml';
import type { Problem } from '../../model/problem.js';
import { conflictsOf } from '../../policy/conflicts.js';
import { policyOf } from '../../policy/of-record.js';
import type { Policy } from '../../policy/policy.js';
import { POLICY_VERSION, policyRecord } from '../../policy/record.js';
import { problem } from '../format.js';
import { type Locate, readYaml, type YamlKind } from '../yaml.js';
import { issueProblems } from './policy-faults.js';
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

/** What a schema cannot say, each with its line. */
function conflictProblems(file: PolicyFile, name: string, locate: Locate): Problem[] {
  return conflictsOf(file).map(({ path, collides, reason, hint }) => {
    const where = collides === null ? '' : `, here and at line ${locate([...collides])}`;
    return problem(name, locate([...path]), null, `${reason}${where}`, hint);
  });
}

/** The policy as a YAML file. */
export function writePolicyYaml(policy: Policy): string {
  return stringify(policyRecord(policy), { lineWidth: 100, flowCollectionPadding: false });
}
