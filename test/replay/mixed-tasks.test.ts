import { describe, expect, test } from 'vitest';
import type { Run } from '../../src/model/run.js';
import { createMixedTasks, splitMessage } from '../../src/replay/mixed-tasks.js';
import { passes, run } from '../builders.js';

type Seen = readonly [labels: Record<string, string>, passes: number];

function labelled(labels: Record<string, string>): Run {
  return run({ passes: passes(1), labels });
}

function splitsOf(seen: readonly Seen[]) {
  const mixed = createMixedTasks();
  for (const [labels, made] of seen) mixed.see(labelled(labels), made);
  return [...mixed.splits()];
}

function many(count: number, labels: Record<string, string>, made: number): Seen[] {
  return Array.from({ length: count }, () => [labels, made]);
}

describe('createMixedTasks', () => {
  test('names a label whose medians are twice apart, between its lowest and its highest group of ten', () => {
    const seen = [
      ...many(10, { task: 'middle' }, 5),
      ...many(11, { task: 'large' }, 6),
      ...many(12, { task: 'small' }, 3),
      ...many(9, { task: 'rare' }, 90),
    ];
    expect(splitsOf(seen)).toStrictEqual([
      [
        'task',
        {
          low: { value: 'small', runs: 12, middle: 3 },
          high: { value: 'large', runs: 11, middle: 6 },
          runs: 33,
        },
      ],
    ]);
  });

  test.each([
    ['medians less than twice apart', [...many(10, { task: 'a' }, 3), ...many(10, { task: 'b' }, 5)]],
    ['a group of nine', [...many(10, { task: 'a' }, 3), ...many(9, { task: 'b' }, 30)]],
    ['one group', many(30, { task: 'a' }, 3)],
    ['what a run came to', [...many(10, { num_turns: '3' }, 3), ...many(10, { num_turns: '30' }, 30)]],
    [
      'names of runs',
      [
        ...many(10, { seed: 'a' }, 3),
        ...many(10, { seed: 'b' }, 30),
        ...Array.from({ length: 199 }, (_, index): Seen => [{ seed: String(index) }, 1]),
      ],
    ],
  ])('%s: no split', (_what, seen) => {
    expect(splitsOf(seen)).toStrictEqual([]);
  });

  test('a label of two hundred values is still a kind', () => {
    const others = Array.from({ length: 198 }, (_, index): Seen => [{ task: String(index) }, 1]);
    const seen = [...many(10, { task: 'a' }, 3), ...many(10, { task: 'b' }, 30), ...others];
    expect(splitsOf(seen).map(([label]) => label)).toStrictEqual(['task']);
  });

  test('the sentence shortens names of any length', () => {
    const group = { runs: 10, middle: 3 };
    expect(
      splitMessage('l'.repeat(70), {
        low: { ...group, value: 'v'.repeat(61) },
        high: { ...group, value: 'w'.repeat(60), middle: 9 },
        runs: 20,
      }),
    ).toBe(
      `the pool mixes runs of different size: by ${'l'.repeat(60)}…, the median success takes 3 passes (${'v'.repeat(60)}…) to 9 (${'w'.repeat(60)})`,
    );
  });
});
