import { expect, test } from 'vitest';
import { VERIFIED } from '../../src/calibrate/population.js';
import { frontierPoints } from '../../src/page/frontier-points.js';
import { policyFor } from '../../src/page/state.js';
import type { PolicyRecord } from '../../src/policy/policy-record.js';
import { simulate } from '../../src/replay/simulate.js';
import type { PageData } from '../../src/report/page-data.js';
import { recordsOf, tableOf } from './pages.js';

const FAILED = { status: 'stopped_budget', reason: 'passes', check: 'failed' };
const POLICY: PolicyRecord = {
  capfit: 'policy/v1',
  caps: { passes: 30, steps: 100 },
  rules: [{ rule: 'idle', count: 50 }],
};
const DATA: PageData = {
  schema: 'capfit/page@1',
  population: VERIFIED,
  policy: POLICY,
  percentile: null,
  label: null,
  runs: '',
};
const RECORDS = [...recordsOf(Array.from({ length: 40 }, (_, at) => 2 + at)), ...recordsOf([60, 60, 45], FAILED)];

test('each point of the frontier is what a replay of its caps gives', () => {
  const points = frontierPoints(tableOf(RECORDS), DATA, 'tokens');
  expect(points.length).toBeGreaterThan(2);
  for (const { stopped, spent, caps } of points) {
    const replay = simulate(tableOf(RECORDS), policyFor(POLICY, { caps, repeat: null }));
    expect([stopped, spent]).toEqual([replay.false_stops.count, replay.spend.tokens?.replayed]);
  }
});

test('without a success there is none', () => {
  expect(frontierPoints(tableOf(recordsOf([5, 6], FAILED)), DATA, 'tokens')).toEqual([]);
});
