import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ALONE, DEFAULT_READING, isProblem, type RunSink, type Source } from '../../../src/formats/format.js';
import { jsonl } from '../../../src/formats/jsonl.js';
import { createRecordScanner } from '../../../src/formats/scan/scan-record.js';
import type { Depth } from '../../../src/model/depth.js';
import { cutIds } from '../../../src/model/id-column.js';
import type { Problem } from '../../../src/model/problem.js';
import type { Run } from '../../../src/model/run.js';
import { createRunTable } from '../../../src/model/table.js';
import { comparable, pieces, source } from './comparable.js';
import { RECORD_LINES } from './record-lines.js';

function sourceOf(bytes: Uint8Array, size: number): Source {
  return { name: 'runs.jsonl', head: bytes.subarray(0, 65_536), bytes: pieces(bytes, size), around: ALONE };
}

interface Read {
  readonly runs: readonly Run[];
  readonly problems: readonly Problem[];
}

async function readSlowly(bytes: Uint8Array, size: number, depth: Depth = 'calls'): Promise<Read> {
  const table = createRunTable(depth);
  const problems: Problem[] = [];
  for await (const item of jsonl.read(sourceOf(bytes, size), DEFAULT_READING)) {
    if (isProblem(item)) problems.push(item);
    else table.add(item);
  }
  return { runs: comparable(table), problems };
}

/** Reads into a table. @param isAsked of which runs the whole is asked for, by their ids; `null`: of none */
async function readQuickly(
  bytes: Uint8Array,
  size: number,
  isAsked: ((id: string) => boolean) | null = null,
  depth: Depth = 'calls',
  way: 'stream' | 'memory' = 'stream',
): Promise<Read & { readonly scanned: number }> {
  const table = createRunTable(depth);
  const problems: Problem[] = [];
  let scanned = 0;
  const sink: RunSink = {
    depth,
    asksForWhole: isAsked !== null,
    codeForTool: (tool) => table.codeForTool(tool),
    batch(batch, from) {
      const ids = cutIds(batch.ids);
      let to = from;
      while (to < batch.runs && isAsked?.(ids[to] as string) !== true) to++;
      table.addBatch(batch, from, to);
      scanned += to - from;
      return to;
    },
    item(item) {
      if (isProblem(item)) problems.push(item);
      else table.add(item);
    },
  };
  if (way === 'stream') await jsonl.readInto?.(sourceOf(bytes, size), DEFAULT_READING, sink);
  else expect(jsonl.openLines?.('runs.jsonl', sink).readNow(source(bytes, size), 0)).not.toBeNull();
  return { runs: comparable(table), problems, scanned };
}

