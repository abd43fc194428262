import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { capfit, goodLine, put, scratchFolder, WORKED_EXAMPLE } from './harness.js';

const folder = scratchFolder();

/** Runs that poll, alternate and get stuck: verified ones ask `poll` three times, the others repeat `look`. */
function mixed(tool = 'poll'): string {
  const passes = (calls: string[]): object[] =>
    [...calls, null].map((name) => ({
      input_tokens: 90,
      output_tokens: 10,
      calls: name === null ? [] : [{ tool: name, args: {}, result: 'same', error: false }],
    }));
  const lost = { status: 'stopped_budget', check: 'failed' };
  return [
    goodLine('a', { passes: passes([tool, tool, tool, 'send']) }),
    goodLine('b', { passes: passes(['look', tool, tool, tool, tool]) }),
    goodLine('c', { passes: passes(['look', 'send']) }),
    goodLine('d', { ...lost, passes: passes(Array.from({ length: 9 }, () => 'look')) }),
  ].join('');
}
const MIXED = put(folder, 'mixed.jsonl', mixed());

describe('exit codes', () => {
  test.each([
    [0, ['rules', '--list']],
    [0, ['rules', MIXED, '--counts', '3', '--preset', 'four-guards']],
    [2, ['rules']],
    [2, ['rules', MIXED, '--counts', '2,x']],
    [2, ['rules', MIXED, '--counts', '0']],
    [2, ['rules', MIXED, '--counts', '2,,3']],
    [2, ['rules', MIXED, '--counts', '2-10']],
    [2, ['rules', '--list', MIXED]],
    [2, ['rules', MIXED, '--exempt', '']],
    [2, ['replay', MIXED, '--preset', 'roo', '--exempt', '']],
    [2, ['calibrate', MIXED, '--exempt', '']],
    [2, ['rules', MIXED, '--repeat', '1']],
    [2, ['rules', MIXED, '--key', 'tool']],
    [2, ['rules', MIXED, '--preset', 'eight-turns']],
    [2, ['rules', MIXED, '--preset', 'roo', '--repeat', '4']],
    [3, ['rules', 'none.jsonl']],
    [2, ['replay', MIXED, '--preset', 'roo', '--policy', 'p.yaml']],
    [2, ['replay', MIXED, '--policy', 'reports/worked-example/policy.yaml', '--exempt', 'poll']],
    [2, ['card', '--preset', 'three-exits']],
    [0, ['card', '--preset', 'eight-turns']],
    [2, ['calibrate', MIXED, '--preset', 'roo', '--no-repeat']],
    [2, ['calibrate', MIXED, '--preset', 'roo', '--key', 'call']],
  ])('%d: capfit %j', async (code, argv) => {
    expect((await capfit(argv)).code).toBe(code);
  });

  test.each(['replay', 'calibrate', 'card', 'rules'])(
    '%s: an unknown preset is answered with the nearest',
    async (command) => {
      const { code, err } = await capfit([command, MIXED, '--preset', 'four-gards']);
      expect([code, err]).toEqual([
        2,
        expect.stringMatching(/--preset four-gards: unknown\n.*did you mean four-guards\?/),
      ]);
      expect((await capfit([command, MIXED, '--preset', 'x'])).err).toMatch(/One of: three-exits, four-guards, six-/);
    },
  );
});

describe('rules --list', () => {
  test('tells every preset, without runs', async () => {
    const { out } = await capfit(['rules', '--list'], { columns: 80 });
    expect(out).toMatch(/── four-guards ─+\nTwelve passes and 60,000 tokens/);
    expect(out).toMatch(/left out {2}Its listing stops at a fourth identical observation/);
    expect(out).toMatch(/── three-exits .*[\s\S]*caps {6}derived from the runs at hand/);
    expect(Math.max(...out.split('\n').map((line) => stringWidth(line)))).toBeLessThanOrEqual(80);
    const listed = JSON.parse((await capfit(['rules', '--list', '--json'])).out);
    expect(listed.map(({ preset }: { preset: string }) => preset).slice(0, 4)).toEqual([
      'three-exits',
      'four-guards',
      'six-conditions',
      'eight-turns',
    ]);
    expect(listed[1]).toMatchObject({ derives_caps: false, policy: { caps: { passes: 12, tokens: 60000 } } });
  });
});

