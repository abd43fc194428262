import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Run } from '../../src/model/run.js';
import { type CalibrateOptions, calibrate } from '../../src/replay/calibrate.js';
import { run } from '../builders.js';
import { capfit, put, scratchFolder } from '../cli/harness.js';

const PAGE = readFileSync('docs/diagnosis.md', 'utf8');

/** Rows of the tables of a section, cell by cell. */
function rowsOf(section: string): string[][] {
  const [, text = ''] = PAGE.split(`\n## ${section}`);
  return (text.split('\n## ')[0] as string)
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .slice(1, -1)
        .split(' | ')
        .map((cell) => cell.trim()),
    );
}

const codesOf = (section: string): string[] => rowsOf(section).map(([code = '']) => code.replaceAll('`', ''));

/** Codes that files of these names give, with `*` for a part that is filled in. */
function codesIn(belongs: (name: string) => boolean): string[] {
  const files = ['src/calibrate', 'src/replay'].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.ts') && belongs(name))
      .map((name) => readFileSync(`${folder}/${name}`, 'utf8')),
  );
  const found = files.flatMap((text) => [
    ...[...text.matchAll(/\bcode: ([^,\n]*)/g)].flatMap(([, value = '']) =>
      [...value.matchAll(/'([a-z0-9_]+)'|`([^`]+)`/g)].map(([, plain, made]) => plain ?? made ?? ''),
    ),
    ...[...text.matchAll(/\bnote\(\s*'([a-z_]+)'/g)].map(([, code = '']) => code),
  ]);
  return [...new Set(found.map((code) => code.replace(/\$\{[^}]*\}/g, '*')))].sort();
}

const isCheck = (name: string): boolean => name.startsWith('check-');
const isAudit = (name: string): boolean => name.startsWith('audit-');

describe('docs/diagnosis.md', () => {
  test.each([
    ['Figures', (name: string) => !isCheck(name) && !isAudit(name)],
    ['The gate', isCheck],
    ['The records', isAudit],
  ])('%s: every code of the program once, and no other', (section, belongs) => {
    expect([...codesOf(section)].sort()).toEqual(codesIn(belongs));
  });

  test('every code says when it fires and what to do', () => {
    for (const section of ['Figures', 'The gate', 'The records']) {
      for (const [code, when, what] of rowsOf(section)) {
        expect([code, (when ?? '').length > 10, (what ?? '').length > 3 || code === '`drift`']).toEqual([
          code,
          true,
          true,
        ]);
      }
    }
  });
});

const folder = scratchFolder();
const sized = (id: string, size: number, fields: object = {}): object => ({
  ...{ id, status: 'done_verified', check: 'passed' },
  passes: Array.from({ length: size }, () => ({ input_tokens: 90, output_tokens: 10, seconds: 1 })),
  ...fields,
});
const many = (sizes: readonly number[], fields: object = {}, name = 'r'): object[] =>
  sizes.map((size, i) => sized(`${name}-${i}`, size, fields));
const range = (length: number): number[] => Array.from({ length }, (_, i) => 5 + (i % 10));
const CUT = { status: 'stopped_budget', check: 'none', reason: 'passes' };
const FAILED = { status: 'done_claimed', check: 'failed' };
const polling = (id: string): object => ({
  ...sized(id, 0),
  passes: Array.from({ length: 6 }, () => ({ calls: [{ tool: 'poll', args: 1, result: 'wait' }] })),
});
/** As many are long in passes, with small ones, as in tokens: each cap cuts one in a hundred, both together two. */
const TWO_TAILS = [
  ...many(new Array(196).fill(5)),
  ...many([9, 9], {}, 'long'),
  ...['a', 'b'].map((id) => ({
    ...sized(id, 0),
    passes: Array.from({ length: 5 }, () => ({ input_tokens: 9000, output_tokens: 10, seconds: 1 })),
  })),
];

/** Each doubt that a diagnosis owes, with records that raise it. */
const RAISING: readonly (readonly [code: string, records: object[], options?: Partial<CalibrateOptions>])[] = [
  ['small_sample', many(range(120))],
  ['percentile_is_maximum', many(range(20))],
  ['provisional_cap_near', many(range(20), { recorded_under: { passes: 15 } })],
  ['stopped_while_recording', [...many(range(300)), ...many(range(9), CUT, 'cut')]],
  ['no_check', many(range(20), { status: 'done_claimed', check: 'none' })],
  ['claimed', many(range(20), { status: 'done_claimed', check: 'none' }), { claimed: true }],
  [
    'mixed_tasks',
    [
      ...many(range(20), { labels: { task: 'a' } }, 'a'),
      ...many(new Array(20).fill(40), { labels: { task: 'b' } }, 'b'),
    ],
  ],
  ['wide_distribution', many([...range(20), 200])],
  ['tight_distribution', many(new Array(20).fill(7))],
  ['beaten_cap', [...many(range(20)), ...many([90, 90], FAILED, 'long')]],
  ['trips_often', [...many(range(20)), ...many(new Array(9).fill(90), FAILED, 'long')]],
  ['repeats_in_successes', [...many(range(20)), polling('p')]],
  ['rule_stops_good_runs', new Array(20).fill(0).map((_, i) => polling(`same-${i}`))],
  ['joint_false_stops', TWO_TAILS, { padding: { num: 1n, den: 1n } }],
];

const OWED = RAISING.map(([code, records, options = {}]) => ({ code, records, options }));

function recordsOf(code: string): object[] {
  return OWED.find((each) => each.code === code)?.records ?? [];
}

describe('what the numbers must not hide', () => {
  const runsOf = (records: readonly object[]): Run[] => records.map((record, i) => run(record, i + 1));

  test.each(OWED)('$code: told by calibrate, with a sentence and what to do', ({ code, records, options }) => {
    const found = calibrate(runsOf(records), options).report.diagnosis.filter((each) => each.code === code);
    expect(found.length).toBeGreaterThan(0);
    for (const { message, hint } of found) expect([message.length > 20, hint.length > 10]).toEqual([true, true]);
    expect(codesOf('Figures')).toContain(code);
  });

  test.each([
    'provisional_cap_near',
    'stopped_while_recording',
    'mixed_tasks',
    'wide_distribution',
    'tight_distribution',
  ])('%s: told by derive as well, in text and JSON', async (code) => {
    const records = recordsOf(code);
    const file = put(folder, `${code}.jsonl`, records.map((record) => JSON.stringify(record)).join('\n'));
    const json = JSON.parse((await capfit(['derive', file, '--json'])).out) as { warnings: { code: string }[] };
    expect(json.warnings.map((each) => each.code)).toContain(code);
    expect((await capfit(['derive', file])).out).toContain(`(${code})`);
  });

  test.each(['beaten_cap', 'trips_often', 'repeats_in_successes'])('%s: told by replay as well', async (code) => {
    const records = recordsOf(code);
    const file = put(folder, `${code}.jsonl`, records.map((record) => JSON.stringify(record)).join('\n'));
    const policy = put(
      folder,
      `${code}.yaml`,
      'capfit: policy/v1\ncaps: {passes: 20, tokens: 90000}\nrules: [{rule: repeat}]\n',
    );
    const argv = ['replay', file, '--policy', policy];
    const json = JSON.parse((await capfit([...argv, '--json'])).out) as { warnings: { code: string }[] };
    expect(json.warnings.map((each) => each.code)).toContain(code);
    expect((await capfit(argv)).out.replace(/\s+/g, ' ')).toContain(`(${code})`);
  });
});
