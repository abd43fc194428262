import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rangesOf } from '../../src/page/ranges.js';
import type { State } from '../../src/page/state.js';
import { heldOf, recordsOf } from './pages.js';

const none = { passes: null, tokens: null, seconds: null, usd: null };

test('sliders go by round steps beyond what the largest run used, or beyond the cap', () => {
  const runs = heldOf(recordsOf([3, 60]));
  const state: State = { caps: { ...none, tokens: 3_500_000 }, repeat: null };
  expect(rangesOf(runs, ['passes', 'tokens', 'seconds'], state)).toEqual([
    { metric: 'passes', step: 1, most: 75 },
    { metric: 'tokens', step: 20_000, most: 4_380_000 },
    { metric: 'seconds', step: 0.1, most: 37.5 },
  ]);
});

test('a slider has a place to go to even where no run used anything', () => {
  expect(rangesOf([], ['passes', 'usd'], { caps: none, repeat: null })).toEqual([
    { metric: 'passes', step: 1, most: 1 },
    { metric: 'usd', step: 1, most: 1 },
  ]);
});

test('a slider holds every run, in 200 to 400 steps, of whole passes and tokens', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e12 }), (tokens) => {
      const runs = heldOf([{ id: 'a', status: 'done_verified', check: 'passed', totals: { tokens }, passes: null }]);
      const { step, most } = rangesOf(runs, ['tokens'], { caps: none, repeat: null })[0]!;
      expect(Number.isInteger(step)).toBe(true);
      expect(most).toBeGreaterThanOrEqual(1.25 * tokens);
      expect(most % step).toBe(0);
      expect(most / step).toBeLessThanOrEqual(401);
      if (tokens > 400) expect(most / step).toBeGreaterThan(150);
    }),
  );
});
