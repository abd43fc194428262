import { textToAtoms } from '../model/atoms.js';
import { LIMITS, type LimitName, METRICS, type Metric } from '../model/limits.js';
import { policyOf } from '../policy/of-record.js';
import type { Policy, RepeatKey } from '../policy/policy.js';
import type { PolicyRecord, RepeatRecord, RuleRecord } from '../policy/policy-record.js';
import { formatLimit } from '../report/format.js';

/** What the controls of the page say: caps in their own units, `null` for none, and the count of the repeat rule. */
export interface State {
  readonly caps: { readonly [metric in Metric]: number | null };
  readonly repeat: number | null;
}

/** A rule stands at least at two: the first occurrence counts. */
export const LEAST_REPEAT = 2;
const REPEAT = 'repeat';

/** What a policy file says, as the controls say it. */
export function stateOf(record: PolicyRecord): State {
  const caps = Object.fromEntries(METRICS.map((metric) => [metric, record.caps?.[metric] ?? null]));
  return { caps: caps as State['caps'], repeat: repeatOf(record)?.count ?? null };
}

/** The policy that the controls say: today's, with these caps and this count. */
export function recordFor(base: PolicyRecord, { caps, repeat }: State): PolicyRecord {
  const { measured: _, ...rest } = base;
  const set = Object.fromEntries(
    LIMITS.flatMap((limit): [LimitName, number][] => {
      const cap = limit === 'steps' ? base.caps?.steps : caps[limit];
      return cap === null || cap === undefined ? [] : [[limit, cap]];
    }),
  );
  return { ...rest, caps: set, rules: rulesWith(base, repeat) };
}

export function policyFor(base: PolicyRecord, state: State): Policy {
  return policyOf(recordFor(base, state));
}

/** The repeat rule that the controls turn: the first one of the policy. */
function repeatOf({ rules = [] }: PolicyRecord): RepeatRecord | undefined {
  return rules.find((rule): rule is RepeatRecord => rule.rule === REPEAT);
}

/** What the repeat rule of the controls compares. */
export function keyOf(record: PolicyRecord): RepeatKey {
  return repeatOf(record)?.key ?? NEW_KEY;
}

const NEW_KEY = 'call';

function rulesWith(base: PolicyRecord, count: number | null): readonly RuleRecord[] {
  const own = repeatOf(base);
  const rules = base.rules ?? [];
  if (own === undefined) return count === null ? rules : [...rules, { rule: REPEAT, key: NEW_KEY, count }];
  return rules.flatMap((rule) => (rule === own ? (count === null ? [] : [{ ...own, count }]) : [rule]));
}

/** Caps in words: `26 passes, 460,000 tokens`, or `no cap`. */
export function capsText(caps: State['caps']): string {
  const set = METRICS.flatMap((metric) => (caps[metric] === null ? [] : [formatLimit(metric, caps[metric])]));
  return set.length === 0 ? 'no cap' : set.join(', ');
}

/** What the controls say, in words. */
export function stateText({ caps, repeat }: State): string {
  return `${capsText(caps)}${repeat === null ? '' : `, ${repeat} repeats`}`;
}

/** The state as the fragment of an address: `passes=20&tokens=none&repeat=3`. */
export function fragmentOf({ caps, repeat }: State): string {
  const entries = [...METRICS.map((metric) => [metric, caps[metric]] as const), [REPEAT, repeat] as const];
  return entries.map(([name, value]) => `${name}=${value ?? 'none'}`).join('&');
}

/** What a fragment says; what it leaves out, or says wrongly, stays as it is in the other state. */
export function stateIn(fragment: string, otherwise: State): State {
  const said = new URLSearchParams(fragment.replace(/^#/, ''));
  const caps = Object.fromEntries(
    METRICS.map((metric) => {
      const cap = capIn(metric, said.get(metric));
      return [metric, cap === undefined ? otherwise.caps[metric] : cap];
    }),
  );
  const repeat = countIn(said.get(REPEAT));
  return { caps: caps as State['caps'], repeat: repeat === undefined ? otherwise.repeat : repeat };
}

/** Of the parts of a fragment, those that say no cap and no count; `null`: all of it is understood. */
export function misreadIn(fragment: string): readonly string[] | null {
  const said = new URLSearchParams(fragment.replace(/^#/, ''));
  const wrong = [
    ...METRICS.filter((metric) => said.has(metric) && capIn(metric, said.get(metric)) === undefined),
    ...(said.has(REPEAT) && countIn(said.get(REPEAT)) === undefined ? [REPEAT] : []),
  ];
  const known: readonly string[] = [...METRICS, REPEAT];
  return wrong.length > 0 || [...said.keys()].some((name) => !known.includes(name)) ? wrong : null;
}

/** A cap as somebody typed it, `null` for none; `undefined`: it is no cap. */
export function capIn(metric: Metric, text: string | null): number | null | undefined {
  if (text === null) return undefined;
  if (text === 'none' || text === '') return null;
  const atoms = textToAtoms(metric, text.replaceAll(/[,_ ]/g, ''));
  return atoms === null || atoms === 0 ? undefined : Number(text.replaceAll(/[,_ ]/g, ''));
}

/** A count as somebody typed it, `null` for none; `undefined`: it is no count. */
export function countIn(text: string | null): number | null | undefined {
  if (text === null) return undefined;
  if (text === 'none' || text === '') return null;
  return /^\d{1,4}$/.test(text) && Number(text) >= LEAST_REPEAT ? Number(text) : undefined;
}
