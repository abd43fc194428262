import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { EXAMPLE_PAGE, exampleCommands } from '../../scripts/examples.mjs';
import { commandText } from '../../src/cli/command-text.js';
import type { RawOptions } from '../../src/cli/options.js';
import { fromPlain } from '../../src/model/plain.js';
import { createRunTable, type PackedTable, type RunTable } from '../../src/model/table.js';
import { policyOf } from '../../src/policy/of-record.js';
import { simulate } from '../../src/replay/simulate.js';
import type { PageData } from '../../src/report/page-data.js';
import { capfit, goodLine, put, scratchFolder, WORKED_EXAMPLE } from './harness.js';

const folder = scratchFolder();

/** What a page holds for its program. */
function held(html: string): { data: PageData; table: RunTable } {
  const [, text = ''] = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(html) ?? [];
  const data = JSON.parse(text) as PageData;
  const table = createRunTable();
  table.unpack(fromPlain(inflateRawSync(Buffer.from(data.runs, 'base64')).toString()) as PackedTable, 0);
  return { data, table };
}

describe('capfit report', () => {
  const page = join(folder, 'report.html');

  test('writes one page that holds the policy and the runs: a replay of them gives the figures of the command line', async () => {
    expect(await capfit(['report', WORKED_EXAMPLE, '-o', page])).toEqual({
      code: 0,
      out: '',
      err: `report on 400 runs written to ${page}\n`,
    });
    const html = readFileSync(page, 'utf8');
    expect(Buffer.byteLength(html)).toBeLessThan(1_500_000);
    const { data, table } = held(html);
    const { out } = await capfit(['calibrate', WORKED_EXAMPLE, '--json']);
    const { replay } = JSON.parse(out).ladder[2];
    expect(simulate(table, policyOf(data.policy), data.population)).toEqual({ ...replay, policy: expect.anything() });
    expect([data.label, data.percentile]).toEqual([
      'kind',
      { name: 'p99', values: { passes: 21, tokens: 376_035, seconds: 211, usd: null } },
    ]);
  });

  test('says what it wrote as JSON', async () => {
    const { code, out, err } = await capfit(['report', WORKED_EXAMPLE, '-o', page, '--json']);
    const bytes = readFileSync(page).length;
    expect([code, err, JSON.parse(out)]).toEqual([
      0,
      '',
      { schema: 'capfit/report@1', output: page, runs: 400, held: 400, bytes },
    ]);
  });

  test('tells no folder of this machine', async () => {
    const runs = put(folder, 'runs.jsonl', readFileSync(WORKED_EXAMPLE));
    const own = put(folder, 'own.json', JSON.stringify({ capfit: 'policy/v1', caps: { passes: 20 } }));
    await capfit(['report', runs, '--policy', own, '-o', page, '-q']);
    const html = readFileSync(page, 'utf8');
    expect(html).toContain('<pre tabindex="0">capfit report runs.jsonl --policy own.json --output report.html</pre>');
    expect(html).not.toContain(folder);
    expect([...held(html).table].every(({ origin }) => origin.file === '')).toBe(true);
  });

  test('keeps the order of a policy with the caps that it does not set', async () => {
    const order = ['usd', 'tokens', 'passes', 'seconds', 'steps', 'rules'];
    const own = put(folder, 'order.json', JSON.stringify({ capfit: 'policy/v1', caps: { passes: 20 }, order }));
    await capfit(['report', WORKED_EXAMPLE, '--policy', own, '-o', page, '-q']);
    expect(held(readFileSync(page, 'utf8')).data.policy).toEqual({
      ...{ capfit: 'policy/v1', caps: { passes: 20 }, order, rules: [], wrap_up: false },
    });
  });

  test('holds a sample of more runs than it can, and says so', async () => {
    const lines = Array.from({ length: 20_010 }, (_, at) =>
      at % 100 === 7
        ? goodLine(`r${at}`, { status: 'halted_error', reason: 'boom', check: 'failed' })
        : goodLine(`r${at}`),
    );
    const runs = put(folder, 'many.jsonl', lines.join(''));
    const { code, err } = await capfit(['report', runs, '-o', page]);
    const html = readFileSync(page, 'utf8');
    const { table } = held(html);
    expect([code, table.length]).toEqual([0, 19_999]);
    expect(err).toContain(`report on 20,010 runs written to ${page}, which holds a sample of 19,999 runs\n`);
    expect(html).toContain('This page holds a sample of 19,999 of 20,010 runs');
    expect([...table].filter(({ status }) => status === 'halted_error')).toHaveLength(200);
  });

  test.each([
    [['report', WORKED_EXAMPLE], 2, 'capfit: report needs -o FILE\n  for instance -o report.html\n'],
    [
      ['report', WORKED_EXAMPLE, '-o', page, '--policy', 'a.yaml', '--preset', 'four-guards'],
      2,
      'capfit: --policy and --preset both name a policy\n  give one of them\n',
    ],
    [['report', WORKED_EXAMPLE, '-o', folder], 3, expect.stringContaining('cannot be written: it is a folder')],
    [['report', 'no-such-file.jsonl', '-o', page], 3, expect.stringContaining('no-such-file.jsonl')],
  ])('%j ends with %i', async (argv, code, err) => {
    expect(await capfit(argv)).toEqual({ code, out: '', err });
  });

  test('without a cap there is nothing to report', async () => {
    const runs = put(folder, 'failed.jsonl', goodLine('a', { status: 'halted_error', check: 'failed', reason: 'x' }));
    const { code, err } = await capfit(['report', runs, '-o', join(folder, 'none.html')]);
    expect([code, err]).toEqual([1, expect.stringContaining('no cap could be derived, so there is nothing to report')]);
  });
});

