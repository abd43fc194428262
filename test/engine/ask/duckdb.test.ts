import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openDuckDbLink } from '../ask-duckdb/stage-runs.js';
import { hasClient, NEEDS_CLIENT } from '../client.js';
import { asked, cases, comparable, inMemory } from './suite.js';

describe.skipIf(!hasClient)(`DuckDB answers as memory does (${NEEDS_CLIENT})`, () => {
  test('derive, replay and sweep of random runs and policies, digit for digit', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async (each) => {
        const [here, there] = [inMemory(each), await asked(await openDuckDbLink(each.runs), each)];
        expect(comparable(there, here)).toBe(comparable(here, there));
      }),
      { seed: 8, numRuns: 60 },
    );
  }, 600_000);
});
