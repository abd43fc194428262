import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { capfit, goodLine, put, scratchFolder, WORKED_EXAMPLE } from './harness.js';

const folder = scratchFolder();
const lost = { status: 'stopped_budget', check: 'failed', reason: 'passes' };
const pass = { input_tokens: 90, output_tokens: 10, seconds: 1 };
const passes = (count: number, fields: object = {}): object[] =>
  Array.from({ length: count }, () => ({ ...pass, ...fields }));
const RUNS = put(
  folder,
  'runs.jsonl',
  [
    goodLine('a', { passes: passes(4) }),
    goodLine('b', { passes: passes(8) }),
    goodLine('c', { ...lost, passes: passes(20) }),
  ].join(''),
);
const polling = (count: number, fields: object = {}): object => ({
  passes: passes(count, { usd: 0.25, calls: [{ tool: 'poll', args: { job: 7 }, result: 'pending' }], ...fields }),
});
/** Good runs that poll, and one that polls for ever. */
const POLLING = put(
  folder,
  'polling.jsonl',
  [1, 2, 3, 4, 6]
    .map((count, at) => goodLine(`good-${at}`, polling(count)))
    .concat(goodLine('stuck', { ...polling(30), status: 'halted_error', check: 'failed' }))
    .join(''),
);
const NONE_GOOD = put(folder, 'lost.jsonl', goodLine('c', { ...lost, passes: passes(20) }));
const POLICY = put(
  folder,
  'policy.yaml',
  'capfit: policy/v1\ncaps: {passes: 9, tokens: 1000}\nrules:\n  - {rule: idle, count: 12}\n',
);

