import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { main } from '../../src/cli/main.js';
import { RECORD_LINES } from '../formats/scan/record-lines.js';
import { put, type Ran, scratchFolder } from './harness.js';

/*
 * Threads run what was built, since Node cannot start one from TypeScript: `npm test` builds first.
 */

const folder = scratchFolder();
const BUILT = join(import.meta.dirname, '../../dist/cli/main.js');

async function capfit(argv: readonly string[]): Promise<Ran> {
  const built = (await import(pathToFileURL(BUILT).href)) as { main: typeof main };
  let [out, err] = ['', ''];
  const code = await built.main(argv, {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    stdin: (async function* () {})(),
    columns: 100,
    isTerminal: false,
    color: false,
    progress: null,
    today: () => '2026-05-01',
  });
  return { code, out, err };
}

const SCATTERED = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.nat({ max: 3 }), fc.boolean()), {
  minLength: 1,
  maxLength: 30,
});

function rowsOf(rows: readonly (readonly [string, number, boolean])[]): string {
  const written = rows.map(([id, tokens, isOdd], at) => {
    const pass = isOdd ? '' : String(at + 1);
    return `${id}${Math.floor(at / 4)},done_verified,passed,${pass},${tokens}00,5,1.5,search,a,b\n`;
  });
  return `run_id,status,check,pass,input_tokens,output_tokens,seconds,tool,args_digest,result_digest\n${written.join('')}`;
}

test('what is built is there', () => {
  expect(existsSync(BUILT), 'run npm run build first: threads run what was built').toBe(true);
});

const MADE = '"status":"done_verified","check":"passed","passes":[{"input_tokens":1,"output_tokens":1}]';
const LINES: readonly (readonly [string, string])[] = [
  ['a byte-order mark inside', `{"id":"a",${MADE}}\n\ufeff{"id":"b",${MADE}}\n`],
  [
    'times before 1970',
    `{"id":"a","started_at":"1960-01-01T00:00:00Z",${MADE}}\n{"id":"b","started_at":"2026-03-01T09:00:00Z",${MADE}}\n`,
  ],
  ['a bracket that was not opened', `{"id":"a",${MADE}}\n{"id":"b","status":"running","passes":[}]}\n`],
  ['an id met twice', `{"id":"a",${MADE}}\n{"id":"b",${MADE}}\n{"id":"a",${MADE}}\n`],
];
test.each(LINES)('several threads say of %s what one says', async (_, text) => {
  const file = put(folder, 'told.jsonl', text);
  const ask = (count: number, command: string): Promise<Ran> =>
    capfit([command, file, '--threads', String(count), '--json', '--on-error', 'skip']);
  for (const command of ['derive', 'calibrate']) {
    const one = await ask(1, command);
    for (const threads of [2, 3]) expect(await ask(threads, command)).toEqual(one);
  }
});

test('what is loaded late is there in what was built', async () => {
  put(folder, 'one.jsonl', `{"id":"a",${MADE}}\n`);
  const globbed = await capfit(['derive', `${folder}/on*.jsonl`, '--json']);
  expect(JSON.parse(globbed.out)).toMatchObject({ runs: 1 });
  const parts = readdirSync(join(import.meta.dirname, '../../dist/cli')).filter((name) => name.includes('-package-'));
  expect(parts.map((name) => name.replace(/-package-.*/, '')).sort()).toEqual([
    'bar',
    'csv-parse',
    'glob',
    'yaml',
    'zip',
    'zstd',
  ]);
  for (const part of parts) {
    const names = Object.keys(await import(pathToFileURL(join(import.meta.dirname, '../../dist/cli', part)).href));
    expect(names.length, part).toBeGreaterThan(0);
    expect(names, part).not.toEqual(['default']);
  }
});

test.each([
  ['run records', 'runs.jsonl', fc.array(RECORD_LINES, { minLength: 2, maxLength: 12 }).map((all) => all.join('\n'))],
  ['rows of passes', 'rows.csv', SCATTERED.map(rowsOf)],
])(
  'several threads say of %s what one says',
  async (_, name, contents) => {
    let reached = 0;
    await fc.assert(
      fc.asyncProperty(
        contents,
        fc.constantFrom('skip', 'fail'),
        fc.constantFrom('derive', 'replay'),
        fc.constantFrom([], ['--where', 'check=passed'], ['--where', 'id!=a0', '--where', 'status!=running']),
        fc.integer({ min: 2, max: 4 }),
        async (text, onError, command, where, threads) => {
          const file = put(folder, name, text);
          const policy = command === 'replay' ? ['--preset', 'four-guards'] : [];
          const ask = (count: number): Promise<Ran> =>
            capfit([command, file, ...policy, ...where, '--on-error', onError, '--threads', String(count), '--json']);
          const one = await ask(1);
          expect(await ask(threads)).toEqual(one);
          if (one.code === 0) reached++;
        },
      ),
      { numRuns: 60, seed: 11 },
    );
    // Files of which nothing can be answered would agree as well.
    expect(reached).toBeGreaterThan(5);
  },
  120_000,
);
