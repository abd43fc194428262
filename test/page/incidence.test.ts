import { expect, test } from 'vitest';
import { VERIFIED } from '../../src/calibrate/population.js';
import { incidenceOf } from '../../src/page/incidence.js';
import { heldOf, recordsOf } from './pages.js';

test('without runs that were cut short, the incidence is the share of the runs that have ended so', () => {
  const halted = { status: 'halted_error', reason: 'boom', check: 'failed' };
  const runs = heldOf([...recordsOf([2, 4, 4]), ...recordsOf([3], halted)]);
  expect(incidenceOf(runs, VERIFIED)).toEqual([
    { passes: 0, share: 0, kind: 'success' },
    { passes: 2, share: 0.25, kind: 'success' },
    { passes: 3, share: 0.25, kind: 'success' },
    { passes: 4, share: 0.75, kind: 'success' },
    { passes: 0, share: 0, kind: 'failure' },
    { passes: 2, share: 0, kind: 'failure' },
    { passes: 3, share: 0.25, kind: 'failure' },
    { passes: 4, share: 0.25, kind: 'failure' },
  ]);
});

test('runs that were cut short count as long as they were seen', () => {
  const cut = { status: 'stopped_budget', reason: 'passes', check: 'failed' };
  const runs = heldOf([...recordsOf([1, 3]), ...recordsOf([2], cut)]);
  const successes = incidenceOf(runs, VERIFIED).filter(({ kind }) => kind === 'success');
  // A third ends at once; of the rest, of whom one was lost sight of after two passes, all.
  expect(successes.map(({ share }) => share)).toEqual([0, 1 / 3, 1 / 3, 1]);
});
