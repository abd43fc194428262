import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DEFAULT_READING, type Format, isProblem } from '../../src/formats/format.js';
import { findFormat, formatOfLine } from '../../src/formats/index.js';
import { withStranger } from '../../src/formats/stranger.js';
import type { Problem } from '../../src/model/problem.js';
import type { Run } from '../../src/model/run.js';
import { itemsOf, sourceOf } from './conformance.js';

const FIXTURES = join(import.meta.dirname, 'fixtures');

/** A recording in lines of each format that has such. */
const RECORDINGS: { readonly [id: string]: string } = {
  'claude-code': 'api-errors/after-a-pass.jsonl',
  'claude-stream-json': 'duplicates/out.jsonl',
  codex: 'cache-writes/rollout-2026-03-01T09-00-00-019ca8bd-3c60-7043-8043-000000000043.jsonl',
  openclaw: 'finished/s.jsonl',
  jsonl: 'basic/input.jsonl',
  langfuse: 'other-names/names.jsonl',
  langsmith: 'cache/cache.jsonl',
  otlp: 'running/export.jsonl',
  phoenix: 'endings/spans.jsonl',
  'openai-agents': 'errors/traces.jsonl',
  openhands: 'endings/output.jsonl',
};

function linesOf(id: string): string[] {
  const text = readFileSync(join(FIXTURES, id, RECORDINGS[id] as string), 'utf8');
  return text.split('\n').filter((line) => line !== '');
}

async function read(id: string, lines: readonly string[]): Promise<(Run | Problem)[]> {
  const source = sourceOf('x.jsonl', Buffer.from(`${lines.join('\n')}\n`));
  return itemsOf(findFormat(id) as Format, source, DEFAULT_READING);
}

/** What is wrong with a file that is read as that format. */
async function problemsIn(id: string, lines: readonly string[]): Promise<Problem[]> {
  return (await read(id, lines)).filter(isProblem);
}

/** What is counted of it. */
async function runsIn(id: string, lines: readonly string[]): Promise<object[]> {
  const runs = (await read(id, lines)).filter((item): item is Run => !isProblem(item));
  return runs.map(({ id: name, passes, totals, status }) => ({ name, passes, totals, status }));
}

const IDS = Object.keys(RECORDINGS);
const PAIRS = IDS.flatMap((own) => IDS.filter((id) => id !== own).map((other) => [own, other] as const));

describe('two formats in one file', () => {
  test.each(PAIRS)('%s with lines of %s behind it: they do not vanish without a word', async (own, other) => {
    const lines = linesOf(own);
    const alone = await problemsIn(own, lines);
    const both = await problemsIn(own, [...lines, ...linesOf(other)]);
    expect(both.length).toBeGreaterThan(alone.length);
    expect(both.slice(alone.length).every(({ place }) => (place.line ?? 0) > lines.length)).toBe(true);
  });

  test.each(PAIRS)('%s with lines of %s behind it: nothing of them is counted', async (own, other) => {
    const lines = linesOf(own);
    expect(await runsIn(own, [...lines, ...linesOf(other)])).toEqual(await runsIn(own, lines));
  });

  test.each([
    ['claude-code', 'codex'],
    ['claude-code', 'claude-stream-json'],
    ['claude-stream-json', 'claude-code'],
    ['codex', 'claude-code'],
    ['codex', 'openclaw'],
    ['openclaw', 'codex'],
  ])('%s names %s, and the line', async (own, other) => {
    const lines = linesOf(own);
    const stranger = linesOf(other)[0] as string;
    expect((await problemsIn(own, [...lines, stranger])).at(-1)).toEqual({
      kind: 'problem',
      place: { file: 'x.jsonl', line: lines.length + 1 },
      reason: `the line looks like ${other}, but the file is read as ${own}`,
      hint: 'the file mixes formats: split it, one format a file',
      raw: stranger,
    });
  });

  test('lines of a kind that newer versions of a recorder may add are no strangers', async () => {
    for (const [id, line] of [
      ['claude-code', '{"type":"custom-title","customTitle":"x","sessionId":"s"}'],
      ['claude-code', '{"type":"summary","summary":"x","leafUuid":"u"}'],
      ['claude-stream-json', '{"type":"rate_limit_event","session_id":"s"}'],
      ['claude-stream-json', '{"type":"control_request","request_id":"1","request":{}}'],
      ['codex', '{"timestamp":"2026-03-01T09:00:00Z","type":"world_state","payload":{}}'],
      ['openclaw', '{"type":"label","id":"l1","parentId":null,"timestamp":"2026-02-03T10:00:00Z"}'],
    ] as const) {
      expect([id, await problemsIn(id, [...linesOf(id), line])]).toEqual([id, []]);
    }
  });
});

describe('withStranger(problem, own, formatOf)', () => {
  const claimed = linesOf('codex')[0] as string;
  const bad = (raw: string | null, line: number | null): Problem => ({
    kind: 'problem',
    place: { file: 'x', line },
    reason: 'status is missing',
    hint: 'give one',
    raw,
  });

  test('adds whose the line is', () => {
    expect(withStranger(bad(claimed, 3), 'jsonl', formatOfLine)).toEqual({
      ...bad(claimed, 3),
      hint: 'give one; the line looks like codex: if the file mixes formats, split it',
    });
  });

  test.each([
    ['a line of the format itself', bad(claimed, 3), 'codex'],
    ['a line that nobody claims', bad('{"a": 1}', 3), 'jsonl'],
    ['no line', bad(claimed, null), 'jsonl'],
    ['no text', bad(null, 3), 'jsonl'],
  ])('leaves %s', (_what, problem, own) => {
    expect(withStranger(problem, own, formatOfLine)).toEqual(problem);
  });
});
