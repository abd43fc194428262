import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runOfRecord } from '../../src/formats/record.js';
import type { Json } from '../../src/model/json.js';
import { createRunTable } from '../../src/model/table.js';
import { replayRun } from '../../src/replay/replay.js';
import { type Replayed, replayAll } from '../../src/replay/replay-all.js';
import { type Counted, countedOf } from '../../src/replay/tally.js';
import { policyRecords, runRecords } from '../arbitraries.js';
import { policy } from '../builders.js';

/** What is good until the next run is asked for, with every part that is expected: those of a table are looked up. */
function kept(all: Iterable<Replayed>, expected: readonly Counted[]): Replayed[] {
  const made: Replayed[] = [];
  for (const { counted, outcomes } of all) {
    const parts = Object.keys(expected[made.length] as Counted) as (keyof Counted)[];
    const asked = Object.fromEntries(parts.map((part) => [part, counted[part]])) as unknown as Counted;
    made.push({ counted: { ...asked, whole: { ...counted.whole } }, outcomes });
  }
  return made;
}

test('columns are replayed to the outcomes of the walk, whatever the policy', () => {
  const seen = { stops: 0, inside: 0, blind: 0, censored: 0 };
  fc.assert(
    fc.property(runRecords, fc.array(policyRecords, { minLength: 1, maxLength: 3 }), (records, fields) => {
      const runs = records.map((record, index) =>
        runOfRecord(record as unknown as Json, { file: 'a', line: index + 1 }),
      );
      const table = createRunTable();
      for (const run of runs) table.add(run);
      const policies = fields.map((each) => policy(each));
      const walked = runs.map((run) => policies.map((each) => replayRun(run, each)));
      const expected = runs.map(countedOf);
      const replayed = kept(replayAll(table, policies), expected);
      expect(replayed.map(({ counted }) => counted)).toEqual(expected);
      for (const [index, { outcomes }] of replayed.entries()) {
        // The limits that could not judge are a set.
        const sorted = (all: typeof outcomes): object[] =>
          all.map(({ notJudged, ...rest }) => ({ ...rest, notJudged: [...notJudged].sort() }));
        expect(sorted(outcomes)).toEqual(sorted(walked[index] as typeof outcomes));
        for (const { stop, end, notJudged, censored } of outcomes) {
          if (stop !== null) seen.stops++;
          if (stop?.afterPasses === runs[index]?.passes?.length && end.passes !== null) seen.inside++;
          if (notJudged.length > 0) seen.blind++;
          if (censored) seen.censored++;
        }
      }
    }),
    { seed: 42, numRuns: 3_000 },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(100);
});

test('what cannot be told from the columns is walked, and a table can be asked again', () => {
  const table = createRunTable();
  const record = { id: 'a', status: 'done_claimed', passes: null, totals: { passes: 9, tokens: 900 } };
  table.add(runOfRecord(record as unknown as Json, { file: 'a', line: 1 }));
  const made = policy({ caps: { passes: 5, tokens: 100 } });
  const once = kept(replayAll(table, [made]), [countedOf(table.at(0))]);
  expect(once[0]?.outcomes[0]).toEqual(replayRun(table.at(0), made));
  expect(kept(replayAll(table, [made]), [countedOf(table.at(0))])).toEqual(once);
  expect([...replayAll(table, [])].map(({ counted }) => counted.id)).toEqual(['a']);
});