describe('exit codes', () => {
  test.each([
    [0, ['sweep', RUNS]],
    [0, ['sweep', RUNS, '--passes', '3:9:2,none']],
    [0, ['sweep', NONE_GOOD, '--passes', '10']],
    [1, ['sweep', NONE_GOOD]],
    [1, ['sweep', RUNS, '--passes', '10', '--spend', 'usd']],
    [2, ['sweep']],
    [2, ['sweep', RUNS, '--passes', '']],
    [2, ['sweep', RUNS, '--passes', '10,']],
    [2, ['sweep', RUNS, '--passes', '0']],
    [2, ['sweep', RUNS, '--passes', '2.5']],
    [2, ['sweep', RUNS, '--passes', '9:3:1']],
    [2, ['sweep', RUNS, '--passes', '3:9:0']],
    [2, ['sweep', RUNS, '--passes', '3:9']],
    [2, ['sweep', RUNS, '--usd', 'much']],
    [2, ['sweep', RUNS, '--spend', 'money']],
    [2, ['sweep', RUNS, '--csv', '--json']],
    [2, ['sweep', RUNS, '--exempt', 'poll']],
    [2, ['sweep', RUNS, '--exempt', 'poll', '--repeat', '3', '--policy', POLICY]],
    [2, ['sweep', RUNS, '--repeat', '']],
    [2, ['sweep', RUNS, '--repeat', '1']],
    [2, ['sweep', RUNS, '--repeat', '1:4:1']],
    [2, ['sweep', RUNS, '--repeat', '2.5']],
    [2, ['sweep', RUNS, '--repeat', '2', '--preset', 'openhands']],
    [2, ['sweep', RUNS, '--value', '5']],
    [2, ['sweep', RUNS, '--value', '0tokens']],
    [2, ['sweep', RUNS, '--value', '-5tokens']],
    [2, ['sweep', RUNS, '--value', '1e999tokens']],
    [2, ['sweep', RUNS, '--value', '64steps']],
    [2, ['sweep', RUNS, '--value', '64seconds', '--spend', 'tokens']],
    [1, ['sweep', RUNS, '--value', '2.50usd']],
    [1, ['sweep', NONE_GOOD, '--repeat', '3']],
    [1, ['sweep', NONE_GOOD, '--passes', '10,none', '--value', '5tokens']],
    [0, ['sweep', RUNS, '--false-stop', '50%']],
    [2, ['sweep', RUNS, '--false-stop', 'few']],
    [0, ['sweep', RUNS, '--repeat', '2:4:1,none']],
    [0, ['sweep', RUNS, '--value', '64 seconds', '--spend', 'seconds']],
    [2, ['sweep', RUNS, '--policy', POLICY, '--preset', 'roo']],
    [3, ['sweep', 'missing.jsonl']],
  ])('%d: capfit %j', async (code, argv) => {
    expect((await capfit(argv)).code).toBe(code);
  });

  test('too many combinations are told with their number', async () => {
    const { code, err } = await capfit(['sweep', RUNS, '--tokens', '1:2000:1', '--passes', '1:1000:1']);
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/2,000,000 combinations of caps are too many\n.*at most 1,000,000/),
    ]);
    expect((await capfit(['sweep', RUNS, '--tokens', '1:9_000_000_000:1'])).err).toMatch(/take larger steps/);
  });

  test('counts are combinations, too', async () => {
    const { code, err } = await capfit(['sweep', RUNS, '--tokens', '1:2000:1', '--repeat', '2:1001:1']);
    expect([code, err]).toEqual([2, expect.stringMatching(/2,000,000 combinations of caps and counts are too many/)]);
  });

  test.each([
    [/--repeat 1: 1 is not a count\n.*--repeat 2,3,4, --repeat 2:6:1.*none for no such rule/, ['--repeat', '1']],
    [/has 2 repeat rules: action_observation, alternating\n/, ['--repeat', '3', '--preset', 'openhands']],
    [/--value 2.50eur: eur are not what runs spend\n.*--value 2.50usd.*tokens/, ['--value', '2.50eur']],
    [/--value 5: an amount of what\?/, ['--value', '5']],
    [/--value much: not an amount/, ['--value', 'much']],
    [/--value 0: not a number of tokens from 0.000000001 /, ['--value', '0tokens']],
    [/--value 2usd: no run tells its usd\n.*--prices, or say what a good run is worth in tokens/, ['--value', '2usd']],
    [/--spend usd and --value 5tokens weigh different things\n/, ['--value', '5tokens', '--spend', 'usd']],
  ])('%s', async (message, flags) => {
    expect((await capfit(['sweep', RUNS, ...flags])).err).toMatch(message);
  });

  test('counts that the rule of a policy cannot have', async () => {
    const rules = (...entries: string[]): string =>
      put(folder, 'rules.yaml', `capfit: policy/v1\nrules:\n${entries.map((each) => `  - {${each}}\n`).join('')}`);
    const err = async (...entries: string[]): Promise<string> =>
      (await capfit(['sweep', RUNS, '--repeat', '4,9', '--policy', rules(...entries)])).err;
    expect(await err('rule: repeat, window: 6')).toMatch(/--repeat 9: repeats looks at 6 calls, which cannot hold/);
    expect(await err('rule: stale, name: repeats')).toMatch(/--repeat: another rule of the policy is named repeats/);
  });

  test('what is no cap is told with an example', async () => {
    const { err } = await capfit(['sweep', RUNS, '--seconds', '60,soon']);
    expect(err).toMatch(/--seconds 60,soon: soon is not a cap\n.*--seconds 60,120.*60:300:30/);
  });
});