describe('rules', () => {
  test('answers as JSON', async () => {
    const report = JSON.parse((await capfit(['rules', MIXED, '--json', '--counts', '5,3'])).out);
    expect(report).toMatchObject({
      schema: 'capfit/rules@1',
      population: 'verified',
      runs: 4,
      verified: 3,
      accepted_rate: 0.01,
      exempt: [],
      exemptions: { proposed: ['poll'], before: { false_stops: { count: 2 }, caught: 1 } },
    });
    expect(report.sweep[0]).toMatchObject({
      rule: 'repeat call',
      settings: { rule: 'repeat', key: 'call' },
      counts: [
        { count: 3, false_stops: { count: 2 }, caught: 1, median_catch: 3, saved: { tokens: { amount: 1100 } } },
        { count: 5, false_stops: { count: 0 }, caught: 1, median_catch: 5 },
      ],
    });
    expect(report.presets.map(({ preset }: { preset: string }) => preset)).not.toContain('eight-turns');
  });

  test('fits 80 columns and shows how to exempt', async () => {
    const { out, err } = await capfit(['rules', MIXED], { columns: 80 });
    expect(err).toBe('');
    expect(Math.max(...out.split('\n').map((line) => stringWidth(line)))).toBeLessThanOrEqual(80);
    await expect(out).toMatchFileSnapshot('golden/rules-80.txt');
  });

  test('--exempt is for every rule, and what is proposed changes with it', async () => {
    const report = JSON.parse((await capfit(['rules', MIXED, '--json', '--exempt', 'poll'])).out);
    expect(report).toMatchObject({
      exempt: ['poll'],
      exemptions: { proposed: [], before: { false_stops: { count: 0 } } },
    });
    expect(report.presets.every(({ false_stops }: { false_stops: { count: number } }) => false_stops.count === 0)).toBe(
      true,
    );
  });

  test('the rule for which exemptions are sought can be said', async () => {
    const rulesOf = async (...argv: string[]): Promise<unknown> =>
      JSON.parse((await capfit(['rules', MIXED, '--json', ...argv])).out).exemptions.rules;
    expect(await rulesOf('--repeat', '4', '--key', 'result')).toEqual([
      { rule: 'repeat', name: 'repeats', key: 'result', count: 4 },
    ]);
    expect(await rulesOf('--preset', 'crewai')).toEqual([
      { rule: 'repeat', name: 'repeats', key: 'request', count: 2, when: 'before_dispatch' },
    ]);
  });

  test('the snippet and the flags give what was promised, whatever the tool is called', async () => {
    const names = ['get status', "it's", 'yes', '-x', 'a\u001b[31m', 'p: [q', '\u202eevil'];
    for (const [i, name] of names.entries()) {
      const path = put(folder, `named-${i}.jsonl`, mixed(name));
      const { out } = await capfit(['rules', path], { columns: 80 });
      expect(out).not.toMatch(/[\u001b\u202e]/);
      const snippet = out.slice(out.lastIndexOf('\nrules:\n'));
      const policy = put(folder, 'exempt.yaml', `capfit: policy/v1${snippet}`);
      const replay = JSON.parse((await capfit(['replay', path, '--policy', policy, '--json'])).out);
      expect([name, replay.policy.rules[0].exempt, replay.false_stops.count]).toEqual([name, [name], 0]);
    }
  });
});

describe('what is proposed', () => {
  const proposal = async (path: string, ...argv: string[]): Promise<string> => {
    const { out } = await capfit(['rules', path, ...argv], { columns: 80 });
    return out.slice(out.lastIndexOf('policy file:'));
  };

  test('exempts nothing from a rule that counts passes', async () => {
    const lines = (await proposal(MIXED, '--preset', 'openhands'))
      .split('\n')
      .filter((line) => line.startsWith('  - '));
    expect(lines).toEqual([
      expect.stringMatching(/name: action_observation.*exempt: \[poll\]/),
      expect.stringMatching(/name: alternating.*exempt: \[poll\]/),
      expect.stringMatching(/name: monologue, count: 3\}$/),
    ]);
  });

  test('has no flags where a name would not show as itself', async () => {
    expect(await proposal(put(folder, 'red.jsonl', mixed('a\u001b[31m')))).not.toContain('--exempt');
    expect(await proposal(MIXED)).toContain('--exempt poll\n');
  });
});

describe('--exempt', () => {
  test.each([
    ['rules', MIXED],
    ['replay', MIXED, '--preset', 'roo'],
    ['calibrate', MIXED],
    ['card', MIXED],
    ['card', MIXED, '--preset', 'roo'],
  ])('%s says which tools no run calls', async (...argv) => {
    const { err } = await capfit([...argv, '--exempt', 'pol', '--exempt', 'look', '--exempt', 'x\u001b[31mred']);
    expect(err).toContain(
      '--exempt pol: no run calls such a tool; did you mean poll?\n--exempt x\\x1b[31mred: no run calls such a tool\n',
    );
    expect(err).not.toContain('--exempt look');
  });
});