describe('the scanner of run records', () => {
  it('gives the runs and the problems of the slow reader, however the records are written', async () => {
    let all = 0;
    let quick = 0;
    await fc.assert(
      fc.asyncProperty(RECORD_LINES, fc.integer({ min: 1, max: 400 }), async (lines, size) => {
        const bytes = new TextEncoder().encode(lines);
        const slow = await readSlowly(bytes, size);
        const { scanned, ...read } = await readQuickly(bytes, size);
        expect(read).toEqual(slow);
        const { scanned: _, ...other } = await readQuickly(bytes, size, null, 'calls', 'memory');
        expect(other).toEqual(slow);
        all += read.runs.length;
        quick += scanned;
      }),
      { numRuns: 3000, seed: 5 },
    );
    // A scanner that leaves everything to the slow reader would pass as well.
    expect(quick / all).toBeGreaterThan(0.6);
  });

  it('reads every number as the slow reader does, whatever its digits', async () => {
    const number = fc.oneof(
      { weight: 4, arbitrary: fc.stringMatching(/^[0-9]{1,9}(\.[0-9]{1,10})?$/) },
      fc.stringMatching(/^-?[0-9]{1,17}(\.[0-9]{0,11})?([eE.][0-9]?)?$/),
      fc.constantFrom('null', '', '"1"', 'nul', '1é', '1.é', '.5', '12345678', '1234567.', '12345678.5', '0.00000001'),
    );
    const members = ['input_tokens', 'seconds', 'usd', 'steps'];
    const lines = fc.array(fc.tuple(fc.constantFrom(...members), number, fc.constantFrom('', ' ', ',"model":"m"')), {
      minLength: 1,
      maxLength: 20,
    });
    await fc.assert(
      fc.asyncProperty(lines, async (each) => {
        const text = each
          .map(
            ([name, value, more], at) => `{"id":"${at}","status":"running","passes":[{"${name}":${value}${more}}]}\n`,
          )
          .join('');
        const bytes = new TextEncoder().encode(text);
        const { scanned: _, ...read } = await readQuickly(bytes, 1000);
        expect(read).toEqual(await readSlowly(bytes, 1000));
      }),
      { numRuns: 1000, seed: 15 },
    );
  });

  it('reckons every day as it is parsed', async () => {
    const from = Date.parse('1968-01-01T00:00:00Z');
    const days = Array.from({ length: 366 * 140 }, (_, day) => new Date(from + day * 86_400_000).toISOString());
    const others = ['0000', '0001', '1900', '2100', '9999'].flatMap((year) =>
      ['01-01', '02-28', '02-29', '02-30', '02-31', '02-32', '03-00', '03-01', '04-31', '12-31', '13-01', '00-01'].map(
        (day) => `${year}-${day}T23:59:59Z`,
      ),
    );
    const text = [...days, ...others]
      .map((time, at) => `{"id":"${at}","status":"running","started_at":"${time}","passes":[]}\n`)
      .join('');
    const bytes = new TextEncoder().encode(text);
    const { scanned, ...read } = await readQuickly(bytes, 1 << 16);
    expect(read).toEqual(await readSlowly(bytes, 1 << 16));
    expect(scanned).toBeGreaterThan(days.length);
  });

  it('gives the same where the whole of some runs is asked for', async () => {
    await fc.assert(
      fc.asyncProperty(RECORD_LINES, fc.integer({ min: 1, max: 400 }), fc.nat({ max: 6 }), async (lines, size, odd) => {
        const bytes = new TextEncoder().encode(lines);
        const isAsked = (id: string): boolean => (id.codePointAt(0) ?? 0) % 7 === odd;
        const { scanned: _, ...read } = await readQuickly(bytes, size, isAsked);
        expect(read).toEqual(await readSlowly(bytes, size));
      }),
      { numRuns: 500, seed: 12 },
    );
  });

  it('leaves a line that goes on for very long to the reader of streams, and reads on as if it had not been', async () => {
    const record = (id: string, tokens: number): string =>
      `{"id":"${id}","status":"running","passes":[{"input_tokens":${tokens},"output_tokens":1,"seconds":1,"calls":[{"tool":"t"}]}]}\n`;
    const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
    const long = encode(
      `${record('a', 1)}${record('b', 2)}{"id":"c","status":"running","reason":"${'x'.repeat(20_000_000)}"}`,
    );
    const behind = encode(`${record('d', 4)}${record('e', 5)}`);
    for (const depth of ['figures', 'calls'] as const) {
      const table = createRunTable(depth);
      const reader = jsonl.openLines?.('runs.jsonl', {
        depth,
        asksForWhole: false,
        codeForTool: (tool) => table.codeForTool(tool),
        batch(batch) {
          table.addBatch(batch);
          return batch.runs;
        },
        item: () => expect.unreachable('no line is left to the slow reader'),
      });
      expect(reader?.readNow(source(long, 1 << 20), 0)).toBeNull();
      table.pack();
      expect(reader?.readNow(source(behind, 50), 3)).toBe(2);
      const slow = createRunTable(depth);
      for await (const item of jsonl.read(sourceOf(behind, 50), DEFAULT_READING)) if (!isProblem(item)) slow.add(item);
      const inPlace = comparable(slow).map((run) => ({
        ...run,
        origin: { ...run.origin, line: (run.origin.line ?? 0) + 3 },
      }));
      expect(comparable(table)).toEqual(inPlace);
    }
  });

  it('gives what each run came to where no more is asked for', async () => {
    await fc.assert(
      fc.asyncProperty(RECORD_LINES, fc.integer({ min: 1, max: 400 }), async (lines, size) => {
        const bytes = new TextEncoder().encode(lines);
        const { scanned: _, ...read } = await readQuickly(bytes, size, null, 'figures');
        expect(read).toEqual(await readSlowly(bytes, size, 'figures'));
      }),
      { numRuns: 500, seed: 31 },
    );
  });

  it('gives the same of runs so large that their columns are handed over in chunks', async () => {
    const figure = fc.constantFrom('', '0', '7', '250', '254', '255', '256', '70000', '5000000000');
    const member = (name: string, value: string): string => (value === '' ? '' : `"${name}":${value},`);
    const pass = fc
      .tuple(figure, figure, fc.constantFrom('', '0.5', '1234.000001', '0'), fc.constantFrom('', '"a"', '"b"'))
      .map(
        ([input, steps, seconds, digest]) =>
          `{"input_tokens":1,"output_tokens":${input === '' ? 'null' : input},${member('steps', steps)}${member('seconds', seconds)}"calls":[{"tool":"t${input}"${digest === '' ? '' : `,"result_digest":${digest}`}}]}`,
      );
    await fc.assert(
      fc.asyncProperty(
        fc.array(pass, { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 300 }),
        async (passes, times) => {
          const all = Array.from({ length: times * 20 }, (_, at) => passes[at % passes.length]).join(',');
          const lines = ['a', 'b', 'c'].map((id) => `{"id":"${id}","status":"running","passes":[${all}]}`).join('\n');
          const bytes = new TextEncoder().encode(lines);
          const { scanned, ...read } = await readQuickly(bytes, 100_000);
          expect(read).toEqual(await readSlowly(bytes, 100_000));
          expect(scanned).toBe(3);
        },
      ),
      { numRuns: 25, seed: 13 },
    );
  });

  it('gives the same of brackets that are lost or moved', async () => {
    const bracket = fc.constantFrom(...Buffer.from('{}[],:"'));
    await fc.assert(
      fc.asyncProperty(RECORD_LINES, fc.nat(), fc.nat(), bracket, async (lines, from, to, byte) => {
        const bytes = [...new TextEncoder().encode(lines)];
        const brackets = bytes.flatMap((each, index) => ('{}[],:"'.includes(String.fromCharCode(each)) ? [index] : []));
        if (brackets.length === 0) return;
        bytes.splice(brackets[from % brackets.length] as number, 1);
        bytes.splice(brackets[to % brackets.length] as number, 0, byte);
        const { scanned: _, ...read } = await readQuickly(Uint8Array.from(bytes), 97);
        expect(read).toEqual(await readSlowly(Uint8Array.from(bytes), 97));
      }),
      { numRuns: 3000, seed: 14 },
    );
  });

  it('gives the same of damaged bytes', async () => {
    const damage = fc.array(fc.tuple(fc.nat(), fc.constantFrom('set', 'cut', 'add'), fc.nat({ max: 255 })), {
      minLength: 1,
      maxLength: 3,
    });
    await fc.assert(
      fc.asyncProperty(RECORD_LINES, damage, async (lines, changes) => {
        let bytes = [...new TextEncoder().encode(lines)];
        for (const [at, kind, byte] of changes) {
          const place = at % (bytes.length + 1);
          if (kind === 'set') bytes[place] = byte;
          else
            bytes = [
              ...bytes.slice(0, place),
              ...(kind === 'add' ? [byte] : []),
              ...bytes.slice(place + (kind === 'cut' ? 1 : 0)),
            ];
        }
        const { scanned: _, ...read } = await readQuickly(Uint8Array.from(bytes), 97);
        expect(read).toEqual(await readSlowly(Uint8Array.from(bytes), 97));
      }),
      { numRuns: 3000, seed: 6 },
    );
  });

  it.each([
    [
      'as our writer writes it',
      '{"id":"a","status":"running","passes":[{"input_tokens":1,"output_tokens":2,"calls":[]}]}',
    ],
    ['with spaces', '{"id": "a", "status": "running", "passes": [{"input_tokens": 1, "output_tokens": 2}]}'],
    [
      'with contents in place of digests',
      '{"id":"a","status":"running","passes":[{"calls":[{"tool":"t","args":{"q":"x"},"result":"3 hits"}]}]}',
    ],
    [
      'with members that are not ours',
      '{"id":"a","project":{"name":"x"},"status":"running","passes":[{"note":[1,2]}]}',
    ],
    ['with text beyond ASCII', '{"id":"é","status":"running","labels":{"größe":"ü"},"passes":[]}'],
    ['without passes', '{"id":"a","status":"running","passes":null,"totals":{"passes":3}}'],
  ])('takes a record %s', (_, line) => {
    expect(isTaken(line)).toBe(true);
  });

  it.each([
    ['an escape in a name', '{"id":"\\u0061","status":"running"}'],
    ['a member twice', '{"id":"a","status":"running","id":"b"}'],
    ['an exponent', '{"id":"a","status":"running","passes":[{"seconds":1e1}]}'],
    ['a figure of too many digits', '{"id":"a","status":"running","passes":[{"seconds":0.12345678}]}'],
    [
      'a content beside its digest',
      '{"id":"a","status":"running","passes":[{"calls":[{"tool":"t","args":1,"args_digest":"d"}]}]}',
    ],
    ['a status that is none', '{"id":"a","status":"done"}'],
    ['a status of null', '{"id":"a","status":null}'],
    ['no id', '{"status":"running"}'],
    ['a call without a tool', '{"id":"a","status":"running","passes":[{"calls":[{}]}]}'],
    ['something behind the record', '{"id":"a","status":"running"} x'],
    ['a bracket that closes what was not opened', '{"id":"a","status":"running","passes":[}]}'],
    ['a pass that was not opened', '{"id":"a","status":"running","passes":[{"input_tokens":1},}]}'],
    ['a call that was not opened', '{"id":"a","status":"running","passes":[{"calls":[}]}]}'],
    ['a record that was not opened', '}'],
  ])('leaves %s to the slow reader', (_, line) => {
    expect(isTaken(line)).toBe(false);
  });
});

function isTaken(line: string): boolean {
  const scanner = createRecordScanner(() => 0, 'calls');
  const bytes = new TextEncoder().encode(`${line}\n`);
  scanner.load(bytes);
  return scanner.scan(0, bytes.length) === bytes.length;
}
