import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ALONE, DEFAULT_READING, isProblem, type Source } from '../../../src/formats/format.js';
import { jsonl } from '../../../src/formats/jsonl.js';
import { createLineSplitter } from '../../../src/formats/lines.js';
import { RecordScanner } from '../../../src/formats/scan/scan-record.js';
import type { Problem } from '../../../src/model/problem.js';
import type { Run } from '../../../src/model/run.js';
import { createRunTable } from '../../../src/model/table.js';
import { comparable, pieces } from './comparable.js';

function sourceOf(bytes: Uint8Array, size: number): Source {
  return { name: 'runs.jsonl', head: bytes.subarray(0, 65_536), bytes: pieces(bytes, size), around: ALONE };
}

interface Read {
  readonly runs: readonly Run[];
  readonly problems: readonly Problem[];
}

async function readSlowly(bytes: Uint8Array, size: number): Promise<Read> {
  const table = createRunTable();
  const problems: Problem[] = [];
  for await (const item of jsonl.read(sourceOf(bytes, size), DEFAULT_READING)) {
    if (isProblem(item)) problems.push(item);
    else table.add(item);
  }
  return { runs: comparable(table), problems };
}

async function readQuickly(bytes: Uint8Array, size: number): Promise<Read & { readonly scanned: number }> {
  const table = createRunTable();
  const problems: Problem[] = [];
  let scanned = 0;
  await jsonl.readInto?.(sourceOf(bytes, size), DEFAULT_READING, {
    depth: 'calls',
    codeForTool: (tool) => table.codeForTool(tool),
    draft(facts, draft) {
      scanned++;
      table.addDraft(facts, draft);
      return true;
    },
    item(item) {
      if (isProblem(item)) problems.push(item);
      else table.add(item);
    },
  });
  return { runs: comparable(table), problems, scanned };
}

const text = (): fc.Arbitrary<string> =>
  fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.string({ unit: 'grapheme', maxLength: 6 }),
    fc.constantFrom(
      '',
      'null',
      '12',
      '{"b":1,"a":[2]}',
      '"x"',
      ' true',
      '3 hits',
      'a\nb',
      'é',
      '\u0000',
      '\uffff',
      '1e400',
    ),
  );
const number = (): fc.Arbitrary<number | null> =>
  fc.oneof(
    fc.nat({ max: 100_000 }),
    fc.constantFrom(0, 1, 0.1, 5.03, 1.0000005, 1e-7, 1e21, 2 ** 53, 2 ** 53 - 1, -1, 4294967.295, 999999999.5, null),
    fc.double({ min: 0, max: 1e6, noNaN: true }),
  );
const content = (): fc.Arbitrary<unknown> => fc.oneof(text(), fc.jsonValue({ maxDepth: 2 }), fc.constant(null));
const rarely = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.option(value, { nil: undefined });

const CALL = fc.record(
  {
    tool: fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom('search', 'read', 'écrire') },
      { weight: 1, arbitrary: text() },
    ),
    args_digest: fc.oneof(fc.constantFrom('a', 'b', 'sha256:0a1b'), text(), fc.constant(null)),
    result_digest: fc.oneof(fc.constantFrom('a', 'b', 'sha256:0a1b'), fc.constant(null)),
    error: fc.constantFrom(true, false, null),
    args: rarely(content()),
    result: rarely(content()),
    note: rarely(fc.jsonValue({ maxDepth: 1 })),
  },
  { requiredKeys: ['tool'] },
);
const PASS = fc.record(
  {
    input_tokens: number(),
    output_tokens: fc.nat({ max: 5000 }),
    cache_read_tokens: number(),
    cache_write_tokens: fc.constant(0),
    seconds: number(),
    usd: number(),
    calls: fc.oneof(fc.array(CALL, { maxLength: 3 }), fc.constant(null)),
    steps: fc.nat({ max: 9 }),
    model: fc.constantFrom('m-1', null, ''),
    extra: fc.jsonValue({ maxDepth: 1 }),
  },
  { requiredKeys: [] },
);
const RECORD = fc.record(
  {
    id: fc.oneof({ weight: 9, arbitrary: fc.uuid() }, { weight: 1, arbitrary: text() }),
    status: fc.constantFrom('done_verified', 'done_claimed', 'stopped_budget', 'halted_error', 'running', null, 'done'),
    check: fc.constantFrom('passed', 'failed', 'none', null),
    claim: fc.constantFrom('completed', 'blocked', null),
    reason: fc.oneof(fc.constantFrom('passes', 'tool_threw', null), text()),
    labels: fc.oneof(
      fc.dictionary(
        fc.constantFrom('agent', 'task', 'größe'),
        fc.oneof(text(), fc.nat(), fc.boolean(), fc.constant(null)),
      ),
      fc.constant(null),
      fc.constant({ agent: { nested: 1 } }),
    ),
    started_at: fc.constantFrom(
      '2026-03-01T09:00:00Z',
      '2026-02-31T09:00:00Z',
      '2026-03-01T24:00:00Z',
      '2026-03-01',
      'soon',
      null,
    ),
    recorded_under: fc.constantFrom({ passes: 60 }, { passes: 0 }, {}, null),
    passes: fc.oneof(
      { weight: 8, arbitrary: fc.array(PASS, { maxLength: 4 }) },
      { weight: 1, arbitrary: fc.constant(null) },
    ),
    totals: rarely(fc.record({ passes: fc.nat({ max: 9 }), tokens: number() }, { requiredKeys: [] })),
    project: rarely(fc.jsonValue({ maxDepth: 2 })),
  },
  { requiredKeys: ['id', 'status'] },
);