describe('capfit calibrate --out', () => {
  test('writes the page beside the policy, of the same policy', async () => {
    const { code } = await capfit(['calibrate', WORKED_EXAMPLE, '--name', 'x', '--out', join(folder, 'out')]);
    const html = readFileSync(join(folder, 'out', 'report.html'), 'utf8');
    expect([code, held(html).data.policy.caps]).toEqual([0, { passes: 26, tokens: 460_000, seconds: 270 }]);
    expect(html).toContain(`<pre tabindex="0">capfit calibrate ${WORKED_EXAMPLE} --name x --out out</pre>`);
  });
});

describe('the page of the worked example', () => {
  test('is kept as it is made today, but for the program in it and how its data is packed', async () => {
    for (const { argv } of exampleCommands(folder)) {
      if (argv[0] === 'generate' || argv[0] === 'calibrate') expect((await capfit(argv)).code).toBe(0);
    }
    const readable = (root: string): object => {
      const html = readFileSync(join(root, EXAMPLE_PAGE), 'utf8');
      const { data, table } = held(html);
      const words = html.replaceAll(/<script.*?<\/script>|<style>.*?<\/style>|sha256-[\w+/=]+/gs, '');
      return { words, data: { ...data, runs: [...table] } };
    };
    // Equality by hand: a difference in a megabyte is no use in a message.
    if (JSON.stringify(readable('.')) !== JSON.stringify(readable(folder)))
      expect(`${EXAMPLE_PAGE} differs: npm run examples, then look at the difference`).toBe('');
  });
});

describe('capfit card --format html', () => {
  test('is the card of the same runs, as a page without a script', async () => {
    const file = join(folder, 'card.html');
    const { code, out, err } = await capfit(['card', WORKED_EXAMPLE, '--format', 'html', '-o', file]);
    const html = readFileSync(file, 'utf8');
    expect([code, out, err]).toEqual([0, '', '']);
    expect(html).toContain('<dt>1. 26 passes</dt>');
    expect(html).not.toContain('<script');
    expect((await capfit(['card', WORKED_EXAMPLE, '--format', 'html'])).out).toBe(html);
  });
});

describe('the command of a page', () => {
  test.each([
    [['a b.jsonl', '/home/me/runs/*.jsonl'], {}, "capfit report 'a b.jsonl' '*.jsonl'"],
    [['r'], { repeat: '4', where: ['a=b', "c='d'"] }, "capfit report r --repeat 4 --where a=b --where 'c='\\''d'\\'''"],
    [['r'], { repeat: false, falseStop: '1%', claimed: true }, 'capfit report r --no-repeat --false-stop 1% --claimed'],
    [
      ['r'],
      { policy: '/etc/p.yaml', output: '/tmp/x/r.html', check: '/bin/t -x' },
      "capfit report r --policy p.yaml --output r.html --check '/bin/t -x'",
    ],
    [['r'], { color: false, quiet: true, verbose: true, json: true, threads: '4' }, 'capfit report r'],
  ])('of %j and %j', (typed, raw, text) => {
    expect(commandText('report', typed, raw as RawOptions)).toBe(text);
  });
});
