import { describe, expect, test } from 'vitest';
import type { Run } from '../../src/model/run.js';
import { plan } from '../../src/replay/plan.js';
import type { PlanClaim } from '../../src/replay/plan-result.js';
import { claimsNothing, claimText } from '../../src/replay/plan-words.js';
import { clopperPearson, sampleSizeForShare, upperLimit } from '../../src/stats/interval.js';
import { passes, policy, run } from '../builders.js';

const failed = { status: 'halted_error', check: 'failed', reason: 'x' };

/** Successes of so many passes, without tokens or times, and so many failures. */
function counted(sizes: readonly number[], failures = 0, fields: object = {}): Run[] {
  const bare = { input_tokens: null, output_tokens: null, seconds: null };
  return [
    ...sizes.map((size, index) => run({ id: `s-${index}`, passes: passes(size, bare), ...fields })),
    ...Array.from({ length: failures }, (_, index) => run({ id: `f-${index}`, passes: passes(2, bare), ...failed })),
  ];
}

/** 1 to 20, again and again. */
const sizes = (count: number): number[] => Array.from({ length: count }, (_, index) => 1 + (index % 20));

function claim(claims: readonly PlanClaim[], caps: PlanClaim['caps']): PlanClaim | undefined {
  return claims.find((each) => each.caps === caps);
}

