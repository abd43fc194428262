import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { capfit, goodLine, put, scratchFolder, WORKED_EXAMPLE } from './harness.js';

const folder = scratchFolder();
const pass = { input_tokens: 90, output_tokens: 10, seconds: 1 };
const passes = (count: number, fields: object = {}): object[] =>
  Array.from({ length: count }, () => ({ ...pass, ...fields }));
const RUNS = put(
  folder,
  'runs.jsonl',
  Array.from({ length: 20 }, (_, at) =>
    goodLine(`r${at}`, { passes: passes(at + 1), labels: { team: `t${at % 10}` } }),
  ).join(''),
);
const POLICY = put(
  folder,
  'policy.yaml',
  'capfit: policy/v1\ncaps: {passes: 18, tokens: 5000}\nrules:\n  - {rule: idle, count: 12}\n',
);
const OTHER = put(folder, 'other.yaml', 'capfit: policy/v1\nname: other\ncaps: {passes: 15}\n');
const EXAMPLE_POLICY = 'reports/worked-example/policy.yaml';

interface Row {
  readonly name: string;
  readonly verdict: string;
  readonly replay: { readonly policy: { readonly caps: object; readonly rules: readonly object[] } };
}

async function candidates(...flags: string[]): Promise<Row[]> {
  const { out, err } = await capfit(['whatif', RUNS, '--policy', POLICY, '--resamples', '100', '--json', ...flags]);
  return out === '' ? Promise.reject(new Error(err)) : JSON.parse(out).candidates;
}

describe('exit codes', () => {
  test.each([
    [0, ['--set', 'passes=10']],
    [0, ['--policy', POLICY, '--scale', '80%']],
    [0, ['--preset', 'four-guards', '--candidate', 'passes=10']],
    [0, ['--set', 'passes=10', '--cluster', 'team', '--spend', 'seconds', '--seed', '0', '--exempt', 'poll']],
    [0, ['--set', 'passes=10', '--spend', 'passes']],
    [1, ['--set', 'passes=10', '--spend', 'usd']],
    [2, []],
    [2, ['--policy', POLICY]],
    [2, ['--policy', POLICY, '--preset', 'roo', '--set', 'passes=10']],
    [2, ['--policy', POLICY, '--set', 'passes=10', '--exempt', 'poll']],
    [2, ['--set', 'passes=10', '--spend', 'money']],
    [2, ['--set', 'passes=10', '--cluster', 'nothing']],
    [2, ['--set', 'passes=10', '--seed', '-1']],
    [2, ['--set', 'passes=10', '--resamples', '99']],
    [3, ['--policy', 'missing.yaml', '--set', 'passes=10']],
    [3, ['--set', 'passes=10', '--with', 'missing.yaml']],
  ])('%d: capfit whatif RUNS %j', async (code, flags) => {
    expect((await capfit(['whatif', RUNS, '-q', ...flags])).code).toBe(code);
  });
});

