import { LIMITS, type LimitName } from '../model/limits.js';
import type { Policy } from '../policy/policy.js';
import { type Axis, combinationsOf, stepsOf } from './sweep-cells.js';
import type { PolicyColumns } from './sweep-columns.js';
import { sweepAxes } from './sweep-grid.js';
import { sweepList } from './sweep-list.js';
import type { PreparedRuns } from './sweep-prepare.js';
import { ascending, repeatVariants } from './sweep-repeat.js';
import { type Place, type SweepResult, sweepResult } from './sweep-result.js';
import { sweepSingle } from './sweep-single.js';

export { type PreparedRuns, prepareSweep } from './sweep-prepare.js';
export type { SweepAnswer, SweepResult } from './sweep-result.js';

/**
 * What each of several policies would have done, in their order: the figures of `simulate`, which walks the runs for
 * each of them, from a look at what each run reaches.
 */
export function sweep(prepared: PreparedRuns, policies: readonly Policy[]): SweepResult {
  const places = new Array<Place>(policies.length);
  for (const numbers of alikeIn(policies)) {
    const alike = numbers.map((number) => policies[number] as Policy);
    if (alike.length <= FEW) {
      for (const [index, number] of numbers.entries()) {
        places[number] = { tallies: sweepSingle(prepared, columnsOf([alike[index] as Policy])), index: 0 };
      }
      continue;
    }
    const tallies = sweepList(prepared, columnsOf(alike));
    for (const [index, number] of numbers.entries()) places[number] = { tallies, index };
  }
  return sweepResult(prepared, {
    length: policies.length,
    placeOf: (number) => places[number] as Place,
    settingsOf(number) {
      const { caps, rules, order, stepsAt } = policies[number] as Policy;
      return { caps, rules, order, stepsAt, repeat: undefined };
    },
  });
}

/** Caps of a grid: ceilings in atoms by limit, `null` for none. */
export type GridCaps = { readonly [limit in LimitName]?: readonly (number | null)[] };

/**
 * What each combination of caps would have done. Limits come in the order of `LIMITS`, their caps ascending with none
 * last, and the last limit changes fastest. Everything that is not swept is the base policy's.
 *
 * @param repeats counts of the base policy's first repeat rule, or of the usual one where it has none, to be tried with
 * every combination of caps; `null` is no such rule. They come ascending, none last, and change slowest of all
 */
export function sweepGrid(
  prepared: PreparedRuns,
  base: Policy,
  caps: GridCaps,
  repeats: readonly (number | null)[] = [],
): SweepResult {
  const axes = axesOf(caps);
  const combinations = combinationsOf(axes);
  const grids = repeatVariants(base, repeats).map(({ repeat, policy }) => ({
    repeat,
    rules: policy.rules,
    tallies: sweepAxes(prepared, policy, axes),
  }));
  const gridOf = (policy: number): (typeof grids)[number] =>
    grids[Math.floor(policy / combinations)] as (typeof grids)[number];
  return sweepResult(prepared, {
    length: grids.length * combinations,
    placeOf: (policy) => ({ tallies: gridOf(policy).tallies, index: policy % combinations }),
    settingsOf(policy) {
      const { repeat, rules } = gridOf(policy);
      const { order, stepsAt } = base;
      return { repeat, rules, order, stepsAt, caps: { ...base.caps, ...capsAt(axes, policy % combinations) } };
    },
  });
}

export function axesOf(caps: GridCaps): Axis[] {
  return LIMITS.flatMap((limit) => {
    const listed = caps[limit];
    if (listed === undefined || listed.length === 0) return [];
    return [{ limit, caps: Float64Array.from(ascending(listed), (cap) => cap ?? Number.POSITIVE_INFINITY) }];
  });
}

export function capsAt(axes: readonly Axis[], combination: number): { [limit in LimitName]?: number | null } {
  const steps = stepsOf(axes, combination);
  return Object.fromEntries(
    axes.map(({ limit, caps }, axis) => {
      const cap = caps[steps[axis] as number] as number;
      return [limit, cap === Number.POSITIVE_INFINITY ? null : cap];
    }),
  );
}

/** Up to so many alike are swept one by one. */
const FEW = 8;

/** Numbers of the policies that have the same rules and judge steps alike. */
function alikeIn(policies: readonly Policy[]): Iterable<readonly number[]> {
  const alike = new Map<string, number[]>();
  for (const [number, { rules, stepsAt }] of policies.entries()) {
    const key = `${stepsAt} ${JSON.stringify(rules)}`;
    const numbers = alike.get(key);
    if (numbers === undefined) alike.set(key, [number]);
    else numbers.push(number);
  }
  return alike.values();
}

function columnsOf(policies: readonly Policy[]): PolicyColumns {
  const { rules, stepsAt } = policies[0] as Policy;
  const orders = new Map<string, number>();
  const orderOf = Uint16Array.from(policies, ({ order }) => {
    const key = order.join();
    const known = orders.get(key) ?? orders.size;
    orders.set(key, known);
    return known;
  });
  const capped = LIMITS.filter((limit) => policies.some(({ caps }) => caps[limit] !== undefined));
  return {
    length: policies.length,
    rules,
    stepsAt,
    caps: Object.fromEntries(
      capped.map((limit) => [
        limit,
        Float64Array.from(policies, ({ caps }) => caps[limit] ?? Number.POSITIVE_INFINITY),
      ]),
    ),
    orders: [...orders.keys()].map((key) => key.split(',') as Policy['order'][number][]),
    orderOf,
  };
}
