import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aalenJohansen, type Exits, incidenceAt } from '../../src/stats/aalen-johansen.js';

interface ReferenceSet {
  readonly name: string;
  readonly times: readonly number[];
  readonly successes: readonly number[];
  readonly failures: readonly number[];
  readonly censored: readonly number[];
  readonly incidence: readonly number[];
  readonly variance: readonly (number | null)[];
  readonly low: readonly (number | null)[];
  readonly high: readonly (number | null)[];
}

/** What R's cmprsk and etm say; made by scripts/reference-incidence.R. */
const { sets } = JSON.parse(readFileSync(new URL('../reference/incidence.json', import.meta.url), 'utf8')) as {
  sets: readonly ReferenceSet[];
};

function exitsOf(set: ReferenceSet): Exits[] {
  return set.times.map((time, i) => ({
    time,
    successes: set.successes[i] as number,
    failures: set.failures[i] as number,
    censored: set.censored[i] as number,
  }));
}

/** Some leave at every time. */
const exits: fc.Arbitrary<Exits[]> = fc
  .uniqueArray(fc.nat(30), { minLength: 1, maxLength: 12 })
  .chain((times) =>
    fc.tuple(
      ...times
        .sort((a, b) => a - b)
        .map((time) =>
          fc.record({ time: fc.constant(time), successes: fc.nat(5), failures: fc.nat(5), censored: fc.nat(5) }),
        ),
    ),
  )
  .map((drawn) => drawn.filter((each) => each.successes + each.failures + each.censored > 0));

describe('aalenJohansen', () => {
  test.each(sets.map((set) => [set.name, set] as const))('equals R: %s', (_name, set) => {
    const steps = aalenJohansen(exitsOf(set));
    expect(steps.map(({ incidence }) => incidence)).toEqual(set.incidence.map((value) => expect.closeTo(value, 12)));
    for (const [i, time] of set.times.entries()) {
      const at = incidenceAt(steps, time);
      const variance = set.variance[i] ?? null;
      if (variance === null) continue;
      expect(at?.variance).toBeCloseTo(variance, 12);
      const [low, high] = [set.low[i] ?? null, set.high[i] ?? null];
      const has = variance > 1e-15 && (at?.incidence as number) < 1 && low !== null;
      expect(at?.ci95 ?? null).toEqual(has ? [expect.closeTo(low, 10), expect.closeTo(high as number, 10)] : null);
    }
  });

  test('the published figures of the textbook set, at 20, 40 and 60 months', () => {
    // Scrucca, Santucci and Aversa (2007): relapse with ALL 0.1764706; with AML 0.3681858.
    const at = (name: string, month: number) =>
      incidenceAt(aalenJohansen(exitsOf(sets.find((set) => set.name === name) as ReferenceSet)), month)?.incidence;
    for (const month of [20, 40, 60]) {
      expect(at('bmt ALL, relapse', month)).toBeCloseTo(0.1764706, 7);
      expect(at('bmt AML, relapse', month)).toBeCloseTo(0.3681858, 7);
    }
  });

  test('with none censored it is the plain share, and its variance that of a binomial', () => {
    fc.assert(
      fc.property(exits, (drawn) => {
        const all = drawn.map((each) => ({ ...each, censored: 0 }));
        const n = all.reduce((sum, { successes, failures }) => sum + successes + failures, 0);
        const steps = aalenJohansen(all);
        let count = 0;
        for (const { time, successes } of steps) {
          count += successes;
          const at = incidenceAt(steps, time);
          expect(at?.incidence).toBeCloseTo(count / n, 12);
          expect(at?.variance).toBeCloseTo(((count / n) * (1 - count / n)) / n, 12);
        }
      }),
    );
  });

  test('successes, failures and those still open share out the whole; nothing is ever no number', () => {
    fc.assert(
      fc.property(exits, (drawn) => {
        const steps = aalenJohansen(drawn);
        const others = aalenJohansen(
          drawn.map((each) => ({ ...each, successes: each.failures, failures: each.successes })),
        );
        for (const [i, step] of steps.entries()) {
          const next = steps[i + 1]?.openBefore ?? null;
          if (next !== null) expect(step.incidence + (others[i]?.incidence ?? 0) + next).toBeCloseTo(1, 12);
          const at = incidenceAt(steps, step.time);
          expect(at?.atRisk).toBe(step.atRisk);
          const figures = [at?.incidence, at?.variance, ...(at?.ci95 ?? [])];
          expect(figures.every((each) => Number.isFinite(each) && (each as number) >= 0 && !Object.is(each, -0))).toBe(
            true,
          );
          const [low, high] = at?.ci95 ?? [0, 1];
          expect(low <= (at?.incidence as number) && (at?.incidence as number) <= high && high <= 1).toBe(true);
        }
      }),
    );
  });

  test('beyond the last time it is not identified, unless all have ended', () => {
    const open = aalenJohansen([{ time: 3, successes: 1, failures: 0, censored: 1 }]);
    expect(incidenceAt(open, 2)).toEqual({ incidence: 0, variance: 0, ci95: null, atRisk: 2 });
    expect(incidenceAt(open, 3)?.incidence).toBe(0.5);
    expect(incidenceAt(open, 4)).toBeNull();
    const ended = aalenJohansen([{ time: 3, successes: 1, failures: 1, censored: 0 }]);
    expect(incidenceAt(ended, 4)).toMatchObject({ incidence: 0.5, atRisk: 0 });
    expect(incidenceAt(aalenJohansen([]), 1)).toBeNull();
    const nobody = { time: 5, successes: 0, failures: 0, censored: 0 };
    expect(aalenJohansen([nobody])).toEqual([]);
  });

  test('refuses what is no set of endings', () => {
    const exit = { time: 1, successes: 1, failures: 0, censored: 0 };
    expect(() => aalenJohansen([exit, exit])).toThrow('aalenJohansen requires ascending times from 0, got 1');
    expect(() => aalenJohansen([{ ...exit, failures: 0.5 }])).toThrow('requires whole counts from 0, got 0.5');
  });
});
