import type { Sealed } from '../model/chunk.js';
import type { LimitName } from '../model/limits.js';
import type { Summed } from '../model/pass-columns.js';
import type { Status } from '../model/status.js';
import type { Columns } from '../model/table.js';
import { countersAfter, type Extent, type Totals, totalAfter } from '../model/totals.js';
import type { Policy } from '../policy/policy.js';
import { isReached } from '../policy/stop.js';
import { callOf, NOWHERE, passOf, placeInside } from './columns-place.js';
import { type RuleMark, scanRule } from './columns-rules.js';
import { firstAtLeast } from './first-at-least.js';
import type { Outcome } from './replay.js';
import { firstPassAtMost, mayStopUnseen } from './unjudged.js';

/*
 * The replay of runs that lie in columns. A limit is reached for the first time at one place of a run, whatever the
 * others do, and running totals never fall: so each limit's place is found by itself, a cap's by bisection, and the
 * first place of all is where the run is stopped. The walk of `replayRun` is the definition; a test holds both equal.
 */

const NONE: readonly never[] = [];

/** One limit or rule of a policy, in the order asked. */
interface Asked {
  readonly reason: string;
  readonly limit: LimitName | null;
  readonly cap: number;
  /** The first place where it is reached, `NOWHERE`: nowhere. */
  reach(run: Extent): number;
  /** What its counter stands at where it is reached. */
  counterAt(run: Extent, place: number): number;
  /** The first place that it cannot judge, because the record lacks what it counts. */
  blindFrom(run: Extent): number;
  /** Whether it stands at its cap where the recording ends. */
  isReachedAtEnd(run: Extent): boolean;
}

/** What a policy would have done to a run of the columns that is whole. */
export type ColumnReplay = (extent: Extent, status: Status) => Outcome;

export function createColumnReplay(columns: Columns, totals: Totals, policy: Policy): ColumnReplay {
  const asked = askedOf(columns, policy, totals);
  return (extent, status) => {
    let first: Asked | null = null;
    let place = NOWHERE;
    for (const each of asked) {
      const reached = each.reach(extent);
      if (reached >= place) continue;
      place = reached;
      first = each;
    }
    const stop = first === null ? null : stopBy(first, extent, place);
    const end = countersAfter(totals, extent, stop?.afterPasses ?? extent.passes);
    // Inside a pass the steps stand at the call that was refused.
    if (stop !== null && place % 2 !== 0) end.steps = stepsInside(totals, extent, place);
    const notJudged = blindAt(asked, extent, place, stop?.reason ?? null);
    const unjudged = mayStopUnseen(notJudged, extent.passes, policy);
    return {
      stop,
      end,
      endAtLeast: unjudged ? firstPassAtMost(end, countersAfter(totals, extent, 1)) : end,
      maybe: NONE,
      censored: stop === null && status === 'stopped_budget' && !asked.some((each) => each.isReachedAtEnd(extent)),
      approximate: false,
      notJudged,
      unjudged,
    };
  };
}

function stopBy(asked: Asked, extent: Extent, place: number): NonNullable<Outcome['stop']> {
  const { reason, limit, cap } = asked;
  return { reason, limit, cap, counter: asked.counterAt(extent, place), afterPasses: passOf(place) };
}

/** Steps emitted when a call of a pass is asked for: those before the pass, the plan, and two a call but its result. */
function stepsInside(totals: Totals, { first }: Extent, place: number): number | null {
  const before = totalAfter(totals.steps, first, passOf(place) - 1);
  return before === null ? null : before + 2 * callOf(place);
}

/**
 * The limits that could not judge a run that was asked up to `place`: at the last boundary only those that are asked
 * before the one that stopped it. A rule that fired has judged, whatever earlier calls lacked.
 */
