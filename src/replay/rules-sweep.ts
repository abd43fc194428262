import type { Json } from '../model/json.js';
import { passCount } from '../model/measure.js';
import type { Run } from '../model/run.js';
import {
  EMPTY_POLICY,
  exempting,
  PLAIN_ERRORS,
  PLAIN_IDLE,
  PLAIN_REPEAT,
  PLAIN_STALE,
  type Rule,
} from '../policy/policy.js';
import { policyRecord } from '../policy/record.js';
import { isReached } from '../policy/stop.js';
import { trackRule } from '../policy/track-rule.js';
import { addStop, figuresOf, openRules, type RecordedTally, type RuleTally, type RunFacts } from './rules-figures.js';
import type { SweepRow } from './rules-result.js';

/** A rule whose count is swept. */
export interface PlainRule {
  readonly name: string;
  readonly rule: Rule;
}

/** Each kind of rule at its plainest, and repeats as others look for them. All are judged at boundaries. */
export const PLAIN_RULES: readonly PlainRule[] = [
  { name: 'repeat call', rule: PLAIN_REPEAT },
  { name: 'repeat request', rule: { ...PLAIN_REPEAT, key: 'request' } },
  { name: 'repeat result', rule: { ...PLAIN_REPEAT, key: 'result' } },
  { name: 'repeat call, period 2', rule: { ...PLAIN_REPEAT, period: 2 } },
  { name: 'repeat request, whole run', rule: { ...PLAIN_REPEAT, key: 'request', scope: 'run' } },
  { name: 'stale', rule: PLAIN_STALE },
  { name: 'errors', rule: PLAIN_ERRORS },
  { name: 'idle', rule: PLAIN_IDLE },
];

/** The sweep of counts over runs that pass by. */
export interface Sweep {
  see(run: Run, facts: RunFacts): void;
  rows(recorded: RecordedTally): SweepRow[];
}

/**
 * One walk a run and rule answers every count, since a rule's own count never falls: the pass at which it first
 * stands at c is where a rule that asks for c stops.
 *
 * @param counts ascending
 */
export function createSweep(counts: readonly number[], exempt: readonly string[]): Sweep {
  const books = PLAIN_RULES.map(({ name, rule }) => ({
    name,
    rule: exempting([rule], exempt)[0] as Rule,
    tallies: counts.map(openRules),
  }));
  return {
    see(run, facts) {
      for (const { rule, tallies } of books) addRun(run, facts, rule, counts, tallies);
    },
    rows: (recorded) =>
      books.map(({ name, rule, tallies }) => ({
        rule: name,
        settings: settingsOf(rule),
        counts: tallies.map((tally, index) => ({ count: counts[index] as number, ...figuresOf(tally, recorded) })),
      })),
  };
}

function addRun(run: Run, facts: RunFacts, rule: Rule, counts: readonly number[], tallies: readonly RuleTally[]): void {
  const { stops, isBlind } = firstReachedAt(run, rule, counts);
  const isHidden = run.passes === null && passCount(run) !== 0;
  for (const [index, tally] of tallies.entries()) {
    const stop = stops[index] ?? null;
    // A rule that fired has judged, whatever some calls lacked.
    addStop(tally, facts, stop, stop !== null || !(isHidden || isBlind));
  }
}

/** The boundary at which each count is first reached, and whether some call lacks what the rule compares. */
function firstReachedAt(
  run: Run,
  rule: Rule,
  counts: readonly number[],
): { stops: readonly number[]; isBlind: boolean } {
  const tracker = trackRule(rule);
  const passes = run.passes ?? [];
  const stops: number[] = [];
  for (const [index, pass] of passes.entries()) {
    for (const call of pass.calls) tracker.observe(call);
    tracker.endPass(pass.calls.length);
    // What is reached in the last pass only stops nothing.
    if (index + 1 === passes.length) break;
    while (stops.length < counts.length && isReached(tracker.count, counts[stops.length] as number)) {
      stops.push(index + 1);
    }
  }
  return { stops, isBlind: tracker.blind };
}

/** A rule as a policy file holds it, but for its count. */
function settingsOf(rule: Rule): SweepRow['settings'] {
  const [record] = ruleRecords([rule]) as [{ [key: string]: Json }];
  const { count: _count, name: _name, ...settings } = record;
  return settings;
}

/** Rules as a policy file holds them. */
export function ruleRecords(rules: readonly Rule[]): readonly Json[] {
  return policyRecord({ ...EMPTY_POLICY, rules }).rules as Json[];
}
