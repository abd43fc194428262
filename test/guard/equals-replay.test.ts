import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runOfRecord } from '../../src/formats/record.js';
import { fromAtoms } from '../../src/model/atoms.js';
import type { Json } from '../../src/model/json.js';
import type { Run } from '../../src/model/run.js';
import { replayRun } from '../../src/replay/replay.js';
import { policyRecords, runRecords } from '../arbitraries.js';
import { policy } from '../builders.js';
import { drive } from './drive.js';

/** The run as a live loop would meet it: every pass present, and a clock that always tells the time. */
function lived(record: unknown, line: number): Run | null {
  const run = runOfRecord(record as Json, { file: 'a', line });
  if (run.passes === null) return null;
  return { ...run, totals: null, passes: run.passes.map((pass) => ({ ...pass, micros: pass.micros ?? 0 })) };
}

test('a guard stops a run at the pass, for the reason and with the counters of the replay', () => {
  let stops = 0;
  let dispatchStops = 0;
  fc.assert(
    fc.property(runRecords, policyRecords, (records, fields) => {
      const made = policy(fields);
      for (const [index, record] of records.entries()) {
        const run = lived(record, index + 1);
        if (run === null) continue;
        const { stop, end } = replayRun(run, made);
        const report = drive(run, made);
        expect({
          reason: report.status === 'stopped_budget' ? report.reason : null,
          passes: report.passes,
          tokens: report.tokens,
          seconds: report.seconds,
          usd: report.usd,
          steps: report.steps,
        }).toEqual({
          reason: stop?.reason ?? null,
          passes: end.passes,
          tokens: end.tokens,
          seconds: end.seconds === null ? null : fromAtoms('seconds', end.seconds),
          usd: end.usd === null ? null : fromAtoms('usd', end.usd),
          steps: end.steps,
        });
        if (stop !== null) stops++;
        if (stop !== null && stop.afterPasses === run.passes?.length) dispatchStops++;
      }
    }),
    { seed: 42, numRuns: 2_000 },
  );
  expect(stops).toBeGreaterThan(2_000);
  expect(dispatchStops).toBeGreaterThan(0);
});
