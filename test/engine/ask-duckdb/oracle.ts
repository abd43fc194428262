import { type Mark, NO_PLACE, STEP, SUMMED_LIMITS, type SummedLimit } from '../../../src/engine/ask/dialect.js';
import { toAtoms } from '../../../src/model/atoms.js';
import { LIMITS, METRICS } from '../../../src/model/limits.js';
import { passAmount } from '../../../src/model/measure.js';
import type { Call, Run } from '../../../src/model/run.js';
import type { RepeatRule, Rule } from '../../../src/policy/policy.js';
import { trackStreak } from '../../../src/policy/repeat.js';
import { trackRule } from '../../../src/policy/track-rule.js';
import { lacksArguments } from '../../../src/replay/arguments.js';
import { figure, type NamedRow } from './rows.js';

/*
 * What the contract says of a run, told by plain loops over it and the project's own trackers.
 */

export const RUN_COLUMNS = [
  ...['ord', 'id', 'status', 'verdict', 'claim', 'reason', 'kept'],
  ...METRICS.map((metric) => `stated_${metric}`),
  ...SUMMED_LIMITS.map((limit) => `sum_${limit}`),
  ...LIMITS.map((limit) => `under_${limit}`),
];

/** A counter after so many kept passes; `null`: not known. */
export function counterAfter(run: Run, limit: SummedLimit, passes: number): number | null {
  let sum = 0;
  for (const pass of run.passes?.slice(0, passes) ?? []) {
    const amount = passAmount(pass, limit);
    if (amount === null) return null;
    sum += amount;
  }
  return sum;
}

export function keptOf(run: Run): number {
  return run.passes === null ? -1 : run.passes.length;
}

/** The row of `runs`. */
export function runRow(run: Run, ord: number, by: readonly string[]): NamedRow {
  const kept = keptOf(run);
  const tracker = trackStreak('call');
  for (const call of callsOf(run)) tracker.observe(call);
  return {
    ord: String(ord),
    id: run.id,
    status: run.status,
    verdict: run.check,
    claim: run.claim ?? '',
    reason: run.reason ?? '',
    kept: String(kept),
    ...Object.fromEntries(METRICS.map((metric) => [`stated_${metric}`, figure(run.totals?.[metric] ?? null)])),
    ...Object.fromEntries(
      SUMMED_LIMITS.map((limit) => [`sum_${limit}`, kept < 0 ? null : figure(counterAfter(run, limit, kept))]),
    ),
    ...Object.fromEntries(
      LIMITS.map((limit) => {
        const cap = run.recordedUnder.get(limit);
        return [`under_${limit}`, cap === undefined ? null : figure(toAtoms(limit, cap))];
      }),
    ),
    ...Object.fromEntries(by.map((label, at) => [`l${at}`, run.labels.get(label) ?? null])),
    streak: kept < 0 ? null : String(tracker.count),
    lacks: lacksArguments(run) ? '1' : '0',
  };
}

function callsOf(run: Run): Call[] {
  return (run.passes ?? []).flatMap(({ calls }) => [...calls]);
}

/** The columns of a mark. */
export function markRow(run: Run, mark: Mark, at: number): NamedRow {
  if (mark.kind === 'rule') return ruleRow(run, mark.rule, at);
  const { limit, cap, atDispatch } = mark;
  const kept = keptOf(run);
  let [place, blind] = [NO_PLACE, NO_PLACE];
  for (let pass = 1; pass <= kept; pass++) {
    const before = counterAfter(run, limit, pass - 1);
    const after = counterAfter(run, limit, pass);
    const calls = run.passes?.[pass - 1]?.calls.length ?? 0;
    if (atDispatch && before !== null && calls > 0 && before + 2 * calls >= cap) {
      place = Math.min(place, (2 * pass - 1) * STEP + Math.max(1, Math.ceil((cap - before) / 2)));
    }
    if (after !== null && after >= cap && pass < kept) place = Math.min(place, 2 * pass * STEP);
    if (after === null) blind = Math.min(blind, 2 * pass * STEP);
  }
  return { [`p${at}`]: place_(place), [`b${at}`]: place_(blind) };
}

function place_(place: number): string {
  return String(BigInt(place));
}

function ruleRow(run: Run, rule: Rule, at: number): NamedRow {
  const tracker = trackRule(rule);
  let [place, blind, isReached] = [NO_PLACE, NO_PLACE, false];
  for (const [index, pass] of (run.passes ?? []).entries()) {
    if (isReached) break;
    const inside = (call: number): number => (2 * index + 1) * STEP + call + 1;
    let reachedAt = -1;
    for (const [call, each] of pass.calls.entries()) {
      if (rule.exempt.includes(each.tool)) continue;
      tracker.observe(each);
      if (tracker.blind) blind = Math.min(blind, inside(call));
      if (tracker.count >= rule.count && reachedAt < 0) reachedAt = call;
    }
    tracker.endPass(pass.calls.length);
    isReached = tracker.count >= rule.count;
    if (!isReached) continue;
    if (rule.when === 'before_dispatch') place = inside(reachedAt);
    else if (index + 1 < keptOf(run)) place = 2 * (index + 1) * STEP;
  }
  return { [`p${at}`]: place_(place), [`b${at}`]: place_(blind), [`e${at}`]: isReached ? '1' : '0' };
}

/** Tools of a run at whose calls the current count is at the rule's own, with the calls before the first of them. */
export function reachedTools(run: Run, rule: RepeatRule): Map<string, number> {
  const tracker = trackRule(rule);
  const reached = new Map<string, number>();
  for (const [before, call] of callsOf(run).entries()) {
    if (rule.exempt.includes(call.tool)) continue;
    tracker.observe(call);
    if (tracker.current >= rule.count && !reached.has(call.tool)) reached.set(call.tool, before);
  }
  return reached;
}

/** The columns of counters around the boundary after so many passes. */
export function counterRow(run: Run, after: number): NamedRow {
  const counter = (limit: SummedLimit, passes: number): string | null => figure(counterAfter(run, limit, passes));
  return Object.fromEntries(
    SUMMED_LIMITS.flatMap((limit) => [
      [`at_${limit}`, after === 0 ? null : counter(limit, after)],
      [`before_${limit}`, after === 0 ? null : counter(limit, after - 1)],
      [`first_${limit}`, keptOf(run) > 0 ? counter(limit, 1) : null],
    ]),
  );
}

/** The rows of the passes of a run; what follows a pass that lacks its part is not known. */
export function passRows(run: Run): NamedRow[] {
  return (run.passes ?? []).map((_, index) => {
    const entries = SUMMED_LIMITS.flatMap((limit) => {
      const [before, after] = [counterAfter(run, limit, index), counterAfter(run, limit, index + 1)];
      return [
        [`before_${limit}`, figure(before)],
        [`add_${limit}`, before === null || after === null ? null : figure(after - before)],
      ];
    });
    return { pass: String(index + 1), ...Object.fromEntries(entries) };
  });
}
