import { LIMITS } from '../model/limits.js';
import { DEFAULT_ORDER, REPEAT_KEYS, RULE_TIMES } from './policy.js';
import { POLICY_VERSION } from './record.js';

/** Whether a value is of the kind that a field takes. */
type Kind = (value: unknown) => boolean;

const text: Kind = (value) => typeof value === 'string' && value !== '';
const texts: Kind = (value) => Array.isArray(value) && value.every(text);
const flag: Kind = (value) => typeof value === 'boolean';
const amount: Kind = (value) => typeof value === 'number' && value > 0 && value !== Number.POSITIVE_INFINITY;
const count: Kind = (value) => Number.isSafeInteger(value) && (value as number) > 0;
const object: Kind = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const oneOf =
  (words: readonly string[]): Kind =>
  (value) =>
    words.some((word) => word === value);

type Fields = Readonly<Record<string, Kind>>;

const CAPS: Fields = Object.fromEntries(LIMITS.map((limit) => [limit, amount]));
const TIMEOUTS: Fields = { model_call: amount, tool: amount };
const RULE: Fields = { rule: text, name: text, count, exempt: texts, when: oneOf(['before_call']) };
const RULES: Readonly<Record<string, Fields>> = {
  repeat: {
    ...RULE,
    when: oneOf(RULE_TIMES),
    key: oneOf(REPEAT_KEYS),
    scope: oneOf(['consecutive', 'run']),
    window: count,
    period: count,
    min_period: count,
  },
  stale: RULE,
  errors: RULE,
  idle: RULE,
};

const POLICY: Fields = {
  capfit: oneOf([POLICY_VERSION]),
  name: (value) => typeof value === 'string',
  caps: object,
  order: (value) => Array.isArray(value) && value.every(oneOf(DEFAULT_ORDER)),
  rules: (value) => Array.isArray(value) && value.every(object),
  steps_at: oneOf(['boundary', 'dispatch']),
  timeouts: object,
  wrap_up: flag,
  halt_on: texts,
  check: text,
  measured: object,
};

/**
 * Holds a value of a live program against the shape of a policy record.
 *
 * @throws TypeError that names the first key or value that does not belong
 */
export function checkShape(record: unknown): void {
  if (!object(record)) {
    throw new TypeError(`a policy must be an object (the parsed content of a policy file), not ${shown(record)}`);
  }
  const policy = record as { readonly [key: string]: unknown };
  if (policy.capfit === undefined) throw new TypeError(`not a policy: it must say capfit: "${POLICY_VERSION}"`);
  checkFields('', policy, POLICY);
  checkFields('caps.', policy.caps, CAPS);
  checkFields('timeouts.', policy.timeouts, TIMEOUTS);
  for (const [index, rule] of ((policy.rules ?? []) as { readonly rule?: unknown }[]).entries()) {
    const fields = Object.hasOwn(RULES, String(rule.rule)) ? RULES[String(rule.rule)] : undefined;
    if (fields === undefined) {
      throw new TypeError(`rules[${index}].rule is ${shown(rule.rule)}: one of ${Object.keys(RULES).join(', ')}`);
    }
    checkFields(`rules[${index}].`, rule, fields);
  }
}

function checkFields(path: string, value: unknown, fields: Fields): void {
  for (const [key, held] of Object.entries((value ?? {}) as object)) {
    const kind = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (kind === undefined)
      throw new TypeError(`unknown key ${path}${key}: known are ${Object.keys(fields).join(', ')}`);
    if (held !== undefined && !kind(held)) throw new TypeError(`${path}${key} is ${shown(held)}, which it cannot be`);
  }
}

function shown(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}
