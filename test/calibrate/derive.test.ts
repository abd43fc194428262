import { describe, expect, test } from 'vitest';
import { derive } from '../../src/calibrate/derive.js';
import { decimalOf } from '../../src/model/decimal.js';
import type { Run } from '../../src/model/run.js';
import { passes, run } from '../builders.js';

/** Verified successes with these numbers of passes. */
function successes(...counts: number[]): Run[] {
  return counts.map((count, index) => run({ id: `s-${index}`, passes: passes(count) }, index + 1));
}

const upTo = (n: number): Run[] => successes(...Array.from({ length: n }, (_, index) => index + 1));
const codes = (runs: Run[], options: Parameters<typeof derive>[1] = {}): string[] =>
  derive(runs, options).report.warnings.map(({ code }) => code);
const messages = (runs: Run[], options: Parameters<typeof derive>[1] = {}): string[] =>
  derive(runs, options).report.warnings.map(({ message }) => message);

describe('derive(runs)', () => {
  test('takes percentiles over verified successes only', () => {
    const others = [
      run({ id: 'claimed', status: 'done_claimed', check: 'none', passes: passes(500) }),
      run({ id: 'failed', status: 'done_claimed', check: 'failed', passes: passes(500) }),
      run({ id: 'stopped', status: 'stopped_budget', check: 'none', passes: passes(500) }),
      run({ id: 'zero', passes: [] }),
    ];
    const { report } = derive([...upTo(100), ...others]);
    expect([report.runs, report.verified, report.quantiles.passes?.n, report.quantiles.passes?.max]).toEqual([
      104, 100, 100, 100,
    ]);
    expect(report.quantiles.passes).toMatchObject({ p50: 50, p90: 90, p95: 95, p99: 99, 'p99.9': 100 });
  });

  test('0.07 of 100 is rank 7: the rank is exact', () => {
    const { report } = derive(upTo(100), { p: decimalOf(0.07) });
    expect(report.caps.passes).toMatchObject({ rank: 7, quantile: 7, padded: 8.4, cap: 9 });
    expect(report.quantiles.passes?.p7).toBe(7);
  });

  test('linear is R type 7, and the cap stands on the exact fraction', () => {
    const { report } = derive(upTo(100), { method: 'linear' });
    // 1 + 99 x 0.99 = 99.01; x 1.2 = 118.812.
    expect(report.caps.passes).toMatchObject({
      method: 'linear',
      rank: null,
      quantile: 99.01,
      padded: 118.812,
      cap: 119,
    });
  });

  test('p99 of 310 runs: two-sided from the 303rd value to none, one-sided at the 310th', () => {
    const { quantiles } = derive(upTo(310)).report;
    expect(quantiles.passes?.ci95.p99).toEqual([303, null]);
    expect(quantiles.passes?.upper95.p99).toBe(310);
    expect(quantiles.passes?.no_interval.p99).toMatch(/n = 310 is too small for a 95 % upper end/);
    expect(quantiles.passes?.no_interval.p50).toBeUndefined();
  });

  test('counts successes above the cap, not at it', () => {
    const { caps } = derive(successes(...Array(99).fill(10), 12), { padding: decimalOf(1.2) }).report;
    expect(caps.passes).toMatchObject({ quantile: 10, cap: 12, above: 0 });
    expect(derive(successes(...Array(99).fill(10), 13)).report.caps.passes).toMatchObject({ cap: 12, above: 1 });
  });

  test('a figure that is unknown for a run leaves that run out of its percentile, and says so', () => {
    const runs = [...upTo(3), run({ id: 'blind', passes: [{ input_tokens: 5, output_tokens: null, seconds: 1 }] })];
    expect(derive(runs).report.quantiles.tokens?.n).toBe(3);
    expect(derive(runs).report.quantiles.usd).toBeNull();
    expect(messages(runs)).toContain(
      'tokens are known for 3 of 4 verified successes; the percentile speaks of those only',
    );
  });

  test('a percentile of zero gives no cap and a warning', () => {
    const free = [run({ passes: [{ input_tokens: 1, output_tokens: 1, seconds: 1, usd: 0 }] })];
    expect(derive(free).report.caps.usd).toBeNull();
    expect(derive(free).caps).not.toHaveProperty('usd');
    expect(codes(free)).toContain('zero_percentile');
  });

  test('without verified successes: no percentile, no cap, and an explanation', () => {
    const none = derive([run({ status: 'done_claimed', check: 'none', passes: passes(3) })]).report;
    expect([none.quantiles.passes, none.caps.passes]).toEqual([null, null]);
    expect(none.warnings.map(({ code }) => code)).toEqual(['no_check']);
    expect(none.warnings[0]?.hint).toMatch(/eval_results\.json.*--outcomes FILE.*--claimed/);
    expect(codes([run({ status: 'done_claimed', check: 'failed', passes: passes(3) })])).toEqual(['no_verified']);
  });
});

