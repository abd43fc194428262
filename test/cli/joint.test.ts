import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { capfit, goodLine, put, scratchFolder, WORKED_EXAMPLE } from './harness.js';

const folder = scratchFolder();
const FIVE = ['--false-stop', '5%', '--padding', '1'];
/** As one line, so that a sentence is found however it is wrapped. */
const spoken = (text: string): string => text.replace(/\s+/g, ' ');

describe('exit codes', () => {
  const lost = put(folder, 'lost.jsonl', goodLine('a', { status: 'halted_error', check: 'failed' }));
  test.each([
    [0, ['derive', WORKED_EXAMPLE, '--joint']],
    [0, ['derive', WORKED_EXAMPLE, '--optimize', '--spend', 'seconds']],
    [0, ['calibrate', WORKED_EXAMPLE, '--optimize']],
    [0, ['card', WORKED_EXAMPLE, '--joint']],
    [1, ['derive', lost, '--joint']],
    [1, ['derive', WORKED_EXAMPLE, '--optimize', '--spend', 'usd']],
    [2, ['derive', WORKED_EXAMPLE, '--spend', 'tokens']],
    [2, ['derive', WORKED_EXAMPLE, '--optimize', '--spend', 'money']],
    [2, ['calibrate', WORKED_EXAMPLE, '--spend', 'tokens']],
  ])('%d: capfit %j', async (code, argv) => {
    expect((await capfit(argv)).code).toBe(code);
  });

  test('what is wrong is told with what to do', async () => {
    expect((await capfit(['derive', WORKED_EXAMPLE, '--spend', 'tokens'])).err).toMatch(
      /--spend tokens is for --optimize and --joint\n.*add one of them/,
    );
    expect((await capfit(['derive', WORKED_EXAMPLE, '--joint', '--spend', 'usd'])).err).toMatch(
      /no run tells its usd\n.*--prices/,
    );
    expect((await capfit(['derive', lost, '--joint'])).out).toMatch(
      /There is no cap, so there is nothing to take together\./,
    );
  });
});

