import type { RunCondition } from '../../../src/calibrate/questions.js';
import { meets } from '../../../src/cli/where.js';
import {
  type Mark,
  NO_PLACE,
  type RunsAsked,
  STEP,
  SUMMED_LIMITS,
  type SummedLimit,
} from '../../../src/engine/ask/dialect.js';
import { wellFormed } from '../../../src/engine/ask-clickhouse/words.js';
import { toAtoms } from '../../../src/model/atoms.js';
import { contentKey } from '../../../src/model/call-columns.js';
import { LIMITS } from '../../../src/model/limits.js';
import { passAmount } from '../../../src/model/measure.js';
import type { Call, Run } from '../../../src/model/run.js';
import type { RepeatRule, Rule } from '../../../src/policy/policy.js';
import { trackStreak } from '../../../src/policy/repeat.js';
import { trackRule } from '../../../src/policy/track-rule.js';
import { lacksArguments } from '../../../src/replay/arguments.js';

/* What the contract of a dialect says, read off the runs themselves: slow and plain. */

export type Known = { readonly [column: string]: number | string | null };

/** The columns of `runs`, one row a run that is asked for, in the order of the recording. */
export function runsOracle(runs: readonly Run[], asked: RunsAsked): Known[] {
  return wanted(runs, asked.where).map(([run, ord]) => runRow(run, ord, asked));
}

export function wanted(runs: readonly Run[], where: readonly RunCondition[]): [Run, number][] {
  const entries = runs.map((run, ord): [Run, number] => [run, ord]);
  return entries.filter(([run]) =>
    meets(
      encoded(run),
      where.map((each) => ({ ...each, value: wellFormed(each.value) })),
    ),
  );
}

/** What a run's texts are once they were written in UTF-8. */
function encoded(run: Run): Run {
  const labels = new Map([...run.labels].map(([name, value]) => [wellFormed(name), wellFormed(value)]));
  return { ...run, id: wellFormed(run.id), reason: run.reason === null ? null : wellFormed(run.reason), labels };
}

function runRow(run: Run, ord: number, { by, calls }: RunsAsked): Known {
  const { passes, totals } = run;
  const row: Record<string, number | string | null> = {
    ord,
    id: wellFormed(run.id),
    status: run.status,
    verdict: run.check,
    claim: run.claim ?? '',
    reason: wellFormed(run.reason ?? ''),
    kept: passes === null ? -1 : passes.length,
    stated_passes: totals?.passes ?? null,
    stated_tokens: totals?.tokens ?? null,
    stated_seconds: totals?.seconds ?? null,
    stated_usd: totals?.usd ?? null,
  };
  for (const limit of LIMITS) {
    const cap = run.recordedUnder.get(limit);
    row[`under_${limit}`] = cap === undefined ? null : toAtoms(limit, cap);
  }
  for (const limit of SUMMED_LIMITS)
    row[`sum_${limit}`] = passes === null ? null : counterAfter(run, limit, passes.length);
  const labels = encoded(run).labels;
  for (const [index, name] of by.entries()) row[`l${index}`] = labels.get(wellFormed(name)) ?? null;
  if (calls) {
    const tracker = trackStreak('call');
    for (const call of callsOf(run)) tracker.observe(call);
    row.streak = passes === null ? null : tracker.count;
    row.lacks = Number(lacksArguments(run));
  }
  return row;
}

function callsOf(run: Run): Call[] {
  return (run.passes ?? []).flatMap((pass) => pass.calls);
}

export function counterAfter(run: Run, limit: SummedLimit, after: number): number | null {
  let sum = 0;
  for (const pass of (run.passes ?? []).slice(0, after)) {
    const amount = passAmount(pass, limit);
    if (amount === null) return null;
    sum += amount;
  }
  return sum;
}

/** The columns of `marks`. */
export function marksOracle(runs: readonly Run[], asked: RunsAsked, marks: readonly Mark[]): Known[] {
  return wanted(runs, asked.where).map(([run, ord]) => {
    const row: Record<string, number | string | null> = { ...runRow(run, ord, asked) };
    for (const [index, mark] of marks.entries()) {
      const { place, blind, ended } = mark.kind === 'cap' ? capMark(run, mark) : ruleMark(run, mark.rule);
      row[`p${index}`] = place;
      row[`b${index}`] = blind;
      if (ended !== null) row[`e${index}`] = ended;
    }
    return row;
  });
}

interface Marked {
  readonly place: number;
  readonly blind: number;
  readonly ended: number | null;
}