function blindAt(asked: readonly Asked[], extent: Extent, place: number, stoppedBy: string | null): readonly string[] {
  const isBoundary = place % 2 === 0;
  const lastAsked = Math.min(isBoundary ? place : Math.floor(place), 2 * (extent.passes - 1));
  let blind: string[] | null = null;
  let isBeforeStop = true;
  for (const { reason, limit, blindFrom } of asked) {
    if (reason === stoppedBy) isBeforeStop = false;
    if (reason === stoppedBy && limit === null) continue;
    const from = blindFrom(extent);
    const seen =
      limit === null ? from < place : from < lastAsked || (from === lastAsked && (isBeforeStop || !isBoundary));
    if (!seen) continue;
    blind ??= [];
    blind.push(reason);
  }
  return blind ?? NONE;
}

function askedOf(columns: Columns, policy: Policy, totals: Totals): Asked[] {
  return policy.order.flatMap((entry): Asked[] => {
    if (entry === 'rules') return policy.rules.map((rule) => askedRule(scanRule(columns, rule), rule));
    const cap = policy.caps[entry];
    if (cap === undefined) return [];
    if (entry === 'passes') return [askedPasses(cap)];
    const column = totals[entry];
    const asked = askedTotal(entry, cap, column);
    return entry === 'steps' && policy.stepsAt === 'dispatch' ? [askedSteps(asked, columns, totals)] : [asked];
  });
}

function askedPasses(cap: number): Asked {
  return {
    reason: 'passes',
    limit: 'passes',
    cap,
    reach: ({ passes }) => (isReached(passes - 1, cap) ? 2 * cap : NOWHERE),
    counterAt: () => cap,
    blindFrom: () => NOWHERE,
    isReachedAtEnd: ({ passes }) => isReached(passes, cap),
  };
}

function askedTotal(limit: Summed, cap: number, column: Sealed | null): Asked {
  return {
    reason: limit,
    limit,
    cap,
    reach({ first, passes }) {
      if (column === null || passes < 2) return NOWHERE;
      const { values, unknown } = column;
      const index = firstAtLeast(values, first, first + passes - 1, cap);
      return index === first + passes - 1 || values[index] === unknown ? NOWHERE : 2 * (index - first + 1);
    },
    counterAt: ({ first }, place) => totalAfter(column, first, passOf(place)) as number,
    blindFrom({ first, passes }) {
      if (passes === 0) return NOWHERE;
      if (column === null) return 2;
      const { values, unknown } = column;
      if (values[first + passes - 1] !== unknown) return NOWHERE;
      return 2 * (firstAtLeast(values, first, first + passes, unknown) - first + 1);
    },
    isReachedAtEnd: ({ first, passes }) => isReached(totalAfter(column, first, passes), cap),
  };
}

/** Steps that are judged before each tool call as well: whichever place comes first. */
function askedSteps(atBoundary: Asked, columns: Columns, totals: Totals): Asked {
  const { cap } = atBoundary;
  return {
    ...atBoundary,
    reach(extent) {
      const { first, passes } = extent;
      for (let pass = 1; pass <= passes; pass++) {
        const before = totalAfter(totals.steps, first, pass - 1);
        const calls = columns.passes.callsOf(first + pass - 1);
        if (before === null || !isReached(before + 2 * calls, cap) || calls === 0) continue;
        const call = Math.max(1, Math.ceil((cap - before) / 2));
        return Math.min(atBoundary.reach(extent), placeInside(pass, call));
      }
      return atBoundary.reach(extent);
    },
    counterAt: (extent, place) =>
      place % 2 === 0 ? atBoundary.counterAt(extent, place) : (stepsInside(totals, extent, place) as number),
  };
}

function askedRule(markOf: (extent: Extent) => RuleMark, rule: Policy['rules'][number]): Asked {
  const isAtDispatch = rule.when === 'before_dispatch';
  return {
    reason: rule.name,
    limit: null,
    cap: rule.count,
    reach(extent) {
      const { pass, call } = markOf(extent);
      if (pass === 0 || (!isAtDispatch && pass >= extent.passes)) return NOWHERE;
      return isAtDispatch ? placeInside(pass, call) : 2 * pass;
    },
    counterAt: (extent) => (isAtDispatch ? rule.count : markOf(extent).count),
    blindFrom: (extent) => markOf(extent).blindFrom,
    isReachedAtEnd: (extent) => markOf(extent).pass > 0,
  };
}
