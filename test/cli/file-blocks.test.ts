import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blocksOf, lineStartIn } from '../../src/cli/file-blocks.js';
import { put, scratchFolder } from './harness.js';

const folder = scratchFolder();

describe('the blocks of a file', () => {
  test('begin at lines, follow each other, and hold all of it', () => {
    const line = fc.integer({ min: 0, max: 60 }).map((length) => `${'x'.repeat(length)}\n`);
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 80 }),
        fc.boolean(),
        fc.nat({ max: 5 }),
        (lines, isCut, threads) => {
          const text = isCut ? lines.join('').slice(0, -1) : lines.join('');
          const cuts = [...blocksOf(put(folder, 'lines', text), threads + 1, lineStartIn)];
          expect(cuts[0]).toBe(0);
          expect(cuts.at(-1)).toBe(text.length);
          expect(cuts).toEqual([...new Set(cuts)].sort((a, b) => a - b).concat(text === '' ? [0] : []));
          for (const cut of cuts.slice(1, -1)) expect(text[cut - 1]).toBe('\n');
        },
      ),
      { seed: 21, numRuns: 300 },
    );
  });

  test('are about as large as the threads ask for', () => {
    const text = 'x\n'.repeat(4000);
    const sizes = (threads: number): number[] => {
      const cuts = [...blocksOf(put(folder, 'even', text), threads, lineStartIn)];
      return cuts.slice(1).map((cut, index) => cut - (cuts[index] as number));
    };
    expect(sizes(2)).toHaveLength(48);
    expect(Math.max(...sizes(2)) - Math.min(...sizes(2))).toBeLessThan(20);
  });

  test('with a line longer than what is searched are left to the one before', () => {
    const long = `${'x'.repeat(3_000_000)}\n`;
    const behind = 2 + long.length;
    expect([...blocksOf(put(folder, 'long', `a\n${long}b\n`), 3, lineStartIn)]).toEqual([0, behind, behind + 2]);
  });
});
