import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runOfRecord } from '../../src/formats/record.js';
import { alikeIn } from '../../src/model/alike.js';
import { figuresIn, type RunFigures } from '../../src/model/figures.js';
import type { Json } from '../../src/model/json.js';
import { createRunTable } from '../../src/model/table.js';
import { runRecords } from '../arbitraries.js';

/** What runs that are alike have in common, as a text. */
function kindOf({
  status,
  check,
  claim,
  reason,
  labels,
  recordedUnder,
  isZeroPass,
  whole,
  totals,
}: RunFigures): string {
  const maps = [[...labels], [...recordedUnder]];
  return JSON.stringify([status, check, claim, reason, maps, isZeroPass, whole.passes, totals]);
}

function counted(seen: Iterable<readonly [kind: string, runs: number]>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [kind, runs] of seen) counts.set(kind, (counts.get(kind) ?? 0) + runs);
  return counts;
}

test('runs that are alike are as many as they are one by one, in the order of the first of each kind', () => {
  let together = 0;
  fc.assert(
    fc.property(runRecords, fc.boolean(), (records, isTold) => {
      // Twice the same runs under other ids, so that some are alike.
      const all = [...records, ...records].map((record, index) => ({ ...(record as object), id: `run-${index}` }));
      const table = createRunTable();
      for (const [index, record] of all.entries())
        table.add(runOfRecord(record as unknown as Json, { file: 'a', line: index + 1 }));
      const one = [...figuresIn(table)].map((run) => [kindOf(run), 1] as const);
      const alike: [string, number][] = [];
      for (const { run, runs } of alikeIn(table, () => isTold)) alike.push([kindOf(run), runs]);
      expect([...counted(alike)]).toEqual([...counted(one)]);
      if (isTold) expect(alike).toHaveLength(all.length);
      else if (alike.length < all.length) together++;
    }),
    { seed: 22, numRuns: 300 },
  );
  expect(together).toBeGreaterThan(50);
});
