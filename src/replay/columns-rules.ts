import type { CallColumns } from '../model/call-columns.js';
import type { Columns } from '../model/table.js';
import type { Extent } from '../model/totals.js';
import { PLAIN_REPEAT, type RepeatKey, type Rule } from '../policy/policy.js';
import { counterOf, type Event } from '../policy/repeat.js';
import { isReached } from '../policy/stop.js';
import { placeInside } from './columns-place.js';

/** Where a rule's count is reached in one run: all that a replay asks of it. */
export interface RuleMark {
  /** The pass in which it is reached, counted from 1; 0: nowhere. */
  readonly pass: number;
  /** The call of that pass, counted from 1. */
  readonly call: number;
  /** The rule's count at the end of that pass. */
  readonly count: number;
  /** The first place where a call lacks what the rule compares. */
  readonly blindFrom: number;
}

/** Follows one rule along the calls of one run; `null` is a call that cannot be judged. */
interface Follower {
  /** The rule's current count after a call. */
  observe(call: number): number;
  isBlind(call: number): boolean;
  endPass(calls: number): number;
}

/** Finds the marks of a rule; the last one is kept, since it is asked for more than once. */
export function scanRule(columns: Columns, rule: Rule): (extent: Extent) => RuleMark {
  const { calls } = columns.passes;
  const exempt = new Set(rule.exempt.map((tool) => calls.codeOfTool(tool)));
  const streaks = isPlain(rule) ? streaksOf(columns) : null;
  const isRepeated = streaks === null ? null : repeatsOfColumns(columns);
  /** By the longest streak: most runs repeat too little to be looked at. */
  const unreached: RuleMark[] = [];
  const markOf = (extent: Extent, longest: number): RuleMark => {
    if (isRepeated !== null && isReached(longest, rule.count))
      return plainMark(columns, extent, rule.count, isRepeated);
    unreached[longest] ??= { pass: 0, call: 0, count: longest, blindFrom: Number.POSITIVE_INFINITY };
    return unreached[longest];
  };
  let lastRun = -1;
  let lastMark: RuleMark | null = null;
  return (extent) => {
    if (lastMark === null || lastRun !== extent.run) {
      lastMark =
        streaks?.isBlind[extent.run] === 0
          ? markOf(extent, streaks.longest[extent.run] as number)
          : scan(columns, extent, rule.count, exempt, followerOf(calls, rule));
      lastRun = extent.run;
    }
    return lastMark;
  };
}

/**
 * The mark of the plain rule in a run whose calls all tell what they are compared by: by their codes alone, in a third of
 * the time that following them takes.
 */
function plainMark(
  columns: Columns,
  { run, first, passes }: Extent,
  wanted: number,
  isRepeated: (call: number) => boolean,
): RuleMark {
  const blindFrom = Number.POSITIVE_INFINITY;
  let next = columns.firstCall(run);
  let [streak, most, reachedAt] = [0, 0, 0];
  for (let pass = 1; pass <= passes; pass++) {
    const made = columns.passes.callsOf(first + pass - 1);
    for (let call = 1; call <= made; call++, next++) {
      streak = streak > 0 && isRepeated(next) ? streak + 1 : 1;
      most = Math.max(most, streak);
      if (reachedAt === 0 && isReached(most, wanted)) reachedAt = call;
    }
    if (reachedAt > 0) return { pass, call: reachedAt, count: most, blindFrom };
  }
  return { pass: 0, call: 0, count: most, blindFrom };
}

/** Whether a call is the same as the one before it, which must be of the same run; what lacks a result never is. */
function repeatsOfColumns({ passes }: Columns): (call: number) => boolean {
  const { tool, args, result } = passes.calls.codes();
  if (tool === null || result === null) return () => false;
  return (call) =>
    result.values[call] === result.values[call - 1] &&
    result.values[call] !== result.unknown &&
    tool.values[call] === tool.values[call - 1] &&
    (args === null || args.values[call] === args.values[call - 1]);
}

function scan(
  columns: Columns,
  { run, first, passes }: Extent,
  wanted: number,
  exempt: ReadonlySet<number | null>,
  follower: Follower,
): RuleMark {
  const { calls } = columns.passes;
  let next = columns.firstCall(run);
  let blindFrom = Number.POSITIVE_INFINITY;
  let most = 0;
  let reachedAt = 0;
  for (let pass = 1; pass <= passes; pass++) {
    const made = columns.passes.callsOf(first + pass - 1);
    for (let call = 1; call <= made; call++, next++) {
      if (exempt.has(calls.toolCode(next))) continue;
      if (follower.isBlind(next)) blindFrom = Math.min(blindFrom, placeInside(pass, call));
      most = Math.max(most, follower.observe(next));
      if (reachedAt === 0 && isReached(most, wanted)) reachedAt = call;
    }
    most = Math.max(most, follower.endPass(made));
    if (isReached(most, wanted)) return { pass, call: reachedAt, count: most, blindFrom };
  }
  return { pass: 0, call: 0, count: most, blindFrom };
}