describe('candidates', () => {
  test('--set, --add-rule and --remove-rule are one together', async () => {
    const rows = await candidates(
      '--set',
      'passes=10,usd=0.5',
      '--set',
      'tokens=none',
      '--remove-rule',
      'idle',
      '--add-rule',
      'stale:count=4',
    );
    expect(rows.map(({ name, replay }) => [name, replay.policy.caps, replay.policy.rules])).toEqual([
      [
        'passes=10, usd=0.5, tokens=none, without idle, with stale:count=4',
        { passes: 10, usd: 0.5 },
        [{ rule: 'stale', name: 'stale', count: 4 }],
      ],
    ]);
  });

  test('each --candidate, --scale, --with and further --policy is one of its own, beside today', async () => {
    const rows = await candidates(
      ...['--set', 'passes=10', '--candidate', 'passes=9', '--candidate', 'tokens=1_500'],
      ...['--scale', '0.8', '--scale', '120%', '--with', OTHER, '--policy', POLICY],
    );
    expect(rows.map(({ name, replay }) => [name, replay.policy.caps])).toEqual([
      ['passes=10', { passes: 10, tokens: 5000 }],
      ['passes=9', { passes: 9, tokens: 5000 }],
      ['tokens=1_500', { passes: 18, tokens: 1500 }],
      ['caps x 0.8', { passes: 15, tokens: 4000 }],
      ['caps x 120%', { passes: 22, tokens: 6000 }],
      ['policy.yaml', { passes: 18, tokens: 5000 }],
      ['other (other.yaml)', { passes: 15 }],
    ]);
  });

  test.each([
    ['repeat:key=request,count=4', { rule: 'repeat', name: 'repeats', key: 'request', count: 4 }],
    [
      'repeat:window=9,name=w,exempt=poll,exempt=wait',
      { rule: 'repeat', name: 'w', key: 'call', count: 3, window: 9, exempt: ['poll', 'wait'] },
    ],
    ['errors', { rule: 'errors', name: 'errors', count: 3 }],
    ['{"rule": "stale", "count": 5}', { rule: 'stale', name: 'stale', count: 5 }],
  ])('--add-rule %s', async (typed, rule) => {
    const [row] = await candidates('--add-rule', typed);
    expect(row?.replay.policy.rules).toEqual([{ rule: 'idle', name: 'idle', count: 12 }, rule]);
  });

  test.each([
    [['--set', 'passes'], /--set passes: passes has no value\n {2}a whole number above 0, or none/],
    [['--set', 'passes=0'], /--set passes=0: 0 is no cap on passes\n {2}a whole number above 0/],
    [['--set', 'passes=2.5'], /2\.5 is no cap on passes/],
    [['--set', 'usd=much'], /much is no cap on usd\n {2}a number above 0, or none/],
    [
      ['--set', 'pases=9'],
      /--set pases=9: pases=9 sets no cap\n {2}did you mean passes\? For instance --set passes=20,tokens=none/,
    ],
    [['--set', 'passes=9,'], /a part is empty/],
    [
      ['--set', 'passes=9', '--set', 'passes=8'],
      /passes is set twice in one candidate\n {2}--candidate passes=8 makes another one/,
    ],
    [['--candidate', 'idle=4'], /--candidate idle=4: idle=4 sets no cap\n.*Rules: --add-rule, --remove-rule/],
    [['--scale', '0'], /--scale 0: not a factor above 0/],
    [['--scale', 'half'], /--scale half: not a factor/],
    [['--scale', '1001'], /up to 1000/],
    [
      ['--remove-rule', 'idl'],
      /--remove-rule idl: today's policy has no such rule\n {2}did you mean idle\? Its rules: idle/,
    ],
    [
      ['--add-rule', 'idle'],
      /--add-rule: two rules would be named idle\n {2}name the new one, as in name=idle2; or .* --remove-rule idle/,
    ],
    [['--add-rule', 'repeat', '--add-rule', 'repeat:count=4'], /two rules would be named repeats/],
    [['--add-rule', ':count=3'], /no rule is named\n {2}one of: repeat, stale, errors, idle/],
    [
      ['--add-rule', 'repaet'],
      /--add-rule repaet: rule: "repaet" is not a rule\n {2}one of: repeat, stale, errors, idle/,
    ],
    [['--add-rule', 'repeat:coutn=4'], /unknown key coutn\n {2}did you mean count\?/],
    [['--add-rule', 'repeat:count=0'], /--add-rule repeat:count=0: count is 0\n/],
    [['--add-rule', 'repeat:count=many'], /count is "many"/],
    [['--add-rule', 'repeat:count'], /count sets nothing/],
    [['--add-rule', 'repeat:'], /a setting is empty/],
    [['--add-rule', 'repeat:count=3,count=4'], /count is set twice/],
    [
      ['--add-rule', 'repeat:when=before_dispatch'],
      /when: before_dispatch cannot compare call\n {2}no result exists yet/,
    ],
    [['--add-rule', 'repeat:name=tokens'], /a rule is named tokens, like a cap/],
    [['--add-rule', '{"rule": "stale"'], /not JSON: /],
  ])('%j is told with what to do', async (flags, message) => {
    const { code, err, out } = await capfit(['whatif', RUNS, '--policy', POLICY, ...flags]);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(message);
  });

  test('what cannot be scaled or removed because there is none', async () => {
    const bare = put(folder, 'bare.yaml', 'capfit: policy/v1\n');
    const ran = async (...flags: string[]): Promise<string> =>
      (await capfit(['whatif', RUNS, '--policy', bare, ...flags])).err;
    expect(await ran('--scale', '0.8')).toMatch(/today's policy has no caps to scale\n {2}set them/);
    expect(await ran('--remove-rule', 'idle')).toMatch(/no such rule\n {2}it has no rules at all/);
    const huge = put(folder, 'huge.yaml', `capfit: policy/v1\ncaps: {tokens: ${Number.MAX_SAFE_INTEGER}}\n`);
    expect((await capfit(['whatif', RUNS, '--policy', huge, '--scale', '2'])).err).toMatch(
      /the tokens cap grows beyond exact numbers/,
    );
  });
});

describe('the answer', () => {
  test('as JSON is the replay of each policy, figure by figure', async () => {
    const report = JSON.parse(
      (await capfit(['whatif', WORKED_EXAMPLE, '--policy', EXAMPLE_POLICY, '--with', OTHER, '--json'])).out,
    );
    // Beside the doubts of its figures replay tells what speaks against the policy.
    const figures = (replay: object): object => ({ ...replay, warnings: null });
    const replay = async (file: string): Promise<object> =>
      JSON.parse((await capfit(['replay', WORKED_EXAMPLE, '--policy', file, '--json'])).out);
    expect(figures(report.today.replay)).toEqual(figures(await replay(EXAMPLE_POLICY)));
    expect(figures(report.candidates[0].replay)).toEqual(figures(await replay(OTHER)));
    expect(Object.keys(report)).toEqual([
      'schema',
      'population',
      'runs',
      'verified',
      'weighed',
      'resampling',
      'today',
      'candidates',
      'left_open',
      'warnings',
    ]);
    expect(report.schema).toBe('capfit/whatif@1');
  });

  test('on the worked example says what 20 passes would cost, within 80 columns', async () => {
    const { out, code } = await capfit(['whatif', WORKED_EXAMPLE, '--policy', EXAMPLE_POLICY, '--set', 'passes=20'], {
      columns: 80,
    });
    expect(code).toBe(0);
    expect(out).toMatch(
      /^passes=20 would stop 3 more good runs \(6 of 310, 1\.94 %\) and save 13\.1 % of\s+tokens \(95 % interval 9\.4 % to 16\.2 %\)\.$/m,
    );
    expect(Math.max(...out.split('\n').map((line) => stringWidth(line)))).toBeLessThanOrEqual(80);
  });

  test('without a policy takes the caps that the runs give, and says which', async () => {
    const { out, err } = await capfit(['whatif', WORKED_EXAMPLE, '--set', 'passes=20', '--json']);
    expect(err).toBe('caps of three-exits derived from these runs: 26 passes, 460,000 tokens, 270 s\n');
    const report = JSON.parse(out);
    expect(report.today.name).toBe('three-exits');
    expect(report.today.replay.policy.caps).toEqual({ passes: 26, tokens: 460000, seconds: 270 });
    expect(report.candidates[0].replay.policy.caps).toEqual({ passes: 20, tokens: 460000, seconds: 270 });
  });

  test('counts what agents claim where it is told to', async () => {
    const claimed = put(
      folder,
      'claimed.jsonl',
      [3, 9, 11].map((n) => goodLine(`c${n}`, { status: 'done_claimed', check: 'none', passes: passes(n) })).join(''),
    );
    const { out } = await capfit(['whatif', claimed, '--policy', POLICY, '--set', 'passes=10', '--claimed']);
    expect(out).toMatch(/Population: claimed, not verified\./);
    expect(out).toMatch(/Good runs are the successes \(claimed, not\s+verified\)\./);
    expect(out).toMatch(
      /passes=10 would stop 1 more good run \(1 of 3, 33\.3 %\) and save 4\.35 % of tokens \(no interval: 3 runs\s+with known spend, and resampling needs 10\)/,
    );
  });

  test('takes clusters by the label that is named, or none', async () => {
    const drawn = async (...flags: string[]): Promise<object> =>
      JSON.parse((await capfit(['whatif', RUNS, '--policy', POLICY, '--set', 'passes=10', '--json', ...flags])).out)
        .resampling;
    expect(await drawn('--cluster', 'team', '--seed', '7')).toEqual({
      seed: 7,
      resamples: 2000,
      clustered_by: 'team',
      clusters: 10,
      known_runs: 20,
    });
    expect(await drawn('--cluster', 'none')).toMatchObject({ clustered_by: null, clusters: 20 });
  });
});