describe('every combination', () => {
  test('as JSON', async () => {
    const { out } = await capfit(['sweep', RUNS, '--passes', '6,none', '--tokens', '300:600:300', '--json']);
    const report = JSON.parse(out);
    expect({ ...report, base: null, policies: report.policies.length }).toEqual({
      schema: 'capfit/sweep@1',
      population: 'verified',
      runs: 3,
      verified: 2,
      base: null,
      tried: { passes: [6, null], tokens: [300, 600] },
      recorded: {
        passes: { spend: 32, known_runs: 3 },
        tokens: { spend: 3200, known_runs: 3 },
        seconds: { spend: 32, known_runs: 3 },
        usd: null,
      },
      weighed: 'tokens',
      advice: {
        allowed: { by: 'accepted', false_stops: 0, rate: 0.01 },
        policy: null,
        further: null,
        text: expect.stringMatching(
          /^None of the combinations tried is sure to stop no more than 1 % of the good runs/,
        ),
      },
      warnings: [expect.objectContaining({ code: 'in_sample' })],
      policies: 4,
    });
    expect(report.policies[1]).toEqual({
      caps: { passes: 6, tokens: 600 },
      false_stops: 1,
      rate: 0.5,
      ci95: [expect.closeTo(0.0126, 4), expect.closeTo(0.9874, 4)],
      stops: 2,
      censored: 0,
      spend: {
        passes: { replayed: 16, reduction: 0.5 },
        tokens: { replayed: 1600, reduction: 0.5 },
        seconds: { replayed: 16, reduction: 0.5 },
        usd: null,
      },
      on_frontier: true,
      next_good_run: null,
    });
  });

  test('with counts of a rule, and what costs least in all', async () => {
    const { out } = await capfit([
      'sweep',
      POLLING,
      '--passes',
      '6,none',
      '--repeat',
      '4,3,none',
      '--value',
      '2.50usd',
      '--json',
    ]);
    const report = JSON.parse(out);
    expect(report).toMatchObject({
      base: { rules: [{ rule: 'repeat', key: 'call', count: 3 }] },
      tried: { passes: [6, null], repeat: [3, 4, null] },
      weighed: 'usd',
    });
    expect(report.value).toEqual({
      metric: 'usd',
      per_success: 2.5,
      policy: 4,
      caps: { passes: 6 },
      repeat: null,
      false_stops: 0,
      finished: 5,
      spend: 5.5,
      cost: 5.5,
      recorded_cost: 11.5,
      recorded_is: 'more',
      best_from: 1,
      best_to: null,
      text: expect.stringMatching(/^At \$2\.50 a finished success, passes 6, repeat none costs least in all: /),
    });
    expect(
      report.policies.map(({ caps, repeat, false_stops, spend, next_good_run }: { [key: string]: unknown }) => [
        (caps as { passes: number | null }).passes,
        repeat,
        false_stops,
        (spend as { usd: { replayed: number } }).usd.replayed,
        next_good_run,
      ]),
    ).toEqual([
      [6, 3, 2, 3.75, { costs: 0.75, saves: 1 }],
      [null, 3, 2, 3.75, { costs: 0.75, saves: 1 }],
      [6, 4, 1, 4.5, { costs: 1, saves: 1 }],
      [null, 4, 1, 4.5, { costs: 1, saves: 1 }],
      [6, null, 0, 5.5, null],
      [null, null, 0, 11.5, undefined],
    ]);
  });

  test('--exempt is for the rule that --repeat counts', async () => {
    const flags = ['--passes', 'none', '--repeat', '3', '--exempt', 'poll', '--json'];
    const report = JSON.parse((await capfit(['sweep', POLLING, ...flags])).out);
    expect(report.base.rules).toEqual([expect.objectContaining({ exempt: ['poll'] })]);
    expect(report.policies).toMatchObject([{ repeat: 3, stops: 0 }]);
  });

  test('as CSV with counts and prices', async () => {
    const { out } = await capfit(['sweep', POLLING, '--passes', '6,none', '--repeat', '4,none', '--csv']);
    const lines = out
      .trim()
      .split('\n')
      .map((line) => line.split(','));
    expect(lines.map((cells) => [...cells.slice(0, 3), ...cells.slice(-2)])).toEqual([
      ['cap_passes', 'repeat', 'false_stops', 'on_frontier', 'next_good_run_costs'],
      ['6', '4', '1', 'true', '400'],
      ['none', '4', '1', 'true', '400'],
      ['6', 'none', '0', 'true', ''],
      ['none', 'none', '0', 'false', ''],
    ]);
  });

  test('as CSV, the caps that are kept among them', async () => {
    const { out } = await capfit(['sweep', RUNS, '--policy', POLICY, '--passes', '3,none', '--csv']);
    expect(
      out
        .trim()
        .split('\n')
        .map((line) => line.split(',').slice(0, 5)),
    ).toEqual([
      ['cap_passes', 'cap_tokens', 'false_stops', 'rate', 'ci95_low'],
      ['3', '1000', '2', '1', expect.any(String)],
      ['none', '1000', '0', '0', '0'],
    ]);
  });

  test('the rules of the policy stop runs, too', async () => {
    const rows = async (...more: string[]): Promise<{ stops: number }[]> =>
      JSON.parse((await capfit(['sweep', RUNS, '--tokens', 'none', '--json', ...more])).out).policies;
    expect((await rows()).map(({ stops }) => stops)).toEqual([0]);
    expect((await rows('--policy', POLICY)).map(({ stops }) => stops)).toEqual([1]);
  });

  test('equals the replay of its policy on the worked example', async () => {
    const swept = await capfit([
      'sweep',
      WORKED_EXAMPLE,
      '--passes',
      '26',
      '--tokens',
      '460000',
      '--seconds',
      '270',
      '--json',
    ]);
    const policy = put(folder, 'example.yaml', 'capfit: policy/v1\ncaps: {passes: 26, tokens: 460000, seconds: 270}\n');
    const replayed = JSON.parse((await capfit(['replay', WORKED_EXAMPLE, '--policy', policy, '--json'])).out);
    const [row] = JSON.parse(swept.out).policies;
    expect(row).toMatchObject({ false_stops: 3, ci95: replayed.false_stops.ci95, rate: replayed.false_stops.rate });
    expect(row.spend.tokens.replayed).toBe(replayed.spend.tokens.replayed);
  });
});

