import * as z from 'zod';
import { LIMITS } from '../../model/limits.js';
import { REPEAT_KEYS, RULE_TIMES } from '../../policy/policy.js';
import { POLICY_VERSION } from '../../policy/record.js';

const wholeCap = z.number().int().positive().max(Number.MAX_SAFE_INTEGER);
const amountCap = z.number().positive();
const seconds = z.number().positive();
const word = z.string().min(1);

/** Ceilings; absent is no limit, zero is an error. */
const caps = z.strictObject({
  passes: wholeCap.optional().describe('model calls'),
  tokens: wholeCap.optional().describe('input and output tokens of all passes'),
  seconds: amountCap.optional().describe('wall-clock seconds'),
  usd: amountCap.optional().describe('dollars'),
  steps: wholeCap.optional().describe('emitted steps'),
});

const count = z.number().int().positive().max(1_000_000);
const ruleName = word.describe('the reason a stop carries; default the rule, for repeat the word repeats').optional();
const exempt = z.array(word).describe('tools the rule does not see').optional();
const atBoundary = z.literal('before_call').optional();

/** Every kind of rule with its settings. */
export const RULE_SHAPES = {
  repeat: z.strictObject({
    rule: z.literal('repeat'),
    name: ruleName,
    key: z.enum(REPEAT_KEYS).optional().describe('what must be the same; default call'),
    count: count.optional().describe('identical events, the first included; default 3'),
    scope: z.enum(['consecutive', 'run']).optional().describe('in a row (default) or anywhere in the run'),
    window: count.optional().describe('anywhere within the last so many calls'),
    period: z.number().int().positive().max(100).optional().describe('blocks of up to so many events; default 1'),
    min_period: z.number().int().positive().max(100).optional().describe('blocks of at least so many; default 1'),
    when: z.enum(RULE_TIMES).optional().describe('before_dispatch only with key request; default before_call'),
    exempt,
  }),
  stale: z.strictObject({
    rule: z.literal('stale'),
    name: ruleName,
    count: count.optional().describe('calls in a row whose result an earlier call had brought; default 3'),
    when: atBoundary,
    exempt,
  }),
  errors: z.strictObject({
    rule: z.literal('errors'),
    name: ruleName,
    count: count.optional().describe('failed calls in a row; default 3'),
    when: atBoundary,
    exempt,
  }),
  idle: z.strictObject({
    rule: z.literal('idle'),
    name: ruleName,
    count: count.optional().describe('passes in a row without a call; default 3'),
    when: atBoundary,
    exempt,
  }),
} as const;

const rule = z.discriminatedUnion('rule', [
  RULE_SHAPES.repeat,
  RULE_SHAPES.stale,
  RULE_SHAPES.errors,
  RULE_SHAPES.idle,
]);

/** The policy file, version 1. Only `capfit` is required; an empty policy stops nothing. */
export const policySchema = z.strictObject({
  capfit: z.literal(POLICY_VERSION),
  name: z.string().optional(),
  caps: caps.optional(),
  order: z
    .array(z.enum([...LIMITS, 'rules']))
    .optional()
    .describe('limits in the order asked; the rest follow in default order'),
  rules: z.array(rule).optional(),
  steps_at: z
    .enum(['boundary', 'dispatch'])
    .optional()
    .describe('judge steps at boundaries (default), or before each tool call as well'),
  timeouts: z
    .strictObject({ model_call: seconds.optional(), tool: seconds.optional() })
    .optional()
    .describe('seconds for one call; for the card and the exporters, not replayed'),
  wrap_up: z.boolean().optional(),
  halt_on: z.array(word).optional(),
  check: z.string().min(1).optional().describe('the program that pronounces a run finished'),
  measured: z.record(z.string(), z.unknown()).optional().describe('where the caps came from'),
});

export type PolicyFile = z.infer<typeof policySchema>;

/** JSON Schema of the policy file, as published with the package. */
export function policyJsonSchema(): object {
  return {
    $id: 'capfit/policy.schema.json',
    title: 'capfit policy, version 1',
    ...z.toJSONSchema(policySchema, { target: 'draft-2020-12', unrepresentable: 'any' }),
  };
}
