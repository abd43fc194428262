import { describe, expect, test } from 'vitest';
import { EMPTY_POLICY } from '../../src/policy/policy.js';
import { calibrate } from '../../src/replay/calibrate.js';
import { run } from '../builders.js';

/** Forty good runs of six passes, whose calls all look alike, or all differ. */
const runs = (isAlike: boolean) =>
  Array.from({ length: 40 }, (_, i) =>
    run(
      {
        ...{ id: `r${i}`, status: 'done_verified', check: 'passed' },
        passes: Array.from({ length: 6 }, (_each, pass) => ({
          ...{ input_tokens: 9, output_tokens: 1 },
          calls: [{ tool: 'search', args: isAlike ? 1 : pass, result: 'ok' }],
        })),
      },
      i + 1,
    ),
  );

describe('a rule that stops good runs', () => {
  test('is what the diagnosis leads with', () => {
    const [first] = calibrate(runs(true)).report.diagnosis;
    expect(first?.code).toBe('rule_stops_good_runs');
    expect(first?.message).toContain('the rule repeats alone stops 40 of 40 successes (100 %), above the accepted 1 %');
    expect(first?.hint).toContain('--no-repeat');
  });

  test.each([
    ['calls that differ', calibrate(runs(false))],
    ['no rule', calibrate(runs(true), { base: EMPTY_POLICY })],
  ])('is not told of: %s', (_name, { report }) => {
    expect(report.diagnosis.map(({ code }) => code)).not.toContain('rule_stops_good_runs');
  });
});
