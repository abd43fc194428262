import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { VERIFIED } from '../../src/calibrate/population.js';
import { countAbove, type Sizes, sizesOf } from '../../src/page/sizes.js';
import { heldOf, recordsOf } from './pages.js';

const FAILED = { status: 'stopped_budget', reason: 'passes', check: 'failed' };
const lengths = fc.array(fc.integer({ min: 1, max: 300 }), { maxLength: 25 });

function sizes(good: readonly number[], bad: readonly number[], most = 0): Sizes | null {
  return sizesOf(heldOf([...recordsOf(good), ...recordsOf(bad, FAILED)]), 'passes', VERIFIED, most);
}

const ascending = (values: readonly number[]): number[] => [...values].sort((one, other) => one - other);

describe('the sizes of runs', () => {
  test('are told apart by what the runs were worth, each in one bin', () => {
    fc.assert(
      fc.property(lengths, lengths, (good, bad) => {
        const found = sizes(good, bad);
        if (good.length + bad.length === 0) {
          expect(found).toBeNull();
          return;
        }
        const { bins, axis, ...kinds } = found as Sizes;
        expect([...kinds.good]).toEqual(ascending(good));
        expect([...kinds.bad]).toEqual(ascending(bad));
        for (const [at, { from, to, good: ofGood, bad: ofBad }] of bins.entries()) {
          const isLast = at === bins.length - 1;
          const isIn = (size: number): boolean => size >= from && (size < to || isLast);
          expect([ofGood, ofBad]).toEqual([good.filter(isIn).length, bad.filter(isIn).length]);
          expect(from).toBeLessThan(to);
          expect(from).toBeGreaterThanOrEqual(axis.domain[0]);
          expect(to).toBeLessThanOrEqual(axis.domain[1]);
        }
        const counted = bins.reduce((sum, bin) => sum + bin.good + bin.bad, 0);
        expect(counted).toBe(good.length + bad.length);
      }),
    );
  });

  test('climb from nothing to all of the successes', () => {
    fc.assert(
      fc.property(lengths, (good) => {
        const { steps } = sizes(good, [1]) as Sizes;
        for (const { size, share } of steps.slice(1))
          expect(share).toBeLessThanOrEqual((100 * good.filter((each) => each <= size).length) / good.length);
        expect(steps.at(0)?.share).toBe(good.length === 0 ? undefined : 0);
        expect(steps.at(-1)?.share).toBe(good.length === 0 ? undefined : 100);
        expect(steps.map(({ size }) => size)).toEqual(ascending(steps.map(({ size }) => size)));
      }),
    );
  });

  test('thousands of them make a curve of a few hundred steps', () => {
    const { steps } = sizes(
      Array.from({ length: 2_000 }, (_, at) => 1 + (at % 40)),
      [],
    ) as Sizes;
    expect([steps.length, steps.at(-1)]).toEqual([401, { size: 40, share: 100 }]);
  });

  test.each([
    ['are laid out evenly from zero', [3, 5, 9], [20], 0, { type: 'linear', domain: [0, 21] }],
    ['leave room for a cap beyond them', [3, 5, 9], [20], 60, { type: 'linear', domain: [0, 60] }],
    ['go by factors where few are far larger than most', [1, 1, 1, 2], [150], 0, { type: 'log' }],
  ])('%s', (_name, good, bad, most, axis) => {
    expect(sizes(good, bad, most)?.axis).toMatchObject(axis);
  });

  test('that are all the same have one bin with a width', () => {
    expect(sizes([4, 4, 4], [])?.bins).toEqual([{ from: 4, to: 5, good: 3, bad: 0 }]);
  });

  test('above a cap are counted without those on it', () => {
    const { good } = sizes([3, 5, 5, 9], []) as Sizes;
    expect([2, 3, 5, 9, 10].map((cap) => countAbove(good, cap))).toEqual([4, 3, 1, 0, 0]);
  });
});