describe('derive --joint', () => {
  const derived = async (...argv: string[]) =>
    JSON.parse((await capfit(['derive', WORKED_EXAMPLE, '--json', ...argv])).out);

  test('the worked example: at 1 % the three caps share their false stops, and nothing changes', async () => {
    const { joint, caps } = await derived('--joint');
    expect(joint).toMatchObject({ taken: 'each_alone', accepted_rate: 0.01, optimized: null, combinations: null });
    expect(joint.each_alone).toMatchObject({
      p: 0.99,
      alone: { passes: { count: 2 }, tokens: { count: 3 }, seconds: { count: 1 }, usd: null },
      joint: { count: 3, at_most: null },
    });
    expect(caps).toEqual((await derived()).caps);
  });

  test('at 5 % without padding they stop more together, and the caps of the report are those taken', async () => {
    const { joint, caps } = await derived('--joint', ...FIVE);
    expect(joint).toMatchObject({
      taken: 'common',
      each_alone: { p: 0.95, joint: { count: 17 } },
      common: { p: 0.954, joint: { count: 14 }, caps: { passes: { cap: 16, rank: 296, p: 0.954 } } },
    });
    expect(caps.passes).toEqual({ ...joint.common.caps.passes, joint: 'common' });
    const { caps: cheapest, joint: optimized } = await derived('--optimize', ...FIVE);
    expect(optimized).toMatchObject({
      taken: 'optimized',
      weighed: 'tokens',
      optimized: { p: null, joint: { count: 15 } },
    });
    expect(optimized.optimized.spend.tokens.replayed).toBeLessThan(joint.common.spend.tokens.replayed);
    expect(cheapest.tokens).toMatchObject({ joint: 'cheapest', cap: optimized.optimized.caps.tokens.cap });
  });

  test('what the cheapest caps cost in good runs is said, and where to look instead of a cross-validated rate', async () => {
    const { out } = await capfit(['derive', WORKED_EXAMPLE, '--optimize', '--cross-validate', ...FIVE]);
    expect(spoken(out)).toMatch(
      /stops 15 successes\. That is 1 more good run lost for 0\.62 % of the tokens\. Hardly worth it\./,
    );
    expect(spoken(out)).not.toMatch(/go by the cross-validated rate/);
    expect(spoken(out)).toMatch(
      /caps that spend least are not cross-validated: hold them against runs that were not among these/,
    );
    const kept = spoken(
      (await capfit(['derive', WORKED_EXAMPLE, '--optimize', '--padding', '1.5', '--false-stop', '5%'])).out,
    );
    expect(kept).toMatch(/within the accepted 5 %: for that alone nothing would need to change\./);
  });

  test('groups have caps held to the rate together, too: the one group that is all runs has the same', async () => {
    const { caps, groups } = await derived('--optimize', '--by', 'task_type', ...FIVE);
    expect(groups).toHaveLength(1);
    expect(groups[0].caps).toEqual(caps);
  });

  test('a percentile in a warning is the one of the cap', async () => {
    const few = put(
      folder,
      'few.jsonl',
      [3, 4, 5, 9]
        .map((n) =>
          goodLine(`r${n}`, {
            passes: Array.from({ length: n }, () => ({ input_tokens: 90, output_tokens: 10, seconds: 1 })),
          }),
        )
        .join(''),
    );
    const { out } = await capfit(['derive', few, '--optimize', '--false-stop', '5%']);
    const caps = JSON.parse((await capfit(['derive', few, '--optimize', '--false-stop', '5%', '--json'])).out).caps;
    expect(caps.passes.p).toBe(0.9);
    expect(spoken(out)).toMatch(/p90 of 4 verified runs is just the largest value seen/);
    expect(spoken(out)).toMatch(
      /Of 1 combination of caps tried none within it is cheaper than all at p95: those stay\./,
    );
    expect(out).not.toMatch(/they are optimistic/);
  });

  test('what is weighed can be named', async () => {
    const { joint } = await derived('--optimize', '--spend', 'passes', ...FIVE);
    const { joint: inTokens } = await derived('--optimize', ...FIVE);
    expect(joint.weighed).toBe('passes');
    expect(joint.optimized.spend.passes.replayed).toBeLessThanOrEqual(inTokens.optimized.spend.passes.replayed);
  });

  test('the text fits 80 columns, shows all sets, and says that the cheapest is optimistic', async () => {
    const { out } = await capfit(['derive', WORKED_EXAMPLE, '--optimize', ...FIVE], { columns: 80 });
    expect(Math.max(...out.split('\n').map((line) => stringWidth(line)))).toBeLessThanOrEqual(80);
    expect(out).toMatch(/^each at p95 +16 \(13\) +190,000 \(8\) +160 s \(12\)$/m);
    expect(out).toMatch(/^all at p95\.4 +16 \(13\)/m);
    expect(out).toMatch(/^cheapest \(taken\) +15 +4\.84 %/m);
    expect(spoken(out)).toMatch(
      /At p95 all caps together stop 17 successes \(5\.48 %; alone 13, 8, 12\), above the accepted 5 %\. Going up rank by rank, they are first within it at p95\.4 \(rank 296 of 310\): there they stop 14/,
    );
    expect(spoken(out)).toMatch(
      /fitted to the runs that they are judged by, among \d+ combinations of caps: they are optimistic/,
    );
  });
});

