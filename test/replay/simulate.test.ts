import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readPolicy } from '../../src/formats/policy/policy-file.js';
import { runOfRecord } from '../../src/formats/record.js';
import type { Json } from '../../src/model/json.js';
import { LIMITS } from '../../src/model/limits.js';
import type { Run } from '../../src/model/run.js';
import type { Policy } from '../../src/policy/policy.js';
import { replayRun } from '../../src/replay/replay.js';
import type { ReplayReport } from '../../src/replay/result.js';
import { simulate } from '../../src/replay/simulate.js';
import { type PolicyRecord, policyRecords, type RunRecord, runRecords } from '../arbitraries.js';
import { oracleFigures, oracleRun } from './oracle.js';

function runsOf(records: readonly RunRecord[]): Run[] {
  return records.map((record, index) =>
    runOfRecord(record as unknown as Json, { file: 'runs.jsonl', line: index + 1 }),
  );
}

function policyOf(record: PolicyRecord): Policy {
  const reading = readPolicy(JSON.stringify(record), 'policy.json');
  if (reading.policy === null) throw new Error(JSON.stringify(reading.problems));
  return reading.policy;
}

/** The part of a report that the oracle recomputes. */
function figuresOf(report: ReplayReport): object {
  return {
    runs: report.runs,
    verified: report.verified,
    verified_finished: report.verified_finished,
    passed_unfinished: report.passed_unfinished,
    false_stops: report.false_stops.runs,
    by_status: report.by_status,
    by_reason: Object.fromEntries(
      Object.entries(report.by_reason).map(([reason, { count, median_pass }]) => [reason, { count, median_pass }]),
    ),
    spend: report.spend,
    max_bill: report.max_bill,
    censored: report.censored,
    not_judged: report.not_judged,
  };
}

/** What the policy did to one run, counters at its ending included. */
function endingOf(run: Run, policy: Policy): object {
  const { stop, end, notJudged } = replayRun(run, policy);
  return {
    stop: stop === null ? null : [stop.reason, stop.afterPasses],
    end: Object.fromEntries(LIMITS.map((limit) => [limit, end[limit] === null ? null : BigInt(end[limit])])),
    blind: [...notJudged].sort(),
  };
}

function oracleEnding(record: RunRecord, policy: PolicyRecord): object {
  const { reason, afterPasses, end, blind } = oracleRun(record, policy);
  return { stop: reason === null ? null : [reason, afterPasses], end, blind };
}

describe('simulate equals an independent oracle', () => {
  test('on random runs and random policies', () => {
    fc.assert(
      fc.property(runRecords, policyRecords, (records, policy) => {
        const [runs, rules] = [runsOf(records), policyOf(policy)];
        expect(figuresOf(simulate(runs, rules))).toEqual(oracleFigures(records, policy));
        expect(runs.map((run) => endingOf(run, rules))).toEqual(records.map((each) => oracleEnding(each, policy)));
      }),
      { seed: 42, numRuns: 1200 },
    );
  });
});