function followerOf(calls: CallColumns, rule: Rule): Follower {
  switch (rule.rule) {
    case 'repeat':
      return followEvents(calls, rule.key, counterOf(rule));
    case 'stale':
      return followStale(calls);
    case 'errors':
      return followErrors(calls);
    case 'idle':
      return followIdle();
  }
}

const NO_CALL_COUNTS = 0;

function followEvents(calls: CallColumns, key: RepeatKey, count: (event: Event) => number): Follower {
  return {
    observe: (call) => count(eventOf(calls, key, call)),
    isBlind: (call) => key !== 'request' && calls.resultCode(call) === null,
    endPass: () => NO_CALL_COUNTS,
  };
}

/** Codes below this are packed into one exact number. */
const CODES = 2 ** 17;

/** A number or a text that two calls of one run share exactly when the rule must take them for the same. */
function eventOf(calls: CallColumns, key: RepeatKey, call: number): Event {
  const result = key === 'request' ? 0 : calls.resultCode(call);
  if (result === null) return null;
  if (key === 'result') return result;
  const tool = calls.toolCode(call);
  // Arguments that were not recorded are a call without arguments.
  const args = (calls.argsCode(call) ?? -1) + 1;
  if (tool < CODES && args < CODES && result < CODES) return (tool * CODES + args) * CODES + result;
  return `${tool},${args},${result}`;
}

function followStale(calls: CallColumns): Follower {
  const seen = new Set<number>();
  let streak = 0;
  return {
    observe(call) {
      const result = calls.resultCode(call);
      streak = result !== null && seen.has(result) ? streak + 1 : 0;
      if (result !== null) seen.add(result);
      return streak;
    },
    isBlind: (call) => calls.resultCode(call) === null,
    endPass: () => NO_CALL_COUNTS,
  };
}

function followErrors(calls: CallColumns): Follower {
  let streak = 0;
  return {
    observe(call) {
      streak = calls.hasFailed(call) === true ? streak + 1 : 0;
      return streak;
    },
    isBlind: (call) => calls.hasFailed(call) === null,
    endPass: () => NO_CALL_COUNTS,
  };
}

function followIdle(): Follower {
  let streak = 0;
  return {
    observe: () => NO_CALL_COUNTS,
    isBlind: () => false,
    endPass(calls) {
      streak = calls === 0 ? streak + 1 : 0;
      return streak;
    },
  };
}

function isPlain(rule: Rule): boolean {
  if (rule.rule !== 'repeat' || rule.exempt.length > 0) return false;
  const { key, scope, period } = rule;
  return key === PLAIN_REPEAT.key && scope === PLAIN_REPEAT.scope && period === PLAIN_REPEAT.period;
}

/** The longest streak of identical calls in a run. */
export function streakOfColumns(columns: Columns): (run: number) => number {
  const { longest } = streaksOf(columns);
  return (run) => longest[run] as number;
}

/** The streaks of all runs. */
interface Streaks {
  readonly longest: Uint32Array;
  readonly isBlind: Uint8Array;
}

const found = new WeakMap<Columns, Streaks>();

/** Looked for once: several rules, the report and the diagnosis ask for the same. */
function streaksOf(columns: Columns): Streaks {
  const known = found.get(columns);
  if (known !== undefined) return known;
  const streaks = { longest: new Uint32Array(columns.runs), isBlind: new Uint8Array(columns.runs) };
  const { result } = columns.passes.calls.codes();
  const isRepeated = repeatsOfColumns(columns);
  for (let run = 0; run < columns.runs; run++) {
    const start = columns.firstCall(run);
    const end = columns.firstCall(run + 1);
    let longest = Math.min(1, end - start);
    let streak = 1;
    let isBlind = false;
    for (let call = start; call < end; call++) {
      if (result === null || result.values[call] === result.unknown) isBlind = true;
      streak = call > start && isRepeated(call) ? streak + 1 : 1;
      if (streak > longest) longest = streak;
    }
    streaks.longest[run] = longest;
    streaks.isBlind[run] = Number(isBlind);
  }
  found.set(columns, streaks);
  return streaks;
}
