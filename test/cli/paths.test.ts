import { execFileSync } from 'node:child_process';
import { closeSync, constants, existsSync, mkdirSync, openSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { expandInputs } from '../../src/cli/expand.js';
import { kindOfPath } from '../../src/cli/path-kind.js';
import { capfit, goodLine, put, scratchFolder } from './harness.js';

const root = scratchFolder();
const folder = join(root, 'runs');
const at = (name: string): string => join(folder, name);

mkdirSync(at('sub'), { recursive: true });
put(folder, 'a.jsonl', goodLine('a'));
put(at('sub'), 'b.jsonl', goodLine('b'));
for (const name of ['pipe.jsonl', 'sub/pipe.jsonl']) execFileSync('mkfifo', [at(name)]);
symlinkSync('nowhere.jsonl', at('dead.jsonl'));
symlinkSync('/dev/zero', at('endless.jsonl'));
symlinkSync('loop.jsonl', at('loop.jsonl'));
symlinkSync('sub', at('linked'));
symlinkSync('a.jsonl', at('good-link.json'));

describe('kindOfPath(path)', () => {
  test.each([
    ['a.jsonl', { kind: 'file' }],
    ['good-link.json', { kind: 'file' }],
    ['sub', { kind: 'folder' }],
    ['linked', { kind: 'folder' }],
    ['none', { kind: 'missing' }],
    ['a.jsonl/none', { kind: 'missing' }],
    ['pipe.jsonl', { kind: 'other', noun: 'a named pipe' }],
    ['dead.jsonl', { kind: 'other', noun: 'a link to nothing' }],
    ['endless.jsonl', { kind: 'other', noun: 'a device' }],
    ['loop.jsonl', { kind: 'other', noun: 'a link that leads to itself' }],
  ])('%s', (name, kind) => expect(kindOfPath(at(name))).toStrictEqual(kind));

  test('a pipe that the shell hands over under a number is read like a file', () => {
    const handle = openSync(at('pipe.jsonl'), constants.O_RDONLY | constants.O_NONBLOCK);
    afterAll(() => closeSync(handle));
    expect(kindOfPath(`/dev/fd/${handle}`)).toStrictEqual({ kind: 'handed' });
  });
});

const OTHERS = [
  'dead.jsonl (a link to nothing)',
  'endless.jsonl (a device)',
  'linked (a link to a folder, not followed)',
  'loop.jsonl (a link that leads to itself)',
  'pipe.jsonl (a named pipe)',
  'sub/pipe.jsonl (a named pipe)',
];

describe('what is no file', () => {
  const fromHere = (path: string): string => path.replace(/^.*?runs\//, '');

  test('in a folder is told, and the files are read', async () => {
    expect((await expandInputs([folder])).inputs.map(({ path }) => fromHere(path))).toStrictEqual([
      'a.jsonl',
      'good-link.json',
      'sub/b.jsonl',
    ]);
    expect((await expandInputs([folder])).others.map(fromHere)).toStrictEqual(OTHERS);
  });

  test('in a glob is told, too; a glob goes through links to folders', async () => {
    expect((await expandInputs([at('**/*.jsonl')])).inputs.map(({ path }) => fromHere(path))).toContain('sub/b.jsonl');
    expect((await expandInputs([at('**/*.jsonl')])).others.map(fromHere)).toStrictEqual([
      ...OTHERS.slice(0, 2),
      'linked/pipe.jsonl (a named pipe)',
      ...OTHERS.slice(3),
    ]);
    expect((await expandInputs([at('a*.jsonl'), '-', at('a.jsonl')])).others).toStrictEqual([]);
  });

  test('is listed and counted on standard error, and in the audit', async () => {
    const ran = await capfit(['derive', at('*.jsonl'), '--json']);
    expect(JSON.parse(ran.out)).toMatchObject({ runs: 1 });
    expect(ran.err).toMatch(/^4 files without recorded runs in a known form:\n(?: {2}.*\n){4}$/);
    const audit = await capfit(['audit', at('*.jsonl'), '--json']);
    expect(JSON.parse(audit.out).unrecognised.count).toBe(4);
  });

  test('alone in a folder or glob is named in the error', async () => {
    const only = join(root, 'only');
    mkdirSync(only);
    execFileSync('mkfifo', [join(only, 'p.jsonl')]);
    for (const [word, fault] of [
      [only, /only: the folder holds no file, only .*p\.jsonl \(a named pipe\)\n/],
      [join(only, '*'), /\*: no file matches, only .*p\.jsonl \(a named pipe\)\n/],
    ] as const) {
      expect(await capfit(['derive', word])).toMatchObject({ code: 3, out: '', err: expect.stringMatching(fault) });
    }
  });

  test.each([
    ['pipe.jsonl', /is no file but a named pipe\n {2}pipe it in, with - in its place: cat .*pipe\.jsonl \| /],
    ['endless.jsonl', /is no file but a device\n {2}name a file, or pipe the runs in and name - in its place\n/],
    ['dead.jsonl', /is no file but a link to nothing\n {2}get the file that it should lead to/],
    ['loop.jsonl', /is no file but a link that leads to itself\n {2}get the file/],
  ])('named on the command line is refused before it is opened: %s', async (name, fault) => {
    for (const argv of [
      ['derive', at(name)],
      ['audit', at(name)],
      ['convert', at('a.jsonl'), at(name)],
    ]) {
      expect(await capfit(argv)).toMatchObject({ code: 3, out: '', err: expect.stringMatching(fault) });
    }
  });
});

const SIDE_FILES: readonly (readonly [flag: string, what: string, argv: readonly string[]])[] = [
  ['--policy', 'the policy', ['replay', at('a.jsonl')]],
  ['--map', 'the mapping', ['derive', at('a.jsonl')]],
  ['--outcomes', 'the verdicts', ['derive', at('a.jsonl')]],
  ['--prices', 'the prices', ['derive', at('a.jsonl')]],
];

describe.each(SIDE_FILES)('%s FILE', (flag, what, argv) => {
  test.each([
    ['sub', 'cannot be read: it is a folder\n  name a file in it\n'],
    ['pipe.jsonl', 'cannot be read: it is a named pipe\n  name a file\n'],
    ['endless.jsonl', 'cannot be read: it is a device\n  name a file\n'],
    ['dead.jsonl', 'cannot be read: it is a link to nothing\n  name a file\n'],
  ])('%s is refused', async (name, fault) => {
    expect(await capfit([...argv, flag, at(name)])).toStrictEqual({
      code: 3,
      out: '',
      err: `capfit: ${at(name)}: ${what} ${fault}`,
    });
  });

  test('text of another encoding is refused, with its line', async () => {
    const path = put(root, 'latin1.txt', Buffer.from('caf\u00e9 = 1\n'.repeat(2), 'latin1'));
    const late = put(root, 'late.txt', Buffer.concat([Buffer.from('\u00e9t\u00e9\n\n'), Buffer.from([0xe9, 0x0a])]));
    for (const [file, line] of [
      [path, 1],
      [late, 3],
    ] as const) {
      expect(await capfit([...argv, flag, file])).toStrictEqual({
        code: 3,
        out: '',
        err: `capfit: ${file}:${line}: the line is not UTF-8 text\n  save the file as UTF-8\n`,
      });
    }
  });

  test('a packed file that is cut short is refused', async () => {
    const path = put(root, 'cut.gz', gzipSync('x'.repeat(1000)).subarray(0, 15));
    expect(await capfit([...argv, flag, path])).toMatchObject({
      code: 3,
      err: expect.stringContaining(`${path}: ${what} cannot be read: the gzip data ends early`),
    });
  });
});

test('a side file may be packed, and may begin with a byte-order mark', async () => {
  const policy = '\ufeffcapfit: policy/v1\ncaps: {passes: 3}\n';
  const [plain, packed] = [put(root, 'p.yaml', policy), put(root, 'p.yaml.gz', gzipSync(policy))];
  const ran = await capfit(['replay', at('a.jsonl'), '--policy', plain]);
  expect(ran.code).toBe(0);
  expect(await capfit(['replay', at('a.jsonl'), '--policy', packed])).toStrictEqual(ran);
});

describe('what results are written to', () => {
  const nothing = join(root, 'null.jsonl');
  symlinkSync('/dev/null', nothing);
  const TARGETS = [
    [at('sub'), 'a folder'],
    [at('pipe.jsonl'), 'a named pipe'],
    [nothing, 'a device'],
  ] as const;

  test.each(TARGETS)('-o %s is refused, and left alone', async (target, noun) => {
    const before = readdirSync(root, { recursive: true });
    for (const argv of [
      ['convert', at('a.jsonl'), '--to', 'jsonl'],
      ['generate', '--runs', '1', '--to', 'jsonl'],
      ['card', '--policy', 'reports/worked-example/policy.yaml'],
    ]) {
      expect(await capfit([...argv, '-o', target])).toMatchObject({
        code: 3,
        out: '',
        err: expect.stringMatching(`^capfit: ${target}: cannot be written: it is ${noun}\n  name a file`),
      });
    }
    expect(readdirSync(root, { recursive: true })).toStrictEqual(before);
    expect(kindOfPath(nothing)).toStrictEqual({ kind: 'other', noun: 'a device' });
  });

  test('--out wants a folder', async () => {
    expect(await capfit(['calibrate', at('a.jsonl'), '--out', at('a.jsonl')])).toMatchObject({
      code: 3,
      out: '',
      err: expect.stringMatching(/a\.jsonl: cannot be written into: it is a file\n {2}name a folder\n$/),
    });
    expect(readFileSync(at('a.jsonl'), 'utf8')).toBe(goodLine('a'));
  });

  test('a quarantine wants a file that does not exist yet', async () => {
    expect(await capfit(['derive', at('a.jsonl'), '--on-error', 'quarantine', at('sub')])).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringMatching(
        /--on-error quarantine .*sub: it is a folder\n {2}name a file that does not exist yet/,
      ),
    });
    expect(existsSync(at('sub/b.jsonl'))).toBe(true);
  });
});
