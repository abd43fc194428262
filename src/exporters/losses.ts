import { LIMITS, type LimitName } from '../model/limits.js';
import type { Policy, Rule } from '../policy/policy.js';
import { decimal } from './amounts.js';
import type { Saying, Sayings, Unsaid } from './exporter.js';
import { quoted } from './quote.js';

/** How far a policy is said by a target: what is said with a difference, and what not at all. */
export interface Losses {
  readonly differs: readonly string[];
  readonly cannot: readonly string[];
}

/** One part of the policy held against what the target can say. */
interface Judged {
  readonly part: string;
  readonly saying: Saying | null;
  /** Why the part is lost, and what to do instead. */
  readonly otherwise: string;
}

/** The live guard of this package asks the whole policy, in any loop. */
const GUARD = 'use capfit/guard';

const NO_CAP: Readonly<Record<LimitName, string>> = {
  passes: `no setting counts model calls; ${GUARD}`,
  tokens: `no setting counts tokens; ${GUARD}`,
  seconds: `no setting holds the time of a run; ${GUARD}`,
  usd: `no setting counts money; ${GUARD}`,
  steps: `no setting counts emitted steps; ${GUARD}`,
};

/** Every part of the policy that the target says otherwise or not at all: computed from what this policy asks. */
export function lossesOf(policy: Policy, says: Sayings, unsaid: Unsaid = {}): Losses {
  const judged = [
    ...judgeCaps(policy, says, unsaid),
    ...policy.rules.map((rule) => judgeRule(rule, says)),
    ...judgeOrder(policy, says, unsaid),
    ...judgeTimeouts(policy, says, unsaid),
    ...judgeWords(policy, says),
  ];
  return {
    differs: judged.flatMap(({ part, saying }) =>
      saying === null || saying === 'exactly' ? [] : [`${part}: ${saying.differs}`],
    ),
    cannot: judged.flatMap(({ part, saying, otherwise }) => (saying === null ? [`${part}: ${otherwise}`] : [])),
  };
}

function judgeCaps(policy: Policy, says: Sayings, unsaid: Unsaid): Judged[] {
  return LIMITS.flatMap((limit) => {
    const cap = policy.caps[limit];
    if (cap === undefined) return [];
    const where = limit === 'steps' && policy.stepsAt === 'dispatch' ? ', judged before each tool call too' : '';
    return [
      {
        part: `caps.${limit} ${decimal(limit, cap)}${where}`,
        saying: limit === 'seconds' && unsaid.seconds !== undefined ? null : (says.caps?.[limit] ?? null),
        otherwise: (limit === 'seconds' ? unsaid.seconds : undefined) ?? NO_CAP[limit],
      },
    ];
  });
}

function judgeRule(rule: Rule, says: Sayings): Judged {
  return {
    part: `rule ${quoted(rule.name)} (${ruleWords(rule)})`,
    saying: says.rule?.(rule) ?? null,
    otherwise: `no such rule; ${GUARD}`,
  };
}

/** A rule in the words of the policy file, as far as they differ from the defaults. */
function ruleWords(rule: Rule): string {
  const words = [`${rule.rule}${rule.rule === 'repeat' ? ` ${rule.key}` : ''} x ${rule.count}`];
  if (rule.rule === 'repeat') {
    if (rule.scope === 'run') words.push('anywhere in the run');
    if (rule.scope === 'window') words.push(`within ${rule.window} calls`);
    if (rule.period > 1) words.push(`blocks of ${rule.minPeriod} to ${rule.period}`);
  }
  if (rule.when === 'before_dispatch') words.push('before the tool is run');
  if (rule.exempt.length > 0) words.push(`exempt: ${rule.exempt.map(quoted).join(', ')}`);
  return words.join('; ');
}

/** The order matters where the target says two limits or more: it decides which reason a stop carries. */
function judgeOrder(policy: Policy, says: Sayings, unsaid: Unsaid): Judged[] {
  const said = policy.order.filter(
    (entry): entry is LimitName =>
      entry !== 'rules' &&
      policy.caps[entry] !== undefined &&
      says.caps?.[entry] !== undefined &&
      !(entry === 'seconds' && unsaid.seconds !== undefined),
  );
  if (said.length < 2 || says.order === 'any') return [];
  const own = (says.order ?? []).filter((limit) => said.includes(limit));
  if (own.join() === said.join()) return [];
  const otherwise =
    own.length < said.length
      ? 'the framework does not say which limit comes first where two are reached at once'
      : `where two limits are reached at once, the framework asks ${own.join(', ')}`;
  return [{ part: `order ${said.join(', ')}`, saying: null, otherwise }];
}

function judgeTimeouts({ timeouts }: Policy, says: Sayings, unsaid: Unsaid): Judged[] {
  const judged: Judged[] = [];
  if (timeouts.modelCall !== null) {
    judged.push({
      part: `timeouts.model_call ${decimal('seconds', timeouts.modelCall)} s`,
      saying: says.modelCallTimeout ?? null,
      otherwise: 'set it on your model client',
    });
  }
  if (timeouts.tool !== null) {
    judged.push({
      part: `timeouts.tool ${decimal('seconds', timeouts.tool)} s`,
      saying: unsaid.toolTimeout === undefined ? (says.toolTimeout ?? null) : null,
      otherwise: unsaid.toolTimeout ?? 'set it inside your tools: no stop of a loop ends a tool that hangs',
    });
  }
  return judged;
}

function judgeWords(policy: Policy, says: Sayings): Judged[] {
  const judged: Judged[] = [];
  const isForced = says.wrapUp === 'always' && policy.caps.passes !== undefined;
  if (policy.wrapUp ? says.wrapUp === undefined : isForced) {
    judged.push({
      part: `wrap_up ${policy.wrapUp}`,
      saying: policy.wrapUp ? null : { differs: 'one more model call is made after the stop all the same' },
      otherwise: 'no last call sums up after a stop; make it yourself',
    });
  }
  if (policy.haltOn.length > 0) {
    judged.push({
      part: `halt_on ${policy.haltOn.map(quoted).join(', ')}`,
      saying: says.haltOn ?? null,
      otherwise: 'no setting says which errors end a run; raise them where they happen',
    });
  }
  if (policy.check !== null) {
    judged.push({
      part: `check ${quoted(policy.check)}`,
      saying: says.check ?? null,
      otherwise: 'it is not run for you; run it on the result before a run counts as done',
    });
  }
  return judged;
}
