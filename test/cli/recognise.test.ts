import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { recognise } from '../../src/cli/recognise.js';
import { detectFormat, FORMATS } from '../../src/formats/index.js';
import { OWN_FORMATS } from '../../src/formats/own.js';
import { capfit, goodLine, put, scratchFolder } from './harness.js';

const FIXTURES = join(import.meta.dirname, '../formats/fixtures');
const folder = scratchFolder();

/** Recordings whose ids or times are numbers throughout, and what is said of the first one. */
const NUMBERS: readonly (readonly [path: string, key: RegExp, fault: string])[] = [
  ['claude-code/limits/max-turns.jsonl', /("sessionId": *)"[^"]*"/g, 'sessionId is 5'],
  ['claude-stream-json/endings/killed.jsonl', /("session_id": *)"[^"]*"/g, 'session_id is 5'],
  [
    'codex/cache-writes/rollout-2026-03-01T09-00-00-019ca8bd-3c60-7043-8043-000000000043.jsonl',
    /("id": *)"[^"]*"/g,
    'id is 5',
  ],
  [
    'codex/cache-writes/rollout-2026-03-01T09-00-00-019ca8bd-3c60-7043-8043-000000000043.jsonl',
    /("timestamp": *)"[^"]*"/g,
    'timestamp is 5',
  ],
  ['openclaw/finished/s.jsonl', /("id": *)"[^"]*"/g, 'id is 5'],
  ['otlp/running/export.jsonl', /("traceId": *)"[^"]*"/g, 'spans[0].traceId is 5'],
  ['phoenix/endings/spans.jsonl', /("(?:trace|span)_id": *)"[^"]*"/g, 'the span.context.trace_id is missing'],
  ['openai-agents/twice/traces.jsonl', /("(?:trace_)?id": *)"[^"]*"/g, 'id is 5'],
  ['jsonl/basic/input.jsonl', /("id": *)"[^"]*"/g, 'id is 5'],
];

describe('a recording whose ids are numbers is told so in the words of its own format', () => {
  test.each(NUMBERS)('%s %s', async (path, key, fault) => {
    const text = readFileSync(join(FIXTURES, path), 'utf8').replaceAll(key, '$15');
    const { code, err } = await capfit(['derive', put(folder, 'numbers.jsonl', text)]);
    expect({ code, fault: err.split('\n')[0] }).toEqual({ code: 3, fault: expect.stringContaining(fault) });
    expect(err).not.toMatch(/looks like|no format claims/);
  });
});

describe('a file that no format claims', () => {
  test('is read by its name, and the advice says so', async () => {
    const path = put(folder, 'unknown.jsonl', '{"event": "start"}\n');
    expect((await capfit(['derive', path])).err).toBe(
      `capfit: ${path}:1: status is missing\n  give one of done_verified, done_claimed, stopped_budget, halted_error, running; no format claims the file by its content, so it is read as jsonl: --from names another\n`,
    );
  });

  test('that the user says what it is has the advice of that format alone', async () => {
    const path = put(folder, 'unknown.jsonl', '{"event": "start"}\n');
    expect((await capfit(['derive', path, '--from', 'jsonl'])).err).not.toContain('no format claims');
  });
});

describe('a broken line within one run', () => {
  const session = readFileSync(join(FIXTURES, 'claude-code/limits/max-turns.jsonl'), 'utf8').split('\n');

  test('leaves the run marked, and the audit says so', async () => {
    const path = put(folder, 'session.jsonl', [...session.slice(0, 2), '{"type":', ...session.slice(2)].join('\n'));
    const { out } = await capfit(['audit', path, '--json']);
    const { findings } = JSON.parse(out) as { findings: { code: string }[] };
    expect(findings.find(({ code }) => code === 'damaged_recordings')).toMatchObject({
      severity: 'doubtful',
      message: 'lines that may have been theirs could not be read: 1 of 1 run',
      hint: expect.stringContaining('--where damaged!=true'),
    });
    const kept = await capfit(['audit', path, '--where', 'damaged!=true', '--json']);
    expect(JSON.parse(kept.out)).toMatchObject({ runs: 0, records: 1 });
  });

  test('of another recorder is not passed over, and is kept in quarantine', async () => {
    const codex = '{"timestamp":"2026-03-01T09:00:00Z","type":"event_msg","payload":{"type":"user_message"}}';
    const path = put(folder, 'mixed.jsonl', [...session.filter((line) => line !== ''), codex, ''].join('\n'));
    const { code, err } = await capfit(['derive', path, '--claimed']);
    expect([code, err]).toEqual([
      3,
      expect.stringContaining('the line looks like codex, but the file is read as claude-code'),
    ]);
    const bad = join(folder, 'mixed-bad.jsonl');
    await capfit(['audit', path, '--on-error', 'quarantine', bad]);
    expect(JSON.parse(readFileSync(bad, 'utf8'))).toMatchObject({ line: session.length, raw: codex });
  });

  test('of another recorder among our own records says whose it looks like', async () => {
    const path = put(folder, 'own.jsonl', `${goodLine('a')}${session[1]}\n`);
    expect((await capfit(['derive', path])).err).toContain(
      'the line looks like claude-code: if the file mixes formats, split it',
    );
  });
});

test('quarantine keeps all rows of a run of which one is bad', async () => {
  const rows = ['a,running,1,5', 'b,running,1,5', 'a,running,2,x', 'a,running,3,7'];
  const path = put(folder, 'rows.csv', ['run_id,status,pass,input_tokens', ...rows, ''].join('\n'));
  const bad = join(folder, 'rows-bad.jsonl');
  await capfit(['audit', path, '--on-error', 'quarantine', bad]);
  expect(JSON.parse(readFileSync(bad, 'utf8'))).toEqual({
    file: path,
    line: 4,
    reason: 'input_tokens is "x"',
    hint: 'input_tokens must be a whole number, 0 or more; leave it out where it is not known',
    raw: [rows[0], rows[2], rows[3]].join('\n'),
  });
});

test('a file is of the same format whether all readers are asked or our own first', async () => {
  const files = readdirSync(FIXTURES, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const differing: string[] = [];
  for (const { parentPath, name } of files) {
    const head = readFileSync(join(parentPath, name)).subarray(0, 65_536);
    const found = await recognise({ path: name, named: false }, null, null, head);
    if ((found?.format ?? null) !== detectFormat(head)) differing.push(join(parentPath, name));
  }
  expect(files.length).toBeGreaterThan(100);
  expect(differing).toEqual([]);
  expect(FORMATS.slice(0, OWN_FORMATS.length)).toEqual(OWN_FORMATS);
});
