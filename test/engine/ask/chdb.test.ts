import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasChdb, NEEDS_CHDB, openChdbLink } from '../ask-clickhouse/chdb.js';
import { asked, cases, comparable, inMemory } from './suite.js';

describe.skipIf(!hasChdb)(`ClickHouse, as chDB embeds it, answers as memory does (${NEEDS_CHDB})`, () => {
  test('derive, replay and sweep of random runs and policies, digit for digit', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async (each) => {
        const [here, there] = [inMemory(each), await asked(await openChdbLink(each.runs), each)];
        expect(comparable(there, here)).toBe(comparable(here, there));
      }),
      { seed: 8, numRuns: 30 },
    );
  }, 600_000);
});
