import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isProblem } from '../../src/formats/format.js';
import { findFormat } from '../../src/formats/index.js';
import { passCount, runTotal } from '../../src/model/measure.js';
import type { Run } from '../../src/model/run.js';
import { type Case, casesOf, itemsOf, sourceOf } from './conformance.js';

/** Readers that put one run together from several lines, or from entries of lists that stand on lines of their own. */
const ASSEMBLING = [
  ...['claude-code', 'claude-stream-json', 'codex', 'openclaw'],
  ...['openai-agents', 'otlp', 'langfuse', 'langsmith', 'phoenix'],
];

const BROKEN = Buffer.from('{"broken');
const UNREADABLE = Buffer.from([0x7b, 0xff]);

type Files = ReadonlyMap<string, Uint8Array>;

function filesOf(each: Case): Files {
  return new Map(each.files.map((path) => [path, readFileSync(join(each.folder, path))]));
}

/** The files with one line of one of them replaced. */
function withLine(files: Files, path: string, index: number, line: Uint8Array): Files {
  const lines = linesIn(files.get(path) as Uint8Array);
  const changed = lines.map((each, at) => (at === index ? Buffer.from(line) : each));
  return new Map(files).set(path, Buffer.concat(changed.flatMap((each) => [each, Buffer.from('\n')])));
}

function linesIn(content: Uint8Array): Buffer[] {
  const lines: Buffer[] = [];
  let start = 0;
  const bytes = Buffer.from(content);
  for (let end = bytes.indexOf(0x0a); end !== -1; end = bytes.indexOf(0x0a, start)) {
    lines.push(bytes.subarray(start, end));
    start = end + 1;
  }
  return start < bytes.length ? [...lines, bytes.subarray(start)] : lines;
}

/** The runs of all files that the format claims, by where they begin: a lost run would shift numbers in ids. */
async function runsOf(id: string, files: Files, { options }: Pick<Case, 'options'>): Promise<Map<string, Run>> {
  const format = findFormat(id);
  const runs = new Map<string, Run>();
  for (const [path, content] of files) {
    if (format?.detect(new TextDecoder().decode(content.subarray(0, 65_536))) !== true) continue;
    for (const item of await itemsOf(format, sourceOf(path, content, undefined, files), options)) {
      if (!isProblem(item)) runs.set(`${path}:${item.origin.line} ${item.id.replace(/#\d+$/, '')}`, item);
    }
  }
  return runs;
}

/** What no reader can tell, and why it may stay so. */
const BEYOND: readonly RegExp[] = [
  // A request whose line is broken, but comes again later: all is counted in a first run, which is marked.
  /^copies\/ses-orig\.jsonl:1:/,
  // A copy of a session without its header is nobody's: it gives no run, and is told.
  /^copy-with-lines-of-its-own\/\S+:1:/,
];

/** An unfinished message has a label of its own, which says that its tokens are too low. */
const isTold = (run: Run): boolean => isMarked(run) || run.labels.has('unfinished_messages');

const isMarked = (run: Run): boolean => run.labels.get('damaged') === 'true';

/** What a run is counted otherwise than before; `null`: nothing, or it is not known any more. */
function changeOf(now: Run, before: Run): string | null {
  const figures = {
    passes: [passCount(now), passCount(before)],
    tokens: [runTotal(now, 'tokens'), runTotal(before, 'tokens')],
    seconds: [runTotal(now, 'seconds'), runTotal(before, 'seconds')],
  } as const;
  const other = Object.entries(figures).find(([, [is, was]]) => is !== null && is !== was);
  return other === undefined ? null : `${other[0]} ${other[1].join(', was ')}`;
}

describe('no run is counted otherwise without a mark when a line cannot be read', () => {
  test.each(ASSEMBLING)('%s', async (id) => {
    const silent: string[] = [];
    let marked = 0;
    for (const each of casesOf(id)) {
      const files = filesOf(each);
      const whole = await runsOf(id, files, each);
      for (const path of each.files.filter((name) => /\.jsonl$/.test(name))) {
        for (const [index] of linesIn(files.get(path) as Uint8Array).entries()) {
          const changed = withLine(files, path, index, index % 2 === 0 ? BROKEN : UNREADABLE);
          for (const [key, run] of await runsOf(id, changed, each)) {
            const before = whole.get(key);
            const change = before === undefined ? null : changeOf(run, before);
            if (isMarked(run)) marked++;
            if (!isTold(run) && change !== null) silent.push(`${each.name}/${path}:${index + 1}: ${key}: ${change}`);
          }
        }
      }
    }
    expect(silent.filter((found) => !BEYOND.some((known) => known.test(found)))).toEqual([]);
    expect(marked).toBeGreaterThan(0);
  });

  test.each(ASSEMBLING)('%s: no run is marked where all can be read', async (id) => {
    for (const each of casesOf(id)) {
      const { problems } = JSON.parse(readFileSync(join(each.folder, 'expected.json'), 'utf8'));
      const runs = await runsOf(id, filesOf(each), each);
      if (problems.length === 0) expect([each.name, [...runs.values()].filter(isMarked)]).toEqual([each.name, []]);
    }
  });
});

describe('of the runs of one file only those are marked that the line may belong to', () => {
  /** The marked runs, when that line of that file is broken, by the place of the run among all. */
  async function marksOf(id: string, name: string, path: string, line: number): Promise<string[]> {
    const each = casesOf(id).find((found) => found.name === name) as Case;
    const runs = await runsOf(id, withLine(filesOf(each), path, line - 1, BROKEN), each);
    return [...runs.values()].map((run) => `${run.id}${isMarked(run) ? '*' : ''}`);
  }

  const SPEAKING = 'c1a1b1c1-0000-4000-8000-000000000001';
  const ENDINGS = '019ca8af-80c0-7028-8028-000000000028';
  const turns = (marked: number): string[] => [1, 2, 3, 4, 5].map((n) => `${ENDINGS}#${n}${n === marked ? '*' : ''}`);

  test('Codex: the turn at work, else the next one', async () => {
    const path = `rollout-2026-03-01T09-00-00-${ENDINGS}.jsonl`;
    expect(await marksOf('codex', 'endings', path, 8)).toEqual(turns(2));
    expect(await marksOf('codex', 'endings', path, 13)).toEqual(turns(2));
    expect(await marksOf('codex', 'endings', path, 25)).toEqual(turns(4));
    expect(await marksOf('codex', 'endings', path, 45)).toEqual(turns(5));
  });

  test('Codex: a lost count comes with the next one, in whichever turn that is', async () => {
    const path = `rollout-2026-03-01T09-00-00-${ENDINGS}.jsonl`;
    const marks = [1, 2, 3, 4, 5].map((n) => `${ENDINGS}#${n}${n === 2 || n === 3 ? '*' : ''}`);
    expect(await marksOf('codex', 'endings', path, 14)).toEqual(marks);
  });

  test('OpenClaw: the request at work', async () => {
    expect(await marksOf('openclaw', 'two-requests', 's.jsonl', 4)).toEqual([`${SPEAKING}*`, `${SPEAKING}#2`]);
    expect(await marksOf('openclaw', 'two-requests', 's.jsonl', 7)).toEqual([SPEAKING, `${SPEAKING}#2*`]);
  });
});
