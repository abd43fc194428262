import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createProgress } from '../../src/cli/progress.js';
import { progressLine } from '../../src/cli/progress-line.js';
import { addTo } from '../../src/cli/shared-count.js';
import { createSpeed } from '../../src/cli/speed.js';
import { textWidth } from '../../src/report/width.js';
import { capfit, put, scratchFolder } from './harness.js';

const folder = scratchFolder();
const MB = 1_000_000;

/** A terminal that keeps what is written to it. */
function terminal(columns = 80): { stream: NodeJS.WriteStream; shown: () => string[] } {
  let written = '';
  const stream = {
    isTTY: true,
    columns,
    write: (text: string) => {
      written += text;
      return true;
    },
    on: () => stream,
    once: () => stream,
    emit: () => true,
  };
  return {
    stream: stream as unknown as NodeJS.WriteStream,
    shown: () => written.match(/reading [^\u001b]*/g) ?? [],
  };
}

async function* pieces(count: number, bytes: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < count; at++) yield new Uint8Array(bytes);
}

async function drain(bytes: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of bytes);
}

describe('progressLine', () => {
  test.each([
    [{ done: 0, total: 200 * MB, perSecond: null }, 'reading ░░░░░░░░░░░░░░░░░░░░ 0 % | 0.0 of 200 MB'],
    [
      { done: 122.4 * MB, total: 200 * MB, perSecond: 58 * MB },
      'reading ████████████░░░░░░░░ 61 % | 122 of 200 MB | 58 MB/s | 2 s left',
    ],
    [{ done: 3 * MB, total: 0, perSecond: 1.5 * MB }, 'reading 3.0 MB | 1.5 MB/s'],
    [
      { done: MB, total: 12_345 * MB, perSecond: 2 * MB },
      'reading ░░░░░░░░░░░░░░░░░░░░ 0 % | 1.0 of 12,345 MB | 2.0 MB/s | 1 h 42 min left',
    ],
    [
      { done: 100 * MB, total: 200 * MB, perSecond: 0.8 * MB },
      'reading ██████████░░░░░░░░░░ 50 % | 100 of 200 MB | 0.8 MB/s | 2 min 05 s left',
    ],
    [{ done: 210 * MB, total: 200 * MB, perSecond: 10 * MB }, 'reading 210 MB | 10 MB/s'],
  ])('%j', (amount, line) => {
    expect(progressLine(amount, 83)).toBe(line);
  });

  test('is narrower than the terminal, whatever it tells', () => {
    const bytes = fc.double({ min: 0, max: 1e13, noNaN: true });
    fc.assert(
      fc.property(
        bytes,
        bytes,
        fc.option(bytes),
        fc.integer({ min: 20, max: 200 }),
        (done, total, perSecond, columns) => {
          const line = progressLine({ done, total, perSecond }, columns);
          expect(textWidth(line)).toBeLessThan(columns);
          expect(line).not.toMatch(/NaN|Infinity|undefined/);
        },
      ),
    );
  });
});

describe('speed', () => {
  test('is not told before half a second, then is that of the last ten', () => {
    const speed = createSpeed();
    expect(speed.at(0, 0)).toBeNull();
    expect(speed.at(400, 4 * MB)).toBeNull();
    expect(speed.at(1000, 10 * MB)).toBe(10 * MB);
    for (let second = 2; second <= 30; second++) speed.at(second * 1000, 10 * MB + (second - 1) * MB);
    expect(speed.at(31_000, 40 * MB)).toBeCloseTo(MB, -4);
  });

  test('starts anew where what was done turns out to be in vain', () => {
    const speed = createSpeed();
    speed.at(0, 0);
    expect(speed.at(2000, 20 * MB)).toBe(10 * MB);
    expect(speed.at(2200, 0)).toBeNull();
    expect(speed.at(3200, 5 * MB)).toBe(5 * MB);
  });
});

describe('progress', () => {
  /** Five pieces of a megabyte, each of which takes so many milliseconds. */
  const watched = async (millis: number, quiet = false): Promise<string[]> => {
    let moment = 0;
    async function* slowly(): AsyncGenerator<Uint8Array> {
      for await (const piece of pieces(5, MB)) {
        moment += millis;
        yield piece;
      }
    }
    const now = (): number => moment;
    const { stream, shown } = terminal();
    const progress = createProgress({ progress: stream, now }, quiet);
    progress.expect([put(folder, 'ten.bin', new Uint8Array(10 * MB))]);
    await drain(progress.reading().watch(slowly()));
    progress.stop();
    return shown();
  };

  test('shows nothing of work under a second, and nothing where it is not wanted', async () => {
    expect(await watched(10)).toEqual([]);
    expect(await watched(5000, true)).toEqual([]);
    const progress = createProgress({ progress: null }, false);
    expect(progress.reading().share()).toBeNull();
    progress.stop();
  });

  test('shows how far it is, how fast, and how long it takes', async () => {
    expect((await watched(1000)).at(-1)).toMatch(/^reading █+░+ 50 % \| 5\.0 of 10 MB \| 1\.0 MB\/s \| 5 s left/);
  });

  test('counts what other threads read, and not what was read in vain', async () => {
    const { stream, shown } = terminal();
    let moment = 0;
    const progress = createProgress({ progress: stream, now: () => (moment += 600) }, false);
    progress.expect([put(folder, 'ten.bin', new Uint8Array(10 * MB))]);
    const vain = progress.reading();
    await drain(vain.watch(pieces(4, MB)));
    vain.drop();
    const thread = progress.reading();
    addTo(thread.share() as SharedArrayBuffer, 3 * MB);
    await drain(progress.reading().watch(pieces(2, MB)));
    progress.stop();
    expect(shown().at(-1)).toMatch(/ 50 % \| 5\.0 of 10 MB/);
  });
});

describe('reading runs', () => {
  afterEach(() => void vi.restoreAllMocks());

  const HEAD = 'run_id,status,check,pass,input_tokens,output_tokens,seconds,tool,args_digest,result_digest,label.agent';
  const rows = (count: number, from = 0): string =>
    Array.from({ length: count }, (_, at) => `run-${from + at},done_verified,passed,1,100,5,1.5,search,a,b,x\n`).join(
      '',
    );

  test.each([
    ['plain rows', `${HEAD}\n${rows(40_000)}`],
    [
      'rows that only the slow reader reads, as the last one shows',
      `${HEAD}\n${rows(40_000)}run-0,done_verified,passed,2,1,1,1,,,,x\n`,
    ],
    [
      'run records',
      Array.from(
        { length: 30_000 },
        (_, at) =>
          `{"id":"r${at}","status":"done_verified","check":"passed","passes":[{"input_tokens":10,"output_tokens":2,"seconds":1.5}]}\n`,
      ).join(''),
    ],
  ])('%s are counted once', async (name, content) => {
    const path = put(folder, name.startsWith('run') ? 'runs.jsonl' : 'runs.csv', content);
    let moment = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => (moment += 700));
    const { stream, shown } = terminal();
    const { code } = await capfit(['derive', path, '--json'], { progress: stream });
    await setImmediate();
    expect(code).toBe(0);
    const percents = shown().map((line) => Number(/ (\d+) % \|/.exec(line)?.[1]));
    expect(percents.length).toBeGreaterThan(0);
    expect(percents.every((percent) => percent >= 0 && percent <= 100)).toBe(true);
    expect(percents.at(-1)).toBe(100);
  });
});
