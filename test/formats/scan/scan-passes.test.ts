import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvPasses } from '../../../src/formats/csv/csv.js';
import { joinCells } from '../../../src/formats/csv/csv-text.js';
import { ALONE, DEFAULT_READING, isProblem, type Source } from '../../../src/formats/format.js';
import type { Depth } from '../../../src/model/depth.js';
import type { Run } from '../../../src/model/run.js';
import { createRunTable } from '../../../src/model/table.js';
import { comparable, pieces, source } from './comparable.js';

function sourceOf(bytes: Uint8Array, size: number): Source {
  return { name: 'runs.csv', head: bytes.subarray(0, 65_536), bytes: pieces(bytes, size), around: ALONE };
}

/** `null`: there is something to be told. */
async function readSlowly(bytes: Uint8Array): Promise<Run[] | null> {
  const table = createRunTable();
  for await (const item of csvPasses.read(sourceOf(bytes, 1000), DEFAULT_READING)) {
    if (isProblem(item)) return null;
    table.add(item);
  }
  return comparable(table);
}

/** `null`: not plain. */
async function readQuickly(bytes: Uint8Array, size: number, depth: Depth = 'calls'): Promise<Run[] | null> {
  const table = createRunTable(depth);
  const reader = csvPasses.plain?.open(sourceOf(bytes, size), table, depth);
  const lines = reader?.read(source(bytes, size), true) ?? null;
  return lines === null ? null : comparable(table);
}

/** What the writer of a table may do. Mostly it does what is usual; `odd` is how often, in percent, it does not. */
interface Layout {
  readonly seed: number;
  readonly odd: number;
}

const COLUMNS = [
  ...['run_id', 'status', 'check', 'claim', 'reason', 'started_at', 'pass', 'input_tokens', 'output_tokens'],
  ...['cache_read_tokens', 'cache_write_tokens', 'seconds', 'usd', 'tool', 'args_digest', 'result_digest', 'error'],
  ...['steps', 'model', 'note', 'blocker', 'totals.tokens', 'label.agent', 'label.größe', 'recorded_under.passes'],
];

/** A table of passes as some program may write it. */
function tableOf({ seed, odd }: Layout): Uint8Array {
  const next = numbersOf(seed);
  const isOdd = () => next() % 100 < odd;
  const of = (usual: readonly string[], others: readonly string[] = []) =>
    ((words) => words[next() % words.length] as string)(isOdd() ? others.concat(usual) : usual);
  const columns = COLUMNS.filter((name) => ['run_id', 'status', 'pass'].includes(name) || next() % 8 !== 0);
  if (isOdd()) columns.sort(() => (next() % 3) - 1);
  if (isOdd()) columns.push(of(['run_id', 'label.agent', 'passes', 'label.agents', '']));
  const end = of(['\n', '\r\n'], ['\r']);
  const lines = [isOdd() ? joinCells(columns.map((name) => ` ${name}`)) : columns.join(',')];
  const runs = 1 + (next() % 5);
  for (let run = 0; run < runs; run++) {
    const [status = '', check = ''] = of(
      ['done_verified passed', 'stopped_budget failed', 'halted_error', 'running'],
      ['done_verified', 'done', ''],
    ).split(' ');
    const id = isOdd() ? of(['run-0', '', 'é', "'=x", '=x', "it's", 'a\\u000a', 'a"b', ' ']) : `run-${run}`;
    const fields: Record<string, string> = {
      ...{ run_id: id, status, check, claim: of(['', 'completed'], ['impossible', 'maybe']) },
      reason: of(['', 'passes'], ['tool, threw', 'a\\u0009b', 'ß', "'-x"]),
      started_at: of(
        ['', '2026-03-01T09:00:00Z'],
        [
          '2026-03-01',
          '1960-01-01T00:00:00Z',
          '2026-02-31T00:00:00Z',
          '2026-03-01T09:00:00.250Z',
          'soon',
          "'2026-03-01T09:00:00Z",
          '2026-03-01T09:00:61Z',
        ],
      ),
      blocker: of([''], ['12', '"x"', 'x']),
      'totals.tokens': of([''], ['12', 'x', '1e300']),
      'label.agent': of(['support', 'sales'], ['', 'größe', "'@x"]),
      'label.größe': of(['', '1']),
      'recorded_under.passes': of(['60', ''], ['0', '6.5', 'x']),
    };
    const passes = next() % 9 === 0 ? -1 : next() % 4;
    const rows: Record<string, string>[] = [];
    if (passes <= 0) rows.push({ pass: passes < 0 ? 'unknown' : '', model: of(['', 'm-1']), usd: of([''], ['0']) });
    for (let pass = 1; pass <= passes; pass++) {
      const figures = {
        pass: isOdd() ? of(['1', '2', '', 'unknown', '01', '1.0', ' 1', '0', '-1']) : String(pass),
        input_tokens: of(
          ['0', '17', '1234', '12345678', '123456789', ''],
          ['1.5', '007', '9007199254740991', 'null', 'x', ' 1'],
        ),
        output_tokens: of(['5', '812'], ['1e2', '', '12.0']),
        cache_read_tokens: of(['', '64'], ['-1']),
        cache_write_tokens: of([''], ['1']),
        seconds: of(
          ['5.03', '0', '12', '0.000001', '1234.5', ''],
          ['0.1234567', '.5', '5.', '123456789.123456', '1234567890.1'],
        ),
        usd: of(['', '0.0125', '0.123456789'], ['0.1234567891', '1234567.5', '123456.5']),
        steps: of(['', '3'], ['3.5']),
        model: of(['', 'm-1'], ['m"1', 'é']),
      };
      const calls = next() % 3;
      for (let call = 0; call < Math.max(1, calls); call++) {
        const other = isOdd() ? { seconds: of(['5.030', '7', '']), model: of(['m-2', '']), tool: '' } : {};
        rows.push({ ...figures, ...(calls === 0 ? {} : callOf(of)), ...other });
      }
    }
    for (const row of rows) {
      const moved = isOdd() ? { status: of(['running', 'done_verified']) } : {};
      const cells = columns.map(
        (name) =>
          (({ ...fields, ...row, ...moved }) as Record<string, string | undefined>)[name] ??
          (name === 'note' ? of(['', 'x'], ['a\\b', '"']) : ''),
      );
      if (isOdd()) cells.push('');
      const at = isOdd() ? next() % (lines.length + 1) : lines.length;
      const line = isOdd() ? joinCells(cells) : cells.join(',');
      lines.splice(Math.max(1, at), 0, line);
      if (isOdd()) lines.splice(next() % (lines.length + 1), 0, of(['', ' ', ',,', '\t']));
    }
  }
  const text = `${of([''], ['\ufeff'])}${lines.join(end)}${of([end, ''])}`;
  return new TextEncoder().encode(text);
}

