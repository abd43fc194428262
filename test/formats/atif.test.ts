import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openBytes } from '../../src/cli/open.js';
import { ALONE, close, DEFAULT_READING, isProblem, type ReadingOptions } from '../../src/formats/format.js';
import { atif } from '../../src/formats/harbor/atif.js';
import { topLevel } from '../../src/formats/harbor/atif-head.js';
import { harbor } from '../../src/formats/harbor/harbor.js';
import { openclaw } from '../../src/formats/harbor/openclaw.js';
import type { Problem } from '../../src/model/problem.js';
import type { Run } from '../../src/model/run.js';
import { conform, itemsOf, sourceOf } from './conformance.js';
import { CORPUS, readFolder, reasonToSkip, size } from './fixtures/read-folder.js';

conform({ format: atif });

const text = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

/** A trajectory of one model call with ten prompt tokens and one more. */
function trajectory(session: string, refs: readonly object[] = [], more: object = {}): object {
  const observation = { results: [{ content: 'ok', subagent_trajectory_ref: refs }] };
  const step = { step_id: 1, source: 'agent', message: 'x', metrics: { prompt_tokens: 10, completion_tokens: 1 } };
  return {
    schema_version: 'ATIF-v1.6',
    session_id: session,
    agent: { name: 'a', version: '1' },
    steps: [refs.length > 0 ? { ...step, observation } : step],
    ...more,
  };
}

/** Reads files as one folder, of which some are inputs. */
async function read(
  files: { readonly [name: string]: object },
  inputs: readonly string[] = Object.keys(files),
  options: Partial<ReadingOptions> = {},
): Promise<{ [id: string]: unknown }> {
  const contents = new Map(Object.entries(files).map(([name, value]) => [name, text(value)]));
  const items: (Run | Problem)[] = [];
  for (const name of inputs) {
    const source = sourceOf(name, contents.get(name) as Uint8Array, undefined, contents);
    const around = { ...source.around, isInput: (path: string) => inputs.includes(path) };
    items.push(...(await itemsOf(atif, { ...source, around }, { ...DEFAULT_READING, ...options })));
  }
  return Object.fromEntries(
    items.map((item) => (isProblem(item) ? [item.reason, null] : [item.id, size(item)?.tokens])),
  );
}

describe('sub-agents in files of their own', () => {
  const kid = { session_id: 's-kid', trajectory_path: 'kid.json' };
  const family = { 'top.json': trajectory('top', [kid]), 'kid.json': trajectory('s-kid') };

  it('are folded into their parent, and stand alone where it is no input', async () => {
    expect(await read(family)).toEqual({ top: 22 });
    expect(await read(family, ['top.json'])).toEqual({ top: 22 });
    expect(await read(family, ['kid.json'])).toEqual({ 's-kid': 11 });
  });

  it('are runs of their own once, whoever reads them', async () => {
    expect(await read(family, undefined, { subagents: 'separate' })).toEqual({ top: 11, 's-kid': 11 });
    expect(await read(family, ['top.json'], { subagents: 'separate' })).toEqual({ top: 11, 'top/s-kid': 11 });
  });

  it('are left out, and not counted as runs', async () => {
    expect(await read(family, undefined, { subagents: 'ignore' })).toEqual({ top: 11 });
  });

  it('are found by their session under another name, unless the whole run shares it', async () => {
    const gone = { session_id: 's-kid', trajectory_path: 'elsewhere/gone.json' };
    expect(await read({ 'top.json': trajectory('top', [gone]), 'other.json': trajectory('s-kid') })).toEqual({
      top: 22,
    });
    const shared = { session_id: 'run', trajectory_path: 'gone.json' };
    expect(
      await read({ 'top.json': trajectory('run', [shared]), 'z.json': trajectory('run', [], { trajectory_id: 'z' }) }),
    ).toEqual({ run: 11 });
  });

  it('are counted once in a folder of many', async () => {
    const files: { [name: string]: object } = {};
    for (let at = 0; at < 40; at++) files[`run-${at}.json`] = trajectory(`lone-${at}`);
    for (let at = 1; at <= 30; at++) files[`trajectory.summarization-${at}-a.json`] = trajectory(`kid-${at}`);
    const refs = Array.from({ length: 30 }, (_, at) => ({
      trajectory_path: `trajectory.summarization-${at + 1}-a.json`,
    }));
    files['trajectory.json'] = trajectory('top', refs);
    const totals = await read(files);
    expect(Object.keys(totals)).toHaveLength(41);
    expect(totals.top).toBe(31 * 11);
  });

  it('that refer back to their parent are read once', async () => {
    const back = { 'kid.json': trajectory('s-kid', [{ session_id: 'top', trajectory_path: 'top.json' }]) };
    expect(await read({ ...family, ...back })).toEqual({ 's-kid': 22 });
  });

  it('nested deeper than anybody nests them do not exhaust the program', async () => {
    let deep: object = trajectory('d-40');
    for (let at = 39; at >= 0; at--) deep = trajectory(`d-${at}`, [], { subagent_trajectories: [deep] });
    expect(await read({ 'deep.json': deep })).toEqual({ 'd-0': 25 * 11 });
  });
});