describe('what is not known', () => {
  const passes = Array.from({ length: 6 }, () => ({
    calls: [{ tool: 'look', args: 1, result: 'same', error: false }],
  }));
  const totals = { passes: 6, tokens: 9_000 };

  test('is not printed as 0: savings of runs whose passes do not tell tokens', async () => {
    const path = put(
      folder,
      'totals.jsonl',
      goodLine('a', { passes, totals, status: 'halted_error', check: 'failed' }),
    );
    const report = JSON.parse((await capfit(['rules', path, '--json'])).out);
    expect(report.presets[0]).toMatchObject({ caught: 1, saved: { tokens: null, passes: { amount: 3, share: 0.5 } } });
    const { out } = await capfit(['rules', path], { columns: 80 });
    const flat = out.replace(/\s+/g, ' ');
    expect(flat).toContain('passes saved');
    expect(flat).toContain('Without verified successes no false-stop rate is known, so no preset is called the best.');
    expect(flat).toContain('There are no verified successes: whether an exemption saves one is unknown.');
    expect(flat).toContain('(saving_unknown)');
    const replay = (await capfit(['replay', path, '--preset', 'roo'], { columns: 80 })).out.replace(/\s+/g, ' ');
    expect(replay).toContain('Spend 9,000 -> 0 to 9,000 tokens, -100 % to 0 %.');
  });

  test('of two savings the one that is known is printed, and the other counted', async () => {
    const told = passes.map((pass) => ({ ...pass, input_tokens: 90, output_tokens: 10 }));
    const lost = { status: 'halted_error', check: 'failed' };
    const path = put(
      folder,
      'half.jsonl',
      goodLine('a', { passes, totals, ...lost }) + goodLine('b', { passes: told, ...lost }) + goodLine('c', {}),
    );
    const flat = (await capfit(['rules', path], { columns: 80 })).out.replace(/\s+/g, ' ');
    expect(flat).toMatch(/three-exits 0 0 % 97\.5 % 2 3 300 \d/);
    expect(flat).toContain('tokens saved: not known for some stops, left out here, of three-exits, four-guards,');
  });
});

describe('presets elsewhere', () => {
  const json = async (...argv: string[]): Promise<{ [key: string]: never }> =>
    JSON.parse((await capfit([...argv, '--json'])).out);

  test('replay holds a preset against runs', async () => {
    const report = await json('replay', MIXED, '--preset', 'four-guards');
    expect(report).toMatchObject({
      policy: { name: 'four-guards', caps: { passes: 12, tokens: 60000 }, order: ['rules', 'tokens', 'passes'] },
      false_stops: { count: 2 },
    });
    expect(await json('replay', MIXED, '--preset', 'four-guards', '--exempt', 'poll')).toMatchObject({
      false_stops: { count: 0 },
    });
  });

  test('three-exits takes its caps from the runs at hand, and says so', async () => {
    const { out, err } = await capfit(['replay', WORKED_EXAMPLE, '--preset', 'three-exits', '--json']);
    expect(err).toBe('caps of three-exits derived from these runs: 26 passes, 460,000 tokens, 270 s\n');
    expect(JSON.parse(out)).toMatchObject({
      policy: { caps: { passes: 26, tokens: 460000, seconds: 270 } },
      false_stops: { count: 3 },
      by_reason: { repeats: { count: 53, median_pass: 12 } },
    });
    expect((await capfit(['card', WORKED_EXAMPLE, '--preset', 'three-exits'])).out.replace(/\s+/g, ' ')).toContain(
      'p99 of verified successes (21) x 1.2 = 25.2, rounded up to 26',
    );
  });

  test('calibrate takes the rules and the order of a preset, and derives the caps', async () => {
    const { policy } = await json('calibrate', WORKED_EXAMPLE, '--preset', 'four-guards', '--exempt', 'poll');
    expect(policy).toMatchObject({
      caps: { passes: 26, tokens: 460000, seconds: 270 },
      order: ['rules', 'tokens', 'passes', 'seconds'],
      rules: [{ rule: 'repeat', name: 'repeats', key: 'result', count: 3, exempt: ['poll'] }],
    });
  });

  test('a card of a preset', async () => {
    const { out } = await capfit(['card', '--preset', 'six-conditions']);
    expect(out).toContain('the same request (tool, arguments) 4 times anywhere in the run');
  });
});