function callOf(of: (usual: readonly string[], others?: readonly string[]) => string): Record<string, string> {
  return {
    tool: of(['search', 'read'], ['', 'écrire', "'=x", '=x', 'a\\u000ab']),
    args_digest: of(
      ['a', 'b', 'sha256:0a1b2c3d4e5f6071', 'sha256:0a1b2c3d4e5f6072', ''],
      ["'-a", '-a', '\\u0041', 'a\\u0007', 'é'],
    ),
    result_digest: of(['a', 'b', ''], ["'", '+', '\\']),
    error: of(['true', 'false', ''], ['True', 'FALSE', ' true', 'yes', 'trueish', '1']),
  };
}

/** Numbers of a seed, one after the other. */
function numbersOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state >>> 8;
  };
}

const LAYOUT = fc.record({ seed: fc.nat({ max: 0xffffffff }), odd: fc.constantFrom(0, 1, 3, 10) });

describe('the scanner of pass rows', () => {
  it('gives the runs of the slow reader or nothing, however the table is written', async () => {
    let good = 0;
    let quick = 0;
    await fc.assert(
      fc.asyncProperty(LAYOUT, fc.integer({ min: 1, max: 400 }), async (layout, size) => {
        const bytes = tableOf(layout);
        const slow = await readSlowly(bytes);
        const read = await readQuickly(bytes, size);
        if (slow !== null) good++;
        if (read === null) return;
        quick++;
        expect(read).toEqual(slow);
      }),
      { numRuns: 4000, seed: 7 },
    );
    // A scanner that leaves everything to the slow reader would pass as well.
    expect(quick / good).toBeGreaterThan(0.7);
  });

  it('gives the same of damaged bytes', async () => {
    const byte = fc.oneof(fc.nat({ max: 255 }), fc.constantFrom(...Buffer.from('\r\n,"\\\'=0 9\ufeff')));
    const damage = fc.array(fc.tuple(fc.nat(), fc.constantFrom('set', 'cut', 'add'), byte), {
      minLength: 1,
      maxLength: 2,
    });
    await fc.assert(
      fc.asyncProperty(LAYOUT, damage, async ({ seed }, changes) => {
        let bytes = [...tableOf({ seed, odd: 0 })];
        for (const [at, kind, value] of changes) {
          const place = at % (bytes.length + 1);
          const behind = bytes.slice(place + (kind === 'add' ? 0 : 1));
          bytes = [...bytes.slice(0, place), ...(kind === 'cut' ? [] : [value]), ...behind];
        }
        const read = await readQuickly(Uint8Array.from(bytes), 97);
        if (read !== null) expect(read).toEqual(await readSlowly(Uint8Array.from(bytes)));
      }),
      { numRuns: 4000, seed: 8 },
    );
  });

  it('leaves out of the calls what is not asked for', async () => {
    await fc.assert(
      fc.asyncProperty(LAYOUT, async (layout) => {
        const bytes = tableOf(layout);
        const whole = await readQuickly(bytes, 1000);
        const mapped = (change: (calls: Run['passes'] & object) => unknown) =>
          whole?.map((run) => ({ ...run, passes: run.passes === null ? null : change(run.passes) })) ?? null;
        const sums = createRunTable('figures');
        for (const run of whole ?? []) sums.add(run);
        expect(await readQuickly(bytes, 1000, 'figures')).toEqual(whole === null ? null : comparable(sums));
        const tools = mapped((passes) =>
          passes.map((pass) => ({
            ...pass,
            calls: pass.calls.map((call) => ({ ...call, argsDigest: null, resultDigest: null })),
          })),
        );
        expect(await readQuickly(bytes, 1000, 'passes')).toEqual(tools);
      }),
      { numRuns: 300, seed: 9 },
    );
  });

  it('reads the parts of a table like the whole', async () => {
    let cut = 0;
    await fc.assert(
      fc.asyncProperty(LAYOUT, fc.nat(), async (layout, at) => {
        const bytes = tableOf(layout);
        const whole = await readQuickly(bytes, 1000);
        const lineStart = bytes.indexOf(0x0a, at % bytes.length) + 1;
        const start = csvPasses.plain?.runStart(sourceOf(bytes, 1), bytes.subarray(lineStart)) ?? -1;
        if (lineStart === 0 || start === -1) return;
        const end = lineStart + start;
        const [table, part] = [createRunTable(), createRunTable()];
        const reader = csvPasses.plain?.open(sourceOf(bytes, 1), part, 'calls');
        const before = reader?.read(source(bytes.subarray(0, end), 50), true) ?? null;
        table.unpack(part.pack(), 0);
        const after = reader?.read(source(bytes.subarray(end), 50), false) ?? null;
        if (whole !== null) {
          cut++;
          expect([before, after]).not.toContain(null);
          table.unpack(part.pack(), before as number);
          expect(comparable(table)).toEqual(whole);
        }
      }),
      { numRuns: 500, seed: 10 },
    );
    expect(cut).toBeGreaterThan(50);
  });

  const HEAD = 'run_id,status,pass,input_tokens,output_tokens,tool,error,label.agent';
  it.each([
    ['as our writer writes it', `${HEAD}\na,running,1,10,5,search,false,x\na,running,2,12,5,,,x\n`],
    ['with line ends of two bytes', `${HEAD}\r\na,running,1,10,5,,,x\r\nb,running,1,10,5,,,x`],
    ['with several calls of a pass', `${HEAD}\na,running,1,10,5,search,,x\na,running,1,10,5,read,True,x\n`],
    ['with runs without passes', `${HEAD}\na,running,,,,,,x\nb,running,unknown,,,,,x\n`],
    ['with empty lines and a byte-order mark', `\ufeff\n${HEAD}\n\na,running,1,10,5,,,x\n\n`],
    ['with text beyond ASCII', `${HEAD}\né,running,1,10,5,écrire,,größe\n`],
    ['with the run behind its pass', 'pass,tool,status,run_id\n1,search,running,a\n2,,running,a\n1,,running,b'],
    ['without rows', `${HEAD}\n`],
  ])('takes a table %s', async (_, text) => {
    const bytes = new TextEncoder().encode(text);
    expect(await readQuickly(bytes, 7)).not.toBeNull();
    expect(await readQuickly(bytes, 7)).toEqual(await readSlowly(bytes));
  });

  it.each([
    ['quotes', `${HEAD}\n"a",running,1,10,5,,,x\n`],
    ['scattered runs', `${HEAD}\na,running,1,10,5,,,x\nb,running,1,10,5,,,x\na,running,2,10,5,,,x\n`],
    ['passes out of order', `${HEAD}\na,running,2,10,5,,,x\na,running,1,10,5,,,x\n`],
    ['a pass that is missing', `${HEAD}\na,running,1,10,5,,,x\na,running,3,10,5,,,x\n`],
    ['a label that differs', `${HEAD}\na,running,1,10,5,,,x\na,running,2,10,5,,,y\n`],
    ['figures of a pass that differ', `${HEAD}\na,running,1,10,5,t,,x\na,running,1,11,5,t,,x\n`],
    ['a row that is short', `${HEAD}\na,running,1,10,5,,\n`],
    ['a row that is long', `${HEAD}\na,running,1,10,5,,,x,\n`],
    ['a status that is none', `${HEAD}\na,done,1,10,5,,,x\n`],
    ['bytes that are no text', Uint8Array.from([...Buffer.from(`${HEAD}\na,running,1,10,5,,,`), 0xff, 0x0a])],
    ['a line end of another kind', `${HEAD}\na,running,1,10,5,,,x\r`],
  ])('leaves %s to the slow reader', async (_, table) => {
    expect(await readQuickly(typeof table === 'string' ? new TextEncoder().encode(table) : table, 50)).toBeNull();
  });
});