describe('calibrate --joint', () => {
  const policyOf = async (...argv: string[]) => {
    const { out } = await capfit(['calibrate', WORKED_EXAMPLE, '--json', ...argv]);
    return JSON.parse(out);
  };

  test('the policy has those caps, its provenance says so, and nothing is above the accepted rate', async () => {
    const plain = await policyOf(...FIVE);
    const joint = await policyOf('--joint', ...FIVE);
    expect(plain.diagnosis.map(({ code }: { code: string }) => code)).toContain('joint_false_stops');
    expect(joint.diagnosis.map(({ code }: { code: string }) => code)).not.toContain('joint_false_stops');
    expect(joint.policy.caps).toEqual({ passes: 16, tokens: 190_000, seconds: 170 });
    expect(joint.policy.measured).toMatchObject({
      accepted_rate: 0.05,
      provenance: { seconds: { joint: 'common', p: 0.954 } },
    });
    expect(joint.ladder[1].replay.false_stops.count).toBe(joint.derive.joint.common.joint.count);
    expect(plain.policy.measured).not.toHaveProperty('accepted_rate');
  });

  test('a card, a policy file and its check know the accepted rate and where the caps came from', async () => {
    const out = join(folder, 'policy');
    await capfit(['calibrate', WORKED_EXAMPLE, '--optimize', ...FIVE, '--out', out]);
    const policy = join(out, 'policy.yaml');
    expect(readFileSync(policy, 'utf8')).toMatch(/joint: cheapest/);
    const card = await capfit(['card', '--policy', policy]);
    expect(spoken(card.out)).toMatch(
      /one of the caps that spend least while all together stay within the accepted rate/,
    );
    // The percentiles of the cheapest caps are lower than the accepted rate asks for: the rate is stated beside them.
    const { out: checked } = await capfit(['check', WORKED_EXAMPLE, '--policy', policy]);
    expect(spoken(checked)).toMatch(
      /false stops passed: 15 of 310 = 4\.84 %;.* bound: at most 5 %, by the lower limit/,
    );
  });
});

describe('--by', () => {
  const task = (name: string, count: number, passes: number): string =>
    Array.from({ length: count }, (_, i) =>
      goodLine(`${name}-${i}`, {
        labels: { task: name },
        passes: Array.from({ length: passes + (i % 5) }, () => ({ input_tokens: 90, output_tokens: 10, seconds: 1 })),
      }),
    ).join('');
  const RUNS = put(folder, 'tasks.jsonl', task('short', 300, 3) + task('long', 12, 20) + task('rare', 4, 9));

  test('tells whether groups differ, what one policy costs, and which groups are too small', async () => {
    const { group_test, group_costs } = JSON.parse(
      (await capfit(['derive', RUNS, '--by', 'task', '--json', '--p', '0.95'])).out,
    );
    expect(group_test).toMatchObject({
      compared: 2,
      differ: true,
      left_out: [{ labels: { task: 'rare' }, more_to_compare: 6 }],
    });
    expect(group_costs.groups.map(({ extra_false_stops }: { extra_false_stops: number }) => extra_false_stops)).toEqual(
      [0, 12],
    );
    expect(group_costs.left_out).toEqual(group_test.left_out);
    const calibrated = JSON.parse((await capfit(['calibrate', RUNS, '--by', 'task', '--json', '--p', '0.95'])).out);
    expect(calibrated.derive).toMatchObject({ group_test, group_costs });
  });

  test('the text says it in sentences, within 80 columns', async () => {
    const { out } = await capfit(['derive', RUNS, '--by', 'task', '--p', '0.95'], { columns: 80 });
    expect(Math.max(...out.split('\n').map((line) => stringWidth(line)))).toBeLessThanOrEqual(80);
    expect(spoken(out)).toMatch(
      /One policy for all costs 12 more false stops in task=long than its own would \(12 against 0 of 12\)\./,
    );
    expect(spoken(out)).toMatch(
      /task=rare: 4 verified successes; 6 more to be compared at all, 55 more before caps of its own/,
    );
    const one = await capfit(['derive', RUNS, '--by', 'task', '--where', 'task=short'], { columns: 80 });
    expect(one.out).toMatch(/There is only one group, so there is nothing to compare it with\./);
    expect(one.out).not.toMatch(/One policy, or one for each group/);
  });

  test('names out of the data are cut and escaped', async () => {
    const name = `\u001b[31m${'x'.repeat(300)}`;
    const hostile = put(folder, 'hostile.jsonl', task('short', 12, 3) + task(name, 12, 30));
    const { out } = await capfit(['derive', hostile, '--by', 'task'], { columns: 80 });
    expect(out).not.toContain('\u001b');
    expect(Math.max(...out.split('\n').map((line) => stringWidth(line)))).toBeLessThanOrEqual(80);
  });
});
