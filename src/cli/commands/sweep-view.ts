import { fromAtoms } from '../../model/atoms.js';
import { LIMITS, type LimitName } from '../../model/limits.js';
import type { Policy } from '../../policy/policy.js';
import type { Frontier } from '../../replay/frontier.js';
import type { GridCaps, SweepResult } from '../../replay/sweep.js';
import type { SweepAdvice } from '../../replay/sweep-advice.js';
import { ascending, sweptRepeat } from '../../replay/sweep-repeat.js';
import type { UndecidedValue, ValueReport } from '../../replay/value-result.js';
import type { SweepView, Tried } from '../../report/sweep-blocks.js';

/** A sweep, and what it was made of. */
export interface Made {
  readonly result: SweepResult;
  readonly frontier: Frontier;
  readonly value: ValueReport | UndecidedValue | null;
  readonly advice: SweepAdvice | null;
  readonly caps: GridCaps;
  readonly base: Policy;
  /** Counts of the repeat rule that were tried; none where it is not swept. */
  readonly counts: readonly (number | null)[];
}

/** The sweep as it is told: what was tried, and what was kept. */
export function sweepView({ result, frontier, value, advice, caps, base, counts }: Made): SweepView {
  const swept = counts.length === 0 ? null : sweptRepeat(base);
  const isSwept = (limit: LimitName): boolean => caps[limit] !== undefined;
  return {
    result,
    frontier,
    value,
    advice,
    tried: Object.fromEntries(
      LIMITS.filter(isSwept).map((limit) => [limit, ascendingInUnits(limit, caps[limit] ?? [])]),
    ) satisfies Tried,
    repeat: swept === null ? null : { rule: swept, counts: ascending(counts) },
    rules: base.rules.filter((rule) => rule !== swept).map(({ name }) => name),
    fixed: Object.fromEntries(
      LIMITS.flatMap((limit) => {
        const cap = base.caps[limit];
        return cap === undefined || isSwept(limit) ? [] : [[limit, fromAtoms(limit, cap)]];
      }),
    ),
  };
}

/** Each cap once, in the limit's own unit, none last. */
function ascendingInUnits(limit: LimitName, caps: readonly (number | null)[]): (number | null)[] {
  return ascending(caps).map((cap) => (cap === null ? null : fromAtoms(limit, cap)));
}