describe('small samples', () => {
  test.each([
    [50, true, true], // n < 1/(1-p) = 100
    [99, true, true],
    [100, false, true], // n < ln(0.05)/ln(0.99) = 298.07
    [298, false, true],
    [299, false, false],
  ])('%d runs at p99: percentile is the maximum %s, too few to claim 1 %% %s', (n, isMaximum, isSmall) => {
    const found = codes(successes(...Array(n).fill(7)));
    expect([found.includes('percentile_is_maximum'), found.includes('small_sample')]).toEqual([isMaximum, isSmall]);
  });

  test('says what may be claimed and how many runs are missing', () => {
    expect(messages(successes(...Array(120).fill(7)))).toEqual([
      'at n = 120 you may claim at most 2.5 % false stops with 95 % confidence; 179 more verified runs for 1 %',
    ]);
    expect(messages(successes(...Array(50).fill(7)))[0]).toBe(
      'p99 of 50 verified runs is just the largest value seen; the highest percentile that 50 runs support is p98',
    );
  });

  test('a verified run above the cap weakens the claim', () => {
    const claims = messages(successes(...Array(119).fill(10), 20)).filter((text) => text.includes('you may claim'));
    expect(claims).toEqual([
      'at n = 120 (1 above the cap) you may claim at most 3.9 % false stops with 95 % confidence; 353 more verified runs for 1 %',
    ]);
  });
});

describe('sentences do not claim more than the figures', () => {
  test('an upper limit is rounded up, and a percentile that n supports is rounded down', () => {
    const at298 = messages(successes(...Array(298).fill(7)));
    expect(at298[0]).toBe(
      'at n = 298 you may claim at most 1.1 % false stops with 95 % confidence; 1 more verified run for 1 %',
    );
    expect(messages(successes(...Array(99).fill(7)))[0]).toContain(
      'the highest percentile that 99 runs support is p98.9',
    );
  });

  test('runs without passes are told even where nothing is verified', () => {
    expect(codes([run({ passes: [] })])).toEqual(['no_verified', 'zero_pass_runs']);
  });
});

describe('groups', () => {
  test('one derivation for each combination of label values, the unlabelled ones too', () => {
    const labelled = [...upTo(4)].map((each, index) => ({
      ...each,
      labels: new Map(index < 3 ? [['task', index < 2 ? 'a' : 'b']] : []),
    }));
    const { groups } = derive(labelled, { by: ['task'] }).report;
    expect(groups.map(({ labels, verified, quantiles }) => [labels.task, verified, quantiles.passes?.max])).toEqual([
      ['a', 2, 2],
      ['b', 1, 3],
      [null, 1, 4],
    ]);
  });
});

describe('caps that stand on the sample', () => {
  const codes = (padding: string, method: 'nearest-rank' | 'linear' = 'nearest-rank'): string[] => {
    const runs = Array.from({ length: 400 }, (_, index) =>
      run({ id: `r-${index}`, passes: passes(1 + (index % 50), { seconds: null }) }),
    );
    const { warnings } = derive(runs, { padding: decimalOf(Number(padding)), method }).report;
    return warnings.filter(({ code }) => code === 'in_sample_interval').map(({ message }) => message);
  };

  test.each([
    [
      '1',
      'nearest-rank',
      'the caps on passes, tokens stand less than 10 % above the value that these very runs gave: counted on the same runs, false stops come out too low, and their interval can be too narrow',
    ],
    ['1', 'linear', 'the caps on passes, tokens stand'],
    // Tokens are rounded up from 5,300 to 5,500, a tenth above 5,000; passes from 53 to 53.
    [
      '1.06',
      'nearest-rank',
      'the passes cap stands less than 10 % above the value that these very runs gave: counted on the same runs, false stops come out too low',
    ],
  ] as const)('padding %s, %s: said', (padding, method, message) => {
    expect(codes(padding, method)).toEqual([expect.stringMatching(new RegExp(`^${message}`))]);
  });

  test.each(['1.1', '1.2'])('padding %s: nothing to say', (padding) => {
    expect(codes(padding)).toEqual([]);
  });
});
