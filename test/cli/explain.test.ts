import { describe, expect, test } from 'vitest';
import { capfit, goodLine, put, scratchFolder, WORKED_EXAMPLE } from './harness.js';

const folder = scratchFolder();

const explained = async (...argv: string[]): Promise<Record<string, never>> =>
  JSON.parse((await capfit([...argv, '--explain', '--json'])).out).explain;

describe('--explain', () => {
  test('of the worked example is the arithmetic of its published caps', async () => {
    expect(await explained('derive', WORKED_EXAMPLE)).toMatchObject({
      passes: {
        cap: { cap: 26, quantile: 21, rank: 307, padded: 25.2 },
        position: 306.9,
        unit_rule: 'usual',
        above: ['run-0112', 'run-0059'],
      },
      tokens: {
        cap: { cap: 460_000, quantile: 376_035, padded: 451_242 },
        above: ['run-0112', 'run-0059', 'run-0004'],
      },
      seconds: { cap: { cap: 270, quantile: 211, padded: 253.2 }, above: ['run-0112'] },
      usd: { cap: null, reason: 'no success gives the figure' },
    });
  });

  test('says the same in derive and calibrate, of JSONL and CSV, and only where asked', async () => {
    const derived = await explained('derive', WORKED_EXAMPLE);
    expect(await explained('calibrate', WORKED_EXAMPLE)).toEqual(derived);
    expect(await explained('derive', 'datasets/worked-example/runs.csv')).toEqual(derived);
    expect(JSON.parse((await capfit(['derive', WORKED_EXAMPLE, '--json'])).out)).not.toHaveProperty('explain');
    expect((await capfit(['derive', WORKED_EXAMPLE])).out).not.toContain('Why these caps');
  });

  test('ranks are those of the same runs in JSON', async () => {
    const { tokens } = (await explained('derive', WORKED_EXAMPLE)) as unknown as {
      tokens: { ranked: { rank: number; value: number; is_taken: boolean; is_above_cap: boolean }[] };
    };
    expect(tokens.ranked.map(({ rank }) => rank)).toEqual([303, 304, 305, 306, 307, 308, 309, 310]);
    expect(tokens.ranked.map(({ value }) => value)).toEqual([
      222_213, 232_049, 278_163, 284_992, 376_035, 522_638, 539_745, 712_204,
    ]);
    expect(tokens.ranked.filter(({ is_taken }) => is_taken).map(({ rank }) => rank)).toEqual([307]);
    expect(tokens.ranked.filter(({ is_above_cap }) => is_above_cap)).toHaveLength(3);
  });

  test('of caps that are held together says how their ranks were found', async () => {
    const joint = await capfit(['derive', WORKED_EXAMPLE, '--false-stop', '0.5%', '--joint', '--explain']);
    const cheapest = await capfit(['derive', WORKED_EXAMPLE, '--optimize', '--explain'], { columns: 200 });
    expect(cheapest.out).toContain('one of the caps that spend least while all caps together stay within');
    expect(cheapest.out).toContain('the usual unit of 30 s would raise it by 14.7 %');
    expect(joint.code).toBe(0);
    expect(joint.out).not.toMatch(/NaN|undefined|Infinity/);
  });

  test('of one run, of claimed runs, and of none', async () => {
    const one = put(folder, 'one.jsonl', goodLine('only'));
    const { out } = await capfit(['derive', one, '--explain']);
    expect(out).toContain('ceil(0.99 x 1) = ceil(0.99) = 1: 1');
    const claim = put(
      folder,
      'claim.jsonl',
      goodLine('a', { status: 'done_claimed', check: 'none', claim: 'completed' }),
    );
    expect((await capfit(['derive', claim, '--claimed', '--explain'])).out).toContain(
      'passes of 1 success (claimed, not verified)',
    );
    const none = await capfit(['calibrate', claim, '--explain']);
    expect(none).toMatchObject({ code: 1, out: expect.stringContaining('no cap, since there is no success') });
  });

  test('beside groups says that it is about all runs', async () => {
    const { out } = await capfit(['derive', WORKED_EXAMPLE, '--by', 'task_type', '--explain']);
    expect(out).toContain('The caps of groups are not explained here');
  });

  test('--verbose names every run above a cap', async () => {
    const many = ['derive', WORKED_EXAMPLE, '--p', '0.5', '--padding', '1', '--explain'];
    expect((await capfit(many)).out).toContain('(--verbose names all)');
    expect((await capfit([...many, '--verbose'])).out).not.toContain('(--verbose names all)');
  });
});