const inside = (pass: number, call: number): number => (2 * pass - 1) * STEP + call;

function capMark(run: Run, { limit, cap, atDispatch }: Extract<Mark, { kind: 'cap' }>): Marked {
  const passes = run.passes ?? [];
  let place = NO_PLACE;
  let blind = NO_PLACE;
  for (let k = passes.length; k >= 1; k--) {
    const counter = counterAfter(run, limit, k);
    if (counter === null) blind = 2 * k * STEP;
    else if (k < passes.length && counter >= cap) place = 2 * k * STEP;
  }
  for (const [index, { calls }] of passes.entries()) {
    const before = counterAfter(run, limit, index);
    if (!atDispatch || before === null || calls.length === 0 || before + 2 * calls.length < cap) continue;
    place = Math.min(place, inside(index + 1, Math.max(1, Math.ceil((cap - before) / 2))));
  }
  return { place, blind, ended: null };
}

function lacks(rule: Rule, call: Call): boolean {
  if (rule.rule === 'idle' || (rule.rule === 'repeat' && rule.key === 'request')) return false;
  return rule.rule === 'errors' ? call.error === null : contentKey(call.result, call.resultDigest) === null;
}

function ruleMark(run: Run, rule: Rule): Marked {
  const tracker = trackRule(rule);
  const passes = run.passes ?? [];
  let blind = NO_PLACE;
  for (const [index, { calls }] of passes.entries()) {
    let reachedAt = 0;
    for (const [at, call] of calls.entries()) {
      tracker.observe(call);
      const isSeen = !rule.exempt.includes(call.tool);
      if (isSeen && lacks(rule, call)) blind = Math.min(blind, inside(index + 1, at + 1));
      if (reachedAt === 0 && tracker.count >= rule.count) reachedAt = at + 1;
    }
    tracker.endPass(calls.length);
    if (tracker.count < rule.count) continue;
    const boundary = index + 1 < passes.length ? 2 * (index + 1) * STEP : NO_PLACE;
    return { place: rule.when === 'before_dispatch' ? inside(index + 1, reachedAt) : boundary, blind, ended: 1 };
  }
  return { place: NO_PLACE, blind, ended: 0 };
}

/** The columns of `withCounters` beside those of `marks`. */
export function countersOracle(run: Run, after: number): Known {
  const row: Record<string, number | null> = {};
  const kept = run.passes?.length ?? 0;
  for (const limit of SUMMED_LIMITS) {
    row[`at_${limit}`] = after === 0 || after > kept ? null : counterAfter(run, limit, after);
    row[`before_${limit}`] = after === 0 || after > kept + 1 ? null : counterAfter(run, limit, after - 1);
    row[`first_${limit}`] = kept === 0 ? null : counterAfter(run, limit, 1);
  }
  return row;
}

/** The columns of `passes`. */
export function passesOracle(runs: readonly Run[], asked: RunsAsked): Known[] {
  return wanted(runs, asked.where).flatMap(([run, ord]) =>
    (run.passes ?? []).map((pass, index) => {
      const row: Record<string, number | string | null> = { ...runRow(run, ord, asked), pass: index + 1 };
      for (const limit of SUMMED_LIMITS) {
        row[`before_${limit}`] = counterAfter(run, limit, index);
        row[`add_${limit}`] = passAmount(pass, limit);
      }
      return row;
    }),
  );
}

/** The rows of `labels`: of each run, in order. */
export function labelsOracle(runs: readonly Run[], asked: RunsAsked): Known[] {
  return wanted(runs, asked.where).flatMap(([run, ord]) =>
    [...run.labels].map(([label, value], place) => ({
      ...runRow(run, ord, asked),
      label: wellFormed(label),
      value: wellFormed(value),
      place,
    })),
  );
}

/** The rows of `reachedTools`. */
export function reachedToolsOracle(runs: readonly Run[], asked: RunsAsked, rule: RepeatRule): Known[] {
  return wanted(runs, asked.where).flatMap(([run, ord]) => {
    const tracker = trackRule(rule);
    const first = new Map<string, number>();
    for (const [place, call] of callsOf(run).entries()) {
      if (rule.exempt.includes(call.tool)) continue;
      tracker.observe(call);
      if (tracker.current >= rule.count && !first.has(call.tool)) first.set(call.tool, place);
    }
    return [...first].map(([tool, place]) => ({ ...runRow(run, ord, asked), tool: wellFormed(tool), place }));
  });
}
