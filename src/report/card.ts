import { populationName, VERIFIED } from '../calibrate/population.js';
import type { DeriveReport } from '../calibrate/result.js';
import { fromAtoms } from '../model/atoms.js';
import type { LimitName, Metric } from '../model/limits.js';
import type { Policy, Rule } from '../policy/policy.js';
import type { ReplayReport } from '../replay/result.js';
import type { Fact } from './blocks.js';
import { alertTexts } from './card-alerts.js';
import { measuredFacts, moneyText, noteTexts } from './card-measured.js';
import { nameText } from './escape.js';
import { formatExact, formatLimit } from './format.js';
import { originOf, provenanceText } from './provenance.js';
import { describeRule } from './rule-words.js';

/** What the card may say beyond the policy itself, as far as it is known. */
export interface CardFacts {
  readonly derive?: DeriveReport | null | undefined;
  readonly replay?: ReplayReport | null | undefined;
  /** Share of stopped runs above which to raise an alarm; absent: from the replay, else 10 %. */
  readonly alertShare?: number | null | undefined;
  /** Dollars a million tokens, for the money line. */
  readonly usdPerMillionTokens?: number | null | undefined;
}

/** One ceiling or rule of the policy, in the order asked. */
export interface CardLimit {
  /** The reason that a stop by it carries. */
  readonly reason: string;
  /** The ceiling in its own unit, or the rule's count. */
  readonly value: number;
  /** `26 passes`, `repeats at 3`. */
  readonly text: string;
  readonly provenance: string;
}

/** The stop-policy card as plain data: one page that says when a loop ends and why there. */
export interface Card {
  readonly schema: 'capfit/card@1';
  readonly name: string | null;
  readonly population: string;
  readonly exits: readonly Fact[];
  readonly limits: readonly CardLimit[];
  readonly conduct: readonly Fact[];
  readonly report_fields: readonly string[];
  readonly alerts: readonly string[];
  readonly money: string;
  readonly measured: readonly Fact[];
  readonly notes: readonly string[];
}

/** What every report of a run must carry, however it ended. */
const REPORT_FIELDS = [
  'status',
  'reason',
  'passes',
  'tokens',
  'seconds',
  'transcript id',
  'answer',
  'check output',
  'partial work',
] as const;

/** Widest that the check's command or a source is printed. */
const COMMAND_WIDTH = 200;

/** More entries of a list than this are counted, not printed. */
const MAX_NAMES = 12;

/** The card of a policy, with what was measured where it is given. */
export function buildCard(policy: Policy, known: CardFacts = {}): Card {
  const population = known.derive?.population ?? known.replay?.population ?? measuredPopulation(policy);
  return {
    schema: 'capfit/card@1',
    name: policy.name,
    population,
    exits: exitFacts(policy),
    limits: policy.order.flatMap((entry) =>
      entry === 'rules' ? policy.rules.map(ruleLimit) : capLimits(policy, entry, known.derive ?? null, population),
    ),
    conduct: conductFacts(policy),
    report_fields: REPORT_FIELDS,
    alerts: alertTexts(policy, known.replay ?? null, known.alertShare ?? null),
    money: moneyText(policy, known.replay ?? null, known.usdPerMillionTokens ?? null),
    measured: measuredFacts(policy, known.derive ?? null, known.replay ?? null, population),
    notes: noteTexts(known.replay ?? null),
  };
}

function measuredPopulation(policy: Policy): string {
  const population = policy.measured?.population;
  return typeof population === 'string' ? nameText(population) : populationName(VERIFIED);
}

function exitFacts(policy: Policy): Fact[] {
  const check =
    policy.check === null
      ? 'not named: where no program says so, a run can only end as done_claimed'
      : nameText(policy.check, COMMAND_WIDTH);
  return [
    { term: '1. done', text: "Check passes: done_verified. No check: done_claimed, which is the agent's word only." },
    { term: '2. stopped on budget', text: 'stopped_budget: a limit below was reached; it is the reason.' },
    {
      term: '3. halted on error',
      text: 'halted_error: an error of the halt list, or canceled; its class is the reason.',
    },
    { term: 'Not an exit', text: 'A check that fails, and an empty answer: both are fed back, and the loop goes on.' },
    { term: 'The check', text: check },
  ];
}

function capLimits(policy: Policy, limit: LimitName, derive: DeriveReport | null, population: string): CardLimit[] {
  const atoms = policy.caps[limit];
  if (atoms === undefined) return [];
  // Steps follow from passes and are never derived.
  const derived = limit === 'steps' ? null : (derive?.caps[limit satisfies Metric] ?? null);
  const value = fromAtoms(limit, atoms);
  return [
    {
      reason: limit,
      value,
      text: formatLimit(limit, value),
      provenance: provenanceText(limit, atoms, derived ?? originOf(policy.measured, limit), population),
    },
  ];
}

function ruleLimit(rule: Rule): CardLimit {
  const exempt = rule.exempt.length === 0 ? 'none' : nameList(rule.exempt);
  return {
    reason: rule.name,
    value: rule.count,
    text: `${nameText(rule.name)} at ${rule.count}`,
    provenance: `${describeRule(rule)}; exempt tools: ${exempt}`,
  };
}

function conductFacts(policy: Policy): Fact[] {
  const halts =
    policy.haltOn.length === 0 ? 'none listed: name the errors that must end a run' : nameList(policy.haltOn);
  return [
    { term: 'Model call timeout', text: timeoutText(policy.timeouts.modelCall) },
    { term: 'Tool call timeout', text: timeoutText(policy.timeouts.tool) },
    { term: 'Scope', text: 'The whole run: sub-agents and retries count in the pass that caused them.' },
    { term: 'Wrap-up call', text: wrapUpText(policy.wrapUp) },
    { term: 'Halt on', text: halts },
    { term: 'Other errors', text: 'Every other error goes back to the model as a tool result.' },
  ];
}

function timeoutText(micros: number | null): string {
  if (micros === null) return 'not set: set one, a hanging tool never reaches a boundary';
  return `${formatExact('seconds', fromAtoms('seconds', micros))} a call`;
}

function wrapUpText(wrapUp: boolean): string {
  if (!wrapUp) return 'No: after a stop the model is not called again.';
  return 'Yes: one last model call may sum up. Its text is labelled unverified and its tokens are extra.';
}

function nameList(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).map((name) => nameText(name));
  const rest = names.length - shown.length;
  return shown.join(', ') + (rest > 0 ? `, … and ${rest} more` : '');
}