describe('a file of which the head was enough', () => {
  it.each([
    ['of many chunks', 16_384, 40],
    ['of few', 262_144, 3],
  ])('%s is closed, and not read to its end', async (_name, size, chunks) => {
    let read = 0;
    let isClosed = false;
    async function* file(): AsyncGenerator<Uint8Array> {
      try {
        for (; read < chunks; read++) yield new Uint8Array(size);
      } finally {
        isClosed = true;
      }
    }
    const { head, bytes } = await openBytes(file());
    await close({ name: 'f', head, bytes, around: ALONE });
    expect(isClosed).toBe(true);
    expect(read).toBeLessThan(chunks);
  });
});

describe('detection', () => {
  it('looks at the outermost keys, in any order', () => {
    expect(atif.detect('{"agent": {}, "schema_version": "ATIF-v1.3", "steps": [')).toBe(true);
    expect(atif.detect('[\n {"schema_version": "ATIF-v1.6"')).toBe(true);
    expect(atif.detect('{"parent": {"schema_version": "ATIF-v1.6"')).toBe(true);
    expect(atif.detect('{"message": "\\"schema_version\\": \\"ATIF-v1.6\\""}')).toBe(false);
    expect(atif.detect('{"log": [{"schema_version": "ATIF-v1.6"}]}')).toBe(false);
    expect(atif.detect('{"schema_version": "1.0", "note": "not "ATIF-v1.6""}')).toBe(false);
  });

  it('reads no further than the document reaches', () => {
    expect([...topLevel('{"a": 1, "b": "x\\"y", "c": {"d": 2}, "e": [{"f": 3}], "g": nul')]).toEqual([
      ['a', '1'],
      ['b', 'x\\"y'],
      ['c', null],
      ['e', null],
      ['g', 'nul'],
    ]);
    expect([...topLevel('{"a": 1}\n{"b": 2}')]).toEqual([['a', '1']]);
    expect([...topLevel('[{"a": 1}]')]).toEqual([]);
    expect([...topLevel('{"a": "cut')]).toEqual([['a', null]]);
  });
});

const FOLDER = 'atif-trajectories';

describe.skipIf(reasonToSkip(FOLDER) !== '')(`recorded trajectories${reasonToSkip(FOLDER)}`, () => {
  it('are 14 runs in 19 files, and each model call counts once', async () => {
    const { runs, problems, silent } = await readFolder(join(CORPUS, FOLDER), [harbor, atif, openclaw]);
    expect(problems).toEqual([]);
    expect(silent).toEqual([
      'inspect_scout/terminus_2_hello-world-context-summarization-linear-history.trajectory.cont-1.json',
      'phoenix/harbor_terminus2_continuation_cont1.json',
      'phoenix/harbor_terminus2_sub_answers.json',
      'phoenix/harbor_terminus2_sub_questions.json',
      'phoenix/harbor_terminus2_sub_summary.json',
    ]);
    const sizes = runs.map((run) => [run.id, size(run)?.passes, size(run)?.tokens]);
    // The totals of a run with summaries are 7,802 prompt and 1,030 completion tokens, those of its steps 6,502 and 690.
    expect(sizes).toEqual([
      ['NORMALIZED_SESSION_ID', 2, 300],
      ['NORMALIZED_SESSION_ID', 2, 300],
      ['NORMALIZED_SESSION_ID', 7, 7802 + 1030],
      ['harbor-openhands-hello-world', 2, 300],
      ['harbor-terminus2-continuation', 7, 7802 + 1030],
      ['harbor-terminus2-invalid-json', 4, 2417 + 200],
      ['harbor-terminus2-summarization', 7, 7802 + 1030],
      ['harbor-terminus2-timeout', 3, 882 + 115],
      ['sess-def456-multi', 3, 9150 + 635],
      ['sess-multimodal-test', 2, 2600 + 125],
      ['sess-parallel-mixed', 2, 1200 + 105],
      ['sess-abc123-simple', 2, 1120 + 124],
      ['sess-parent-001', 2, 2130 + 680],
      ['run-v17-001', 1, 54 + 34],
    ]);
    const timeout = runs.find(({ id }) => id === 'harbor-terminus2-timeout');
    expect(timeout).toMatchObject({ status: 'running', totals: { tokens: 982 + 145 } });
    expect(timeout?.labels.get('conflict')).toBe('final_metrics');
  });

  it('alone, without the files around them, count their own steps', async () => {
    const bytes = readFileSync(join(CORPUS, FOLDER, 'phoenix/harbor_terminus2_continuation_cont1.json'));
    const [run] = await itemsOf(atif, sourceOf('cont.json', bytes), DEFAULT_READING);
    // 4,250 prompt tokens in its steps; its final_metrics cover the whole chain.
    expect(run && !isProblem(run) ? size(run) : null).toEqual({ passes: 4, tokens: 4250 + 530 });
    expect(run).toMatchObject({ totals: { tokens: 7802 + 1030 } });
  });
});