describe('a sentence to decide by', () => {
  const spoken = async (...flags: string[]): Promise<string> =>
    (await capfit(['sweep', ...flags])).out.replace(/\s+/g, ' ');

  test('names the cheapest within the accepted rate, what it saves, and the price of one step further', async () => {
    const flags = ['--passes', '20,26,33', '--repeat', '3'];
    expect(await spoken(WORKED_EXAMPLE, ...flags)).toMatch(
      /The cheapest that stops no more than 1 % of the good runs: passes 26, repeat 3\. It stops 2 of 310 verified successes and spends 36\.9 M tokens instead of 198\.4 M tokens as recorded, 81\.4 % less\. One step further, passes 20, repeat 3 stops \d+ more of them and saves [\d.]+ M tokens more \([\d.]+ % of what was recorded\), [\d,]+ tokens for each of them\./,
    );
    expect(await spoken(WORKED_EXAMPLE, ...flags, '--false-stop', '0.1%')).toMatch(
      /than 0\.1 % of the good runs: passes 33/,
    );
  });

  test("goes by today's policy where one is named", async () => {
    const text = await spoken(RUNS, '--policy', POLICY, '--passes', '5,9,none');
    expect(text).toMatch(/The cheapest that stops no more than today's policy does \(0\): passes 9, tokens 1,000\./);
    expect(text).toMatch(/spends 2,100 tokens, as much as before: nothing is saved\./);
  });

  test('says that little is gained', async () => {
    expect(await spoken(RUNS, '--tokens', '1990,none')).toMatch(/Hardly worth it|nothing is saved/);
  });

  test('and that nothing can be told without a success', async () => {
    expect(await spoken(NONE_GOOD, '--passes', '10,none')).toMatch(/No run is a verified success, so nobody can tell/);
  });
});

describe('where the record keeps only totals', () => {
  const total = (id: string, tokens: number, fields: object = {}): string =>
    goodLine(id, { passes: null, totals: { passes: 10, tokens }, ...fields });
  const bad = { status: 'halted_error', check: 'failed' };
  const TOTALS = put(
    folder,
    'totals.jsonl',
    total('a', 100) + total('b', 200) + total('c', 900, { ...bad, totals: { passes: 30, tokens: 900 } }),
  );

  test('the first sentence says that savings cannot be told, a cap that is never worse is offered, a value is refused', async () => {
    const { out, code } = await capfit(['sweep', TOTALS, '--passes', '5,15,none', '--value', '50tokens']);
    const text = out.replace(/\s+/g, ' ');
    expect(code).toBe(1);
    expect(text).toMatch(/What these caps would save cannot be told: some runs are recorded only in total or in part/);
    expect(text).toMatch(
      /nobody can tell which combination costs least in all, since .* passes 15 costs 300 to 1,200 tokens; passes 5 costs/,
    );
    expect(out).toMatch(/^ +15 +0 +0 % .* 300 to 1,200 +0 % to 75\.0 %$/m);
    expect(out).not.toMatch(/whatever a finished success is worth|saves per good run/);
    const advised = (await capfit(['sweep', TOTALS, '--passes', '5,15,none'])).out.replace(/\s+/g, ' ');
    expect(advised).toMatch(
      /passes 15\. It stops 0 of 2 verified successes, and spends 300 to 1,200 tokens, against 1,200 tokens as recorded\./,
    );
  });

  test('the CSV has both ends of every figure', async () => {
    const rows = (await capfit(['sweep', TOTALS, '--tokens', '150,none', '--csv'])).out
      .trim()
      .split('\n')
      .map((line) => line.split(','));
    const [names, ...cells] = rows as [string[], ...string[][]];
    const at = (row: string[], name: string): string | undefined => row[names.indexOf(name)];
    const shown = [
      'false_stops',
      'false_stops_least',
      'false_stops_most',
      'tokens_replayed',
      'tokens_replayed_least',
      'tokens_replayed_most',
      'tokens_reduction_least',
    ];
    expect(cells.map((row) => shown.map((name) => at(row, name)))).toEqual([
      ['0', '0', '1', '1200', expect.any(String), '1200', '0'],
      ['0', '0', '0', '1200', '1200', '1200', '0'],
    ]);
    expect(cells.every((row) => row.length === names.length)).toBe(true);
  });
});

describe('the table', () => {
  test('fits 80 columns, and tells how many were tried', async () => {
    const { out } = await capfit(['sweep', WORKED_EXAMPLE], { columns: 80 });
    expect(Math.max(...out.split('\n').map((line) => stringWidth(line)))).toBeLessThanOrEqual(80);
    expect(out).toMatch(/343 combinations of caps tried: passes 14, 16, 19, 21, 26, 33, none;/);
    expect(out).toMatch(/^ +26 +none +270 s +2 +0\.65 % +2\.31 % +81 +53\.8 M +72\.9 % +16\.4 M$/m);
  });

  test.each([
    ['sweep-value-80', [WORKED_EXAMPLE, '--repeat', '2,3,4,none', '--value', '400_000tokens']],
    ['sweep-usd-80', [POLLING, '--repeat', '3:5:1,none', '--value', '1.00usd']],
    ['sweep-lost-80', [NONE_GOOD, '--passes', '10,none', '--value', '1000tokens']],
  ])('%s', async (name, flags) => {
    const { out, err } = await capfit(['sweep', ...flags], { columns: 80 });
    expect(err).toBe('');
    expect(Math.max(...out.split('\n').map((line) => stringWidth(line)))).toBeLessThanOrEqual(80);
    expect(out).not.toMatch(/NaN|Infinity|undefined|-0\b/);
    await expect(out).toMatchFileSnapshot(`golden/${name}.txt`);
  });

  test('the chosen combination is the cheapest of all in the JSON', async () => {
    const flags = ['--repeat', '2,3,none', '--json', '--value'];
    for (const worth of [1, 30_000, 700_000, 1e9]) {
      const { out } = await capfit(['sweep', WORKED_EXAMPLE, ...flags, `${worth}tokens`]);
      const { policies, value } = JSON.parse(out);
      const bills = policies.map(
        (each: { false_stops: number; spend: { tokens: { replayed: number } } }) =>
          each.spend.tokens.replayed + worth * each.false_stops,
      );
      expect(value.cost).toBe(Math.min(...bills));
      expect(bills[value.policy]).toBe(value.cost);
    }
  });

  test('headers take three lines at most while there is room', async () => {
    const flags = ['--passes', '20,26', '--repeat', '3'];
    for (const columns of [80, 90, 100, 110]) {
      const { out } = await capfit(['sweep', WORKED_EXAMPLE, ...flags], { columns });
      const lines = out.split('\n');
      const rule = lines.findIndex((line) => /^ ?─+ /.test(line));
      expect(lines.slice(0, rule).reverse().indexOf('')).toBeLessThanOrEqual(3);
    }
  });

  test('says what is kept, what is not known, and that more points are in the file', async () => {
    const blind = put(
      folder,
      'blind.jsonl',
      [1, 2, 3].map((at) => goodLine(`r${at}`, { passes: passes(at * 9, at === 1 ? { seconds: null } : {}) })).join(''),
    );
    const kept = await capfit(['sweep', blind, '--policy', POLICY, '--seconds', '5,none', '--claimed']);
    expect(kept.out).toMatch(/Population: claimed, not verified\./);
    expect(kept.out).toMatch(/Kept in all of them: passes 9; tokens 1,000; idle\./);
    expect(kept.out).toMatch(/seconds are not all known in 1 of 3 runs: there such a cap stops nothing/);
    const many = await capfit(['sweep', WORKED_EXAMPLE, '--passes', '2:33:1']);
    expect(many.out).toMatch(/2 more points with more false stops: --csv and --json have them/);
  });

  test('tells of stops whose future is open', async () => {
    const { out } = await capfit(['sweep', RUNS, '--passes', '30']);
    expect(out).toMatch(/up to 1 run stopped while recording would go on/);
  });
});
