import type { Json } from '../model/json.js';
import { LIMITS, type LimitName } from '../model/limits.js';

/** What is compared to call two events the same: tool, arguments and result; tool and arguments; or the result. */
export const REPEAT_KEYS = ['call', 'request', 'result'] as const;
export type RepeatKey = (typeof REPEAT_KEYS)[number];

/** Where the identical events of a `repeat` may lie: in a row, anywhere in the run, or within its last calls. */
export const REPEAT_SCOPES = ['consecutive', 'run', 'window'] as const;
export type RepeatScope = (typeof REPEAT_SCOPES)[number];

/** When a rule is judged: at the boundary before a model call, or before a tool is run. */
export const RULE_TIMES = ['before_call', 'before_dispatch'] as const;
export type RuleTime = (typeof RULE_TIMES)[number];

interface RuleBase {
  /** The reason a stop carries. */
  readonly name: string;
  /** How many it takes; for `repeat` the first occurrence is one of them. */
  readonly count: number;
  /** Tools meant to poll: invisible to the rule, they neither count nor break a streak. */
  readonly exempt: readonly string[];
  readonly when: RuleTime;
}

/** Stops at the `count`-th identical event, the first occurrence included. */
export interface RepeatRule extends RuleBase {
  readonly rule: 'repeat';
  readonly key: RepeatKey;
  readonly scope: RepeatScope;
  /** How many of the last calls are looked at under scope `window`; `null` under the others. */
  readonly window: number | null;
  /** Longest block of events whose repetition counts: 2 sees A,B,A,B. More than 1 only under scope `consecutive`. */
  readonly period: number;
  /** Shortest such block; 2 looks for alternation only. */
  readonly minPeriod: number;
}

/** Stops when `count` calls in a row each brought a result that an earlier call had brought. */
export interface StaleRule extends RuleBase {
  readonly rule: 'stale';
}

/** Stops when `count` calls in a row failed. */
export interface ErrorsRule extends RuleBase {
  readonly rule: 'errors';
}

/** Stops when `count` passes in a row made no call and ended nothing. */
export interface IdleRule extends RuleBase {
  readonly rule: 'idle';
}

export type Rule = RepeatRule | StaleRule | ErrorsRule | IdleRule;
export type RuleKind = Rule['rule'];

/** An entry of the order in which limits are asked; `rules` stands for all rules in list order. */
export type OrderEntry = LimitName | 'rules';
export const DEFAULT_ORDER: readonly OrderEntry[] = [...LIMITS, 'rules'];

/** Ceilings in atoms. Absence is "no limit"; zero is not a cap. */
export type Caps = { readonly [limit in LimitName]?: number };

/** When a loop must stop, and what goes with it on the card. */
export interface Policy {
  readonly name: string | null;
  readonly caps: Caps;
  /** All limits and `rules`, each once, in the order asked. */
  readonly order: readonly OrderEntry[];
  readonly rules: readonly Rule[];
  /** Whether steps are judged at boundaries only, or before each tool call as well. */
  readonly stepsAt: 'boundary' | 'dispatch';
  /** Per-call time limits in microseconds: for the card and the exporters, not replayed. */
  readonly timeouts: { readonly modelCall: number | null; readonly tool: number | null };
  /** Whether one last model call may sum up after a stop. */
  readonly wrapUp: boolean;
  /** Error classes that halt the run; all others are fed back to the model. */
  readonly haltOn: readonly string[];
  /** The program that pronounces a run finished; `null`: none. */
  readonly check: string | null;
  /** Where the caps came from, as the policy file keeps it. */
  readonly measured: { readonly [key: string]: Json } | null;
}

/** A policy that stops nothing. */
export const EMPTY_POLICY: Policy = {
  name: null,
  caps: {},
  order: DEFAULT_ORDER,
  rules: [],
  stepsAt: 'boundary',
  timeouts: { modelCall: null, tool: null },
  wrapUp: false,
  haltOn: [],
  check: null,
  measured: null,
};

/** The full order: what was named first, the rest in default order behind it. */
export function completeOrder(named: readonly OrderEntry[]): OrderEntry[] {
  return [...named, ...DEFAULT_ORDER.filter((entry) => !named.includes(entry))];
}

/** The name a rule goes by when the policy gives none. */
export const DEFAULT_RULE_NAMES: Readonly<Record<RuleKind, string>> = {
  repeat: 'repeats',
  stale: 'stale',
  errors: 'errors',
  idle: 'idle',
};

/** How many it takes when the policy does not say. */
export const DEFAULT_RULE_COUNT = 3;

/** The settings of a `repeat` that names none: the same call with the same result, three times in a row. */
export const PLAIN_REPEAT: RepeatRule = {
  rule: 'repeat',
  name: DEFAULT_RULE_NAMES.repeat,
  key: 'call',
  count: DEFAULT_RULE_COUNT,
  scope: 'consecutive',
  window: null,
  period: 1,
  minPeriod: 1,
  exempt: [],
  when: 'before_call',
};

/** The other kinds of rules at their defaults. */
export const PLAIN_STALE: StaleRule = { ...plain('stale'), rule: 'stale' };
export const PLAIN_ERRORS: ErrorsRule = { ...plain('errors'), rule: 'errors' };
export const PLAIN_IDLE: IdleRule = { ...plain('idle'), rule: 'idle' };

function plain(kind: RuleKind): RuleBase {
  return { name: DEFAULT_RULE_NAMES[kind], count: DEFAULT_RULE_COUNT, exempt: [], when: 'before_call' };
}

/** The same rules, blind to these tools as well. */
export function exempting(rules: readonly Rule[], tools: readonly string[]): readonly Rule[] {
  return tools.length === 0
    ? rules
    : rules.map((rule) => ({ ...rule, exempt: [...new Set([...rule.exempt, ...tools])] }));
}

/** Whether a policy can stop a run inside a pass, before a tool is run. */
export function judgesDispatch(policy: Policy): boolean {
  const stepsThere = policy.stepsAt === 'dispatch' && policy.caps.steps !== undefined;
  return stepsThere || policy.rules.some((rule) => rule.when === 'before_dispatch');
}
