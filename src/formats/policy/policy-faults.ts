import type * as z from 'zod';
import type { Problem } from '../../model/problem.js';
import { POLICY_VERSION } from '../../policy/record.js';
import { problem } from '../format.js';
import { nearest } from '../nearest.js';
import type { Locate } from '../yaml.js';
import { policySchema, RULE_SHAPES } from './policy-schema.js';

/** What a schema finds wrong, told so that the user can mend it. */
export function issueProblems(issue: z.core.$ZodIssue, value: unknown, file: string, locate: Locate): Problem[] {
  const path = issue.path.map(String);
  const where = path.length === 0 ? 'the policy' : dotted(path);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const known = knownKeys(path, value);
      const near = nearest(key, known);
      const hint =
        near === null ? `known here: ${known.join(', ')}` : `did you mean ${near}? Known here: ${known.join(', ')}`;
      return problem(file, locate([...issue.path, key]), null, `unknown key ${dotted([...path, key])}`, hint);
    });
  }
  const found = path.reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], value);
  const { reason, hint } = explain(path, found, where, issue);
  return [problem(file, locate(issue.path), null, reason, hint)];
}

function explain(
  path: readonly string[],
  found: unknown,
  where: string,
  issue: z.core.$ZodIssue,
): { reason: string; hint: string } {
  const shown = found === undefined ? 'missing' : JSON.stringify(found);
  const last = path.at(-1);
  if (last === 'capfit') {
    return { reason: `capfit is ${shown}`, hint: `the file must say "capfit: ${POLICY_VERSION}"` };
  }
  if (path[0] === 'caps' && path.length === 2) {
    const kind = last === 'seconds' || last === 'usd' ? 'a number above 0' : 'a whole number above 0';
    return { reason: `${where} is ${shown}`, hint: `a cap must be ${kind}; leave it out for no limit` };
  }
  if (path[0] === 'rules' && path.length === 3) {
    if (last === 'rule') {
      return { reason: `${where}: ${shown} is not a rule`, hint: `one of: ${Object.keys(RULE_SHAPES).join(', ')}` };
    }
    if (last === 'when' && found === 'before_dispatch') {
      return { reason: `${where}: ${shown} is for repeat only`, hint: 'leave it out, or use repeat with key: request' };
    }
  }
  return { reason: `${where} is ${shown}`, hint: issue.message };
}

function dotted(path: readonly string[]): string {
  return path.reduce((text, key) => (/^\d+$/.test(key) ? `${text}[${key}]` : text === '' ? key : `${text}.${key}`), '');
}

function knownKeys(path: readonly string[], value: unknown): string[] {
  const { caps, timeouts } = policySchema.shape;
  if (path[0] === 'caps') return Object.keys(caps.unwrap().shape);
  if (path[0] === 'timeouts') return Object.keys(timeouts.unwrap().shape);
  if (path[0] === 'rules') return Object.keys(RULE_SHAPES[kindAt(path, value)].shape);
  return Object.keys(policySchema.shape);
}

/** The kind of the rule that a path points into. */
function kindAt(path: readonly string[], value: unknown): keyof typeof RULE_SHAPES {
  const { rules } = value as { rules: { rule: keyof typeof RULE_SHAPES }[] };
  return rules[Number(path[1])]?.rule ?? 'repeat';
}
