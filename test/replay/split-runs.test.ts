import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Run } from '../../src/model/run.js';
import { halfwayOf, splitAt } from '../../src/replay/split-runs.js';
import { passes, run } from '../builders.js';

const startedAt = (hours: readonly (number | null)[]): Run[] =>
  hours.map((hour, i) =>
    run({
      id: `r-${i}`,
      passes: passes(1),
      ...(hour === null ? {} : { started_at: new Date(Date.UTC(2026, 2, 1, hour)).toISOString() }),
    }),
  );

const ids = (runs: Iterable<Run>): string[] => [...runs].map(({ id }) => id);

describe('splitAt', () => {
  test('before, and from the moment on; those without a start in neither', () => {
    const { old, fresh, undated } = splitAt(startedAt([3, 1, null, 2]), Date.UTC(2026, 2, 1, 2));
    expect([ids(old), ids(fresh), undated]).toEqual([['r-1'], ['r-0', 'r-3'], 1]);
  });
});

describe('halfwayOf', () => {
  test('halves the runs; those that started together stay together', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.nat(20)), { maxLength: 30 }), (hours) => {
        const runs = startedAt(hours);
        const known = hours.filter((hour) => hour !== null).sort((a, b) => a - b);
        const at = halfwayOf(runs);
        if (new Set(known).size < 2) {
          expect(at).toBeNull();
          return;
        }
        const { old, fresh, undated } = splitAt(runs, at as number);
        expect(old.length + fresh.length + undated).toBe(hours.length);
        expect(Math.min(old.length, fresh.length)).toBeGreaterThan(0);
        if (new Set(known).size === known.length) expect(old.length - fresh.length).toBe(known.length % 2);
      }),
    );
  });
});
