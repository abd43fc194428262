import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { derive } from '../../src/calibrate/derive.js';
import { type CapExplanation, type Explanation, explainCaps } from '../../src/calibrate/explain.js';
import { DERIVE_DEFAULTS, type DeriveOptions } from '../../src/calibrate/options.js';
import { decimalOf, parseDecimal } from '../../src/model/decimal.js';
import type { Metric } from '../../src/model/limits.js';
import type { Run } from '../../src/model/run.js';
import { passes, run } from '../builders.js';

function successes(...counts: number[]): Run[] {
  return counts.map((count, index) => run({ id: `s-${index}`, passes: passes(count) }, index + 1));
}

function explain(runs: readonly Run[], changes: Partial<DeriveOptions> = {}): Explanation {
  const options = { ...DERIVE_DEFAULTS, ...changes };
  return explainCaps(runs, derive(runs, options), options);
}

const capOf = (explanation: Explanation, metric: Metric = 'passes'): CapExplanation => {
  const found = explanation[metric];
  if (found.cap === null) throw new Error(`no cap of ${metric}`);
  return found;
};

describe('explainCaps', () => {
  test('of a hundred runs: the rank, the values around it, the arithmetic, and who lies above', () => {
    const counts = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect(capOf(explain(successes(...counts), { p: decimalOf(0.9), padding: decimalOf(1.05) }))).toEqual({
      cap: expect.objectContaining({ rank: 90, quantile: 90, padded: 94.5, unit: 1, cap: 95, above: 5 }),
      position: 90,
      ranked: [86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 100].map((rank) => ({
        rank,
        value: rank,
        run: `s-${100 - rank}`,
        is_taken: rank === 90,
        is_above_cap: rank > 95,
      })),
      unit_rule: 'usual',
      usual_unit: 1,
      raised_by: 0.5 / 94.5,
      usual_raise: 0.5 / 94.5,
      above: ['s-0', 's-1', 's-2', 's-3', 's-4'],
    });
  });

  test('p x n is exact, and so is the place of an interpolated percentile', () => {
    const runs = successes(...Array.from({ length: 310 }, (_, index) => index + 1));
    expect(capOf(explain(runs)).position).toBe(306.9);
    const linear = capOf(explain(runs, { method: 'linear' }));
    expect(linear.position).toBe(306.91);
    expect(linear.ranked.filter(({ is_taken }) => is_taken).map(({ rank }) => rank)).toEqual([306, 307]);
    const whole = capOf(explain(successes(1, 2, 3), { method: 'linear', p: decimalOf(0.5) }));
    expect([whole.position, whole.ranked.filter(({ is_taken }) => is_taken).map(({ rank }) => rank)]).toEqual([2, [2]]);
  });

  test('a usual unit that would raise the cap by too much gives way, and one set by hand does not', () => {
    const runs = [run({ passes: passes(3) })];
    const finer = capOf(explain(runs), 'seconds');
    expect(finer).toMatchObject({
      cap: { padded: 3.6, unit: 0.2, cap: 3.6 },
      unit_rule: 'finer',
      usual_unit: 30,
      raised_by: 0,
      usual_raise: 26.4 / 3.6,
    });
    const units = { seconds: decimalOf(20) };
    expect(capOf(explain(runs, { units }), 'seconds')).toMatchObject({
      cap: { unit: 20, cap: 20 },
      unit_rule: 'set',
      raised_by: 16.4 / 3.6,
    });
  });

  test('says why there is no cap', () => {
    const reason = (runs: Run[], metric: Metric): unknown => explain(runs)[metric];
    expect(reason([], 'passes')).toEqual({ cap: null, reason: 'there is no success to take it from' });
    expect(reason(successes(3), 'usd')).toEqual({ cap: null, reason: 'no success gives the figure' });
    expect(reason([run({ passes: passes(2, { seconds: 0 }) })], 'seconds')).toEqual({
      cap: null,
      reason: 'the percentile is zero, and a cap of zero would stop every run',
    });
    const priced = [run({ id: 'a', passes: passes(2, { usd: 0.1 }) }), run({ id: 'b', passes: passes(2) }, 2)];
    expect(reason(priced, 'usd')).toEqual({
      cap: null,
      reason: 'the cost of 1 of 2 successes is not known; --partial-usd takes a cap all the same',
    });
  });

  test('tells only of the population', () => {
    const others = [run({ id: 'failed', status: 'done_claimed', check: 'failed', passes: passes(500) })];
    expect(capOf(explain([...successes(1, 2), ...others])).ranked.map(({ run: id }) => id)).toEqual(['s-0', 's-1']);
  });

  test('ranks are those of all values sorted, whatever the values', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 1, max: 999 }),
        fc.constantFrom('nearest-rank' as const, 'linear' as const),
        (counts, permille, method) => {
          const runs = successes(...counts);
          const p = parseDecimal(`0.${String(permille).padStart(3, '0')}`) ?? decimalOf(0.5);
          const { cap, ranked, above, raised_by } = capOf(explain(runs, { p, method }));
          const sorted = counts
            .map((value, index) => ({ value, run: `s-${index}` }))
            .sort((one, other) => one.value - other.value);
          for (const { rank, value, run: id, is_above_cap } of ranked) {
            expect({ value, run: id }).toEqual(sorted[rank - 1]);
            expect(is_above_cap).toBe(value > cap.cap);
          }
          expect(above).toEqual(
            sorted
              .filter(({ value }) => value > cap.cap)
              .reverse()
              .map(({ run: id }) => id),
          );
          const taken = ranked.filter(({ is_taken }) => is_taken).map(({ value }) => value);
          expect(Math.min(...taken)).toBeLessThanOrEqual(cap.quantile);
          expect(Math.max(...taken)).toBeGreaterThanOrEqual(cap.quantile);
          if (cap.rank !== null) expect(taken).toEqual([cap.quantile]);
          expect(cap.padded * (1 + raised_by)).toBeCloseTo(cap.cap, 9);
          expect(ranked.map(({ rank }) => rank)).toEqual(
            [...new Set(ranked.map(({ rank }) => rank))].sort((one, other) => one - other),
          );
        },
      ),
    );
  });
});
