import fc from 'fast-check';
import { expect, test } from 'vitest';
import { asked, cases, comparable, inMemory, numberOfCases, type OpenLink, workedExample } from './suite.js';

const LONG = 900_000;

/** The suite that every engine runs: derive, replay and sweep, digit for digit. */
export function answersAsMemory(open: OpenLink, usual: number): void {
  test(
    'of random runs and policies',
    async () => {
      await fc.assert(
        fc.asyncProperty(cases, async (each) => {
          const [here, there] = [inMemory(each), await asked(await open(each.runs), each)];
          expect(comparable(there, here)).toBe(comparable(here, there));
        }),
        { seed: 8, numRuns: numberOfCases(usual), endOnFailure: true },
      );
    },
    LONG,
  );

  test(
    'of the worked example, with groups',
    async () => {
      const example = workedExample();
      const [here, there] = [inMemory(example), await asked(await open(example.runs), example)];
      expect(JSON.stringify(there, null, 1)).toBe(JSON.stringify(here, null, 1));
    },
    LONG,
  );

  test(
    'of the runs that meet conditions',
    async () => {
      const example = workedExample();
      const runs = example.runs.filter(({ labels, status }) => labels.get('kind') !== 'stuck' && status !== 'running');
      const where = [
        { name: 'kind', value: 'stuck', negated: true },
        { name: 'status', value: 'running', negated: true },
      ];
      const few = { ...example, policies: [], by: [] };
      const there = await asked(await open(example.runs), few, where);
      expect(JSON.stringify(there)).toBe(JSON.stringify(inMemory({ ...few, runs })));
    },
    LONG,
  );
}
