import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { capfit, goodLine, put, scratchFolder } from './harness.js';

const folder = scratchFolder();

function nest(name: string, content: string): string {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  return put(folder, name, content);
}

const claimed = (id: string, fields: object = {}): string =>
  goodLine(id, { status: 'done_claimed', check: 'none', claim: 'completed', ...fields });

describe('--outcomes', () => {
  const runs = put(
    folder,
    'runs.jsonl',
    claimed('a') + claimed('b', { labels: { task_id: 't-2' } }) + claimed('c') + claimed('d'),
  );

  test('joins verdicts, says what found no partner, and lets conditions see the joined check', async () => {
    const verdicts = put(folder, 'verdicts.csv', 'id,passed\na,true\nt-2,false\nzz,true\n');
    const ran = await capfit(['derive', runs, '--outcomes', verdicts, '--json']);
    expect(JSON.parse(ran.out)).toMatchObject({ runs: 4, verified: 1 });
    expect(ran.err).toMatch(
      /2 runs joined with a verdict of .*verdicts\.csv\n {2}2 runs without a verdict, left as recorded: c, d\n {2}1 verdict that name no run: zz\n/,
    );
    const passed = await capfit(['derive', runs, '--outcomes', verdicts, '--where', 'check=passed', '--json']);
    expect(JSON.parse(passed.out)).toMatchObject({ runs: 1, verified: 1 });
    expect((await capfit(['derive', runs, '--outcomes', verdicts, '--where', 'check=odd'])).code).toBe(1);
  });

  test('convert writes the joined verdict', async () => {
    const verdicts = put(folder, 'passed.txt', 'a\nc\n');
    const { out } = await capfit(['convert', runs, '--outcomes', verdicts, '-q']);
    const records = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(records.map(({ id, status, check }) => [id, status, check])).toEqual([
      ['a', 'done_verified', 'passed'],
      ['b', 'done_claimed', 'none'],
      ['c', 'done_verified', 'passed'],
      ['d', 'done_claimed', 'none'],
    ]);
  });

  test('expressions, a pass mark, and their faults', async () => {
    const verdicts = put(folder, 'scores.json', '[{"n":"a","s":{"x":0.9}},{"n":"b","s":{"x":0.7}}]');
    const flags = ['--outcomes', verdicts, '--outcome-id', 'n', '--passed', 's.x', '--pass-mark', '0.8'];
    expect(JSON.parse((await capfit(['derive', runs, ...flags, '--json'])).out)).toMatchObject({ verified: 1 });
    expect(await capfit(['derive', runs, '--outcomes', verdicts])).toMatchObject({
      code: 3,
      err: expect.stringContaining('entry 1 has no id'),
    });
    expect(await capfit(['derive', runs, ...flags.slice(0, 4), '--passed', 's.['])).toMatchObject({
      code: 3,
      err: expect.stringContaining('no JSONata expression'),
    });
    expect(await capfit(['derive', runs, '--passed', 'x'])).toMatchObject({ code: 2 });
    expect(await capfit(['derive', runs, '--outcomes', join(folder, 'none.csv')])).toMatchObject({
      code: 3,
      err: expect.stringContaining('no such file'),
    });
  });
});

describe('--map', () => {
  const mapping = put(
    folder,
    'map.yaml',
    'capfit: map/v1\nfiles: "*.log"\nid: name\ncheck: ok\npasses: turns\npass: {input_tokens: i, output_tokens: o}\n',
  );

  test('reads the files that it is meant for, and lists the others', async () => {
    nest(
      'mapped/a.log',
      '{"name":"x","ok":true,"turns":[{"i":1,"o":2},{"i":3,"o":4}]}\n{"name":"y","ok":false,"turns":[]}\n',
    );
    nest('mapped/b.jsonl', goodLine('z'));
    nest('mapped/c.txt', 'notes\n');
    const ran = await capfit(['derive', join(folder, 'mapped'), '--map', mapping, '--json']);
    expect(JSON.parse(ran.out)).toMatchObject({
      runs: 2,
      verified: 1,
      quantiles: { passes: { max: 2 }, tokens: { max: 10 } },
    });
    expect(ran.err).toContain('2 files without recorded runs');
  });

  test('faults of the mapping are told with their line', async () => {
    const bad = put(folder, 'bad.yaml', 'capfit: map/v1\nid: name\nchek: ok\npasses: turns[\n');
    const ran = await capfit(['derive', join(folder, 'mapped'), '--map', bad]);
    expect([ran.code, ran.err]).toEqual([3, expect.stringMatching(/bad\.yaml:3: .*chek.*\n.*did you mean check/)]);
  });
});

describe('ids that are unique in their file only', () => {
  test('are told apart by file; the same file named twice is a repeated id', async () => {
    const log = { environment: 'main', exit_status: 'submitted' };
    const traj = JSON.stringify({
      trajectory: [{ action: 'ls', observation: 'x', response: 'r', state: '{}', thought: 't' }],
      history: [],
      info: { ...log, model_stats: { api_calls: 1, tokens_sent: 10, tokens_received: 2, instance_cost: 0.1 } },
    });
    const [one, two] = [nest('one/task-1.traj', traj), nest('two/task-1.traj', traj)];
    const { out, code } = await capfit(['convert', one, two, '-q']);
    expect(code).toBe(0);
    expect(
      out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).id),
    ).toEqual(['task-1', 'two/task-1/task-1']);
    expect((await capfit(['convert', one, one, '-q'])).err).toContain('was already read at');
  });
});

describe('large and odd files', () => {
  test('one JSON array of records, packed or not, reads like lines', async () => {
    const array = `[${goodLine('a').trim()},\n${goodLine('b').trim()}]`;
    for (const content of [array, gzipSync(array)]) {
      const { out } = await capfit(['derive', put(folder, 'array.json', content), '--json']);
      expect(JSON.parse(out)).toMatchObject({ runs: 2, verified: 2 });
    }
  });

  test('lines end at \\n only: a line separator inside a text is text', async () => {
    const path = put(folder, 'separators.jsonl', goodLine('a\u2028b') + goodLine('c\u0085d'));
    expect(JSON.parse((await capfit(['derive', path, '--json'])).out)).toMatchObject({ runs: 2 });
  });

  test('gzip that unpacks out of all proportion is refused', async () => {
    const bomb = gzipSync(Buffer.alloc(150_000_000, ' '));
    const ran = await capfit(['derive', put(folder, 'bomb.jsonl.gz', bomb)]);
    expect([ran.code, ran.err]).toEqual([3, expect.stringMatching(/unpacks to more than 500 times its size/)]);
  });

  test('a loop of links in a folder is not walked', async () => {
    const { symlinkSync } = await import('node:fs');
    nest('loop/a.jsonl', goodLine('a'));
    symlinkSync(join(folder, 'loop'), join(folder, 'loop', 'again'));
    expect(JSON.parse((await capfit(['derive', join(folder, 'loop'), '--json'])).out)).toMatchObject({ runs: 1 });
  });
});