describe('plan', () => {
  test('one cap: the whole answer', () => {
    const report = plan(counted(sizes(120), 30));
    const { low, high } = clopperPearson(120, 150);
    const needed = 299 - 120;
    const further = {
      verified_needed: 299,
      more_verified: needed,
      more_runs: { expected: 224, range95: [Math.ceil(needed / high), Math.ceil(needed / low)] },
    };
    const { needed: table, ...rest } = report;
    expect(rest).toEqual({
      schema: 'capfit/plan@1',
      target: 0.01,
      confidence: 0.95,
      population: 'verified',
      runs: 150,
      verified: 120,
      verified_share: { share: 0.8, ci95: [low, high] },
      claims: [
        {
          caps: 'maximum',
          values: { passes: 20 },
          cut: 0,
          of: 120,
          counted_as: 0,
          at_most: upperLimit(0, 120),
          met: false,
          if_none_cut: further,
          at_todays_rate: further,
        },
        {
          caps: 'derived',
          values: { passes: 24 },
          cut: 0,
          of: 120,
          counted_as: 0,
          at_most: upperLimit(0, 120),
          met: false,
          if_none_cut: further,
          at_todays_rate: further,
        },
      ],
      at_n: {
        verified: 120,
        at_most: [0, 1, 2, 3, 5, 10].map((above) => ({ above, share: upperLimit(above, 120) })),
      },
      verdict: `With 95 % confidence you may claim today that the derived caps cut at most 2.5 % of the good runs. For 1 % it takes 179 more verified runs if none of them is cut: about 224 further runs to record, good and bad (${Math.ceil(needed / high)} to ${Math.ceil(needed / low)}) at today's share of 80 %.`,
      warnings: [],
    });
    expect(table.map(({ share }) => share)).toEqual([0.05, 0.02, 0.01, 0.005, 0.001]);
    expect(table[2]?.verified).toEqual([0, 1, 2, 3].map((above) => ({ above, runs: sampleSizeForShare(above, 0.01) })));
  });

  test('a cap that cuts: what is cut counts, and at its rate no number of runs may be enough', () => {
    const few = plan(counted([...sizes(198), 90, 90]), { padding: { num: 1n, den: 1n }, p: { num: 98n, den: 100n } });
    expect(claim(few.claims, 'derived')).toMatchObject({ cut: 2, counted_as: 2, at_todays_rate: null });
    expect(few.verdict).toMatch(/If further runs are cut at today's rate of 1 %, no number of them is enough for 1 %/);
    const rare = plan(counted([...sizes(398), 90, 90]), { padding: { num: 1n, den: 1n }, target: 0.02 });
    expect(claim(rare.claims, 'derived')).toMatchObject({ cut: 2, met: true, if_none_cut: { more_verified: 0 } });
    expect(rare.verdict).toMatch(
      /cut at most 1.6 % of the good runs: the target of 2 % is met by 400 verified runs\.$/,
    );
  });

  test('several caps from the same runs: each beyond the first counts as one more', () => {
    const runs = Array.from({ length: 310 }, (_, index) => run({ id: `r-${index}`, passes: passes(1 + (index % 20)) }));
    const { claims } = plan(runs);
    expect(claims.map(({ caps, cut, counted_as, at_most }) => [caps, cut, counted_as, at_most])).toEqual([
      ['maximum', 0, 0, upperLimit(0, 310)],
      ['all_maxima', 0, 2, upperLimit(2, 310)],
      ['derived', 0, 2, upperLimit(2, 310)],
    ]);
    expect(claims[0]).toMatchObject({ met: true, values: null });
    expect(claims[1]).toMatchObject({ values: { passes: 20, tokens: 2000, seconds: 20 } });
  });

  test('a policy is held against the runs with its rules; caps of these very runs count as chosen', () => {
    const runs = counted([...sizes(300), 40, 41, 42]);
    const three = policy({ caps: { passes: 30, seconds: 900 }, rules: [{ rule: 'idle', count: 35 }] });
    const unowned = plan(runs, { policy: three });
    const other = claim(unowned.claims, 'policy');
    expect(unowned.warnings).toEqual([
      { code: 'not_judged', message: expect.stringMatching(/^seconds could not judge/), hint: expect.any(String) },
    ]);
    expect(other).toMatchObject({ cut: 3, counted_as: 3, at_most: upperLimit(3, 303) });
    const own = claim(plan(runs, { policy: three, ofTheseRuns: true }).claims, 'policy');
    expect(own).toMatchObject({ cut: 3, counted_as: 4, at_most: upperLimit(4, 303) });
    const rules = policy({ caps: {}, rules: [{ rule: 'idle', count: 41 }] });
    expect(claim(plan(runs, { policy: rules }).claims, 'policy')).toMatchObject({ cut: 1, counted_as: 1 });
  });

  test('runs known in total only count where they may be cut', () => {
    const runs = Array.from({ length: 50 }, (_, index) =>
      run({ id: `t-${index}`, passes: null, totals: { passes: 3, tokens: 100 + index } }),
    );
    const fixed = claim(plan(runs, { policy: policy({ caps: { tokens: 145 } }) }).claims, 'policy');
    expect(fixed).toMatchObject({ cut: 5, at_most: upperLimit(5, 50) });
  });

  test('runs that do not tell what a cap counts prove nothing for it', () => {
    const silent = { input_tokens: null, output_tokens: null, seconds: null };
    const runs = Array.from({ length: 80 }, (_, index) =>
      run({ id: `r-${index}`, passes: passes(1 + (index % 9), index < 30 ? { seconds: null } : silent) }),
    );
    const { claims } = plan(runs, { policy: policy({ caps: { passes: 8 } }) });
    expect(claims.map(({ caps, cut, of }) => [caps, cut, of])).toEqual([
      ['maximum', 0, 30],
      ['all_maxima', 0, 30],
      ['derived', 0, 30],
      ['policy', 8, 80],
    ]);
    expect(claims[0]).toMatchObject({ at_most: upperLimit(0, 30), if_none_cut: { more_verified: 269 } });
  });

  test('runs of one task are told', () => {
    const runs = sizes(60).map((size, index) =>
      run({ id: `r-${index}`, passes: passes(size), labels: { task_id: `t-${index % 12}` } }),
    );
    const [warning] = plan(runs).warnings.filter(({ code }) => code === 'runs_of_one_task');
    expect(warning?.message).toMatch(/^the 60 verified runs are of 12 tasks \(by task_id\)/);
    expect(plan(runs.slice(0, 12)).warnings).toEqual([]);
  });
});

describe('plan without an answer', () => {
  test('no runs named: the numbers that hold for any', () => {
    expect(plan(null)).toMatchObject({ runs: null, verified: null, claims: [], at_n: null, population: null });
    expect(plan(null).verdict).toBe(
      'To claim at most 1 % with 95 % confidence takes 299 verified runs with none of them above the cap; 473 with 1, 628 with 2, 773 with 3.',
    );
    const two = plan(null, { above: 2, target: 0.005 });
    expect(two.verdict).toBe(
      'To claim at most 0.5 % with 95 % confidence takes 1,258 verified runs with 2 of them above the cap.',
    );
    expect(two.claims).toEqual([
      {
        caps: 'assumed',
        values: null,
        cut: 2,
        of: 0,
        counted_as: 2,
        at_most: null,
        met: false,
        if_none_cut: { verified_needed: 1258, more_verified: 1258, more_runs: null },
        at_todays_rate: null,
      },
    ]);
  });

  test('a target of its own gets its row, a number above its column', () => {
    const { needed } = plan(null, { target: 0.03, above: 7 });
    expect(needed.map(({ share }) => share)).toEqual([0.05, 0.03, 0.02, 0.01, 0.005, 0.001]);
    expect(needed[1]?.verified.at(-1)).toEqual({ above: 7, runs: sampleSizeForShare(7, 0.03) });
  });

  test('zero verified: words, and nothing claimed', () => {
    const report = plan(counted([], 5));
    expect(report).toMatchObject({ verified: 0, verified_share: null, claims: [], at_n: null });
    expect(report.verdict).toMatch(
      /^Nothing can be claimed: none of 5 runs is a verified success\. .*299 verified runs/,
    );
    expect(report.warnings.map(({ code }) => code)).toEqual(['no_verified']);
  });

  test.each([
    ['one run', counted([7])],
    ['two runs', counted([3, 9])],
    ['all alike', counted(new Array(40).fill(6))],
    ['every success above', counted([5, 5, 5])],
  ])('%s: finite figures, and a sentence', (_name, runs) => {
    const report = plan(runs, { policy: policy({ caps: { passes: 1 } }) });
    expect(JSON.stringify(report)).not.toMatch(/NaN|Infinity/);
    expect(report.verdict).toMatch(/^With 95 % confidence nothing useful can be claimed today of the policy: .* cut\./);
    expect(claim(report.claims, 'policy')).toMatchObject({ at_most: 1, met: false, at_todays_rate: null });
  });

  test('a target that no number of runs reaches has none', () => {
    const runs = counted([...new Array(20).fill(3), ...new Array(2000).fill(9)]);
    const report = plan(runs, { policy: policy({ caps: { passes: 4 } }), target: 0.00001 });
    expect(claim(report.claims, 'policy')).toMatchObject({ cut: 2000, if_none_cut: null });
    expect(report.verdict).toMatch(/For 0.001 % no number of runs that anybody records is enough\./);
  });

  test('what is true of any caps is no claim, and why it is none is said', () => {
    const one = plan([run({ id: 'a', passes: passes(3) })]);
    expect(one.verdict).toMatch(
      /^With 95 % confidence nothing useful can be claimed today of the derived caps: 1 verified run is too few for so many caps\./,
    );
    expect([claimsNothing(null), claimsNothing(1), claimsNothing(0.991), claimsNothing(0.95)]).toEqual([
      ...[true, true, true, false],
    ]);
    expect([claimText(1), claimText(0.95)]).toEqual(['nothing', '95 %']);
    const half = plan(counted([3, 9]), { policy: policy({ caps: { passes: 4 } }) });
    expect(half.verdict).toMatch(/^With 95 % confidence you may claim today that the policy cuts at most 98 %/);
  });

  test('a confidence is written with all its digits', () => {
    expect(plan(null, { confidence: 0.999999999 }).verdict).toMatch(
      /^To claim at most 1 % with 99\.9999999 % confidence/,
    );
  });
});