/** JSON in the layout of some writer: spaces, escapes, other spellings of numbers, a member twice. */
function written(value: unknown, odd: () => number): string {
  const space = odd() % 4 === 0 ? ' ' : '';
  if (typeof value === 'string') {
    const plain = JSON.stringify(value);
    return odd() % 12 === 0 && value !== '' && /^[ -~]*$/.test(value)
      ? `"\\u${value.charCodeAt(0).toString(16).padStart(4, '0')}${JSON.stringify(value.slice(1)).slice(1)}`
      : plain;
  }
  if (typeof value === 'number')
    return odd() % 12 === 0 ? `${value}.0` : odd() % 20 === 0 ? `${value}e0` : String(value);
  if (Array.isArray(value)) return `[${space}${value.map((each) => written(each, odd)).join(`,${space}`)}]`;
  if (value === null || typeof value !== 'object') return String(value);
  const members = Object.entries(value).filter(([, each]) => each !== undefined);
  if (odd() % 8 === 0) members.reverse();
  const [first] = members;
  if (first !== undefined && odd() % 30 === 0) members.push(first);
  return `{${members.map(([key, each]) => `${JSON.stringify(key)}:${space}${written(each, odd)}`).join(`,${space}`)}}`;
}

/** Numbers of a seed, one after the other: the layout must not be shrunk together with the values. */
function numbersOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state >>> 8;
  };
}

const LINES = fc
  .tuple(fc.array(RECORD, { minLength: 1, maxLength: 5 }), fc.nat(), fc.constantFrom('\n', '\r\n'))
  .map(([records, seed, end]) => {
    const odd = numbersOf(seed);
    return records.map((record) => written(record, odd)).join(end) + (odd() % 2 === 0 ? end : '');
  });

describe('the scanner of run records', () => {
  it('gives the runs and the problems of the slow reader, however the records are written', async () => {
    let all = 0;
    let quick = 0;
    await fc.assert(
      fc.asyncProperty(LINES, fc.integer({ min: 1, max: 400 }), async (lines, size) => {
        const bytes = new TextEncoder().encode(lines);
        const { scanned, ...read } = await readQuickly(bytes, size);
        expect(read).toEqual(await readSlowly(bytes, size));
        all += read.runs.length;
        quick += scanned;
      }),
      { numRuns: 3000, seed: 5 },
    );
    // A scanner that leaves everything to the slow reader would pass as well.
    expect(quick / all).toBeGreaterThan(0.6);
  });

  it('gives the same of damaged bytes', async () => {
    const damage = fc.array(fc.tuple(fc.nat(), fc.constantFrom('set', 'cut', 'add'), fc.nat({ max: 255 })), {
      minLength: 1,
      maxLength: 3,
    });
    await fc.assert(
      fc.asyncProperty(LINES, damage, async (lines, changes) => {
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
    expect(scanOf(line)).not.toBeNull();
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
  ])('leaves %s to the slow reader', (_, line) => {
    expect(scanOf(line)).toBeNull();
  });
});

function scanOf(line: string): unknown {
  const scanner = new RecordScanner(() => 0);
  let scanned: unknown;
  createLineSplitter().push(new TextEncoder().encode(`${line}\n`), (raw) => {
    scanned = scanner.scan(raw, { file: 'runs.jsonl', line: 1 });
  });
  return scanned;
}
