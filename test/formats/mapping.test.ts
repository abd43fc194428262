import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEFAULT_READING, type Format, isProblem, type ReadingOptions } from '../../src/formats/format.js';
import { appliesTo, type Mapping, mappedFormat, readMapping } from '../../src/formats/mapping/mapping.js';
import { recordOfRun } from '../../src/formats/record-writer.js';
import { stringifyJson } from '../../src/model/json.js';
import type { Problem } from '../../src/model/problem.js';
import type { Run } from '../../src/model/run.js';
import { itemsOf, sourceOf } from './conformance.js';

const FIXTURES = join(import.meta.dirname, 'fixtures/mapping');
const OWN_FILES = new Set(['mapping.yaml', 'expected.json', 'options.json']);

/** A mapping and the files that it is tried on; `expected.json` holds what they give, each derived by hand. */
interface Case {
  readonly folder: string;
  readonly mapping: Mapping;
  readonly files: ReadonlyMap<string, Buffer>;
  readonly options: ReadingOptions;
}

function read(text: string): Mapping {
  const { mapping, problems } = readMapping(text, 'mapping.yaml');
  expect(problems).toBeNull();
  return mapping as Mapping;
}

function caseIn(name: string): Case {
  const folder = join(FIXTURES, name);
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !OWN_FILES.has(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
  const options = join(folder, 'options.json');
  const given = existsSync(options) ? (JSON.parse(readFileSync(options, 'utf8')) as Partial<ReadingOptions>) : {};
  return {
    folder,
    mapping: read(readFileSync(join(folder, 'mapping.yaml'), 'utf8')),
    files: new Map(paths.map((path) => [path, readFileSync(join(folder, path))])),
    options: { ...DEFAULT_READING, ...given },
  };
}

const CASES = readdirSync(FIXTURES)
  .filter((name) => statSync(join(FIXTURES, name)).isDirectory())
  .sort()
  .map((name) => [name, caseIn(name)] as const);

async function readCase(each: Case, sizes?: readonly number[]): Promise<{ runs: unknown[]; problems: unknown[] }> {
  const format = mappedFormat(each.mapping);
  const items: (Run | Problem)[] = [];
  for (const [path, content] of each.files) {
    if (!appliesTo(each.mapping, path)) continue;
    expect(format.detect(content.toString('utf8'))).toBe(true);
    items.push(...(await itemsOf(format, sourceOf(path, content, sizes, each.files), each.options)));
  }
  return {
    runs: items.filter((item) => !isProblem(item)).map((run) => JSON.parse(stringifyJson(recordOfRun(run as Run)))),
    problems: items.filter(isProblem).map(({ place, reason }) => ({ ...place, reason })),
  };
}

describe('mappedFormat(mapping)', () => {
  test.each(CASES)('case %s gives the expected run records', async (_name, each) => {
    const reading = await readCase(each);
    const expected = join(each.folder, 'expected.json');
    if (!existsSync(expected) && process.env.GOLDEN === '1') {
      writeFileSync(expected, `${JSON.stringify(reading, null, 1)}\n`);
    }
    expect(reading).toEqual(JSON.parse(readFileSync(expected, 'utf8')));
  });

  test.each(CASES)('case %s: the same result whole or split at any byte', async (_name, each) => {
    const whole = await readCase(each);
    const sizes = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(sizes, async (cut) => {
        expect(await readCase(each, cut)).toEqual(whole);
      }),
      { seed: 42, numRuns: 4 },
    );
    expect(await readCase(each, [1])).toEqual(whole);
  });
});

/** Reads bytes as they are; the reader may not throw, and what it yields must be well formed. */
async function survives(format: Format, bytes: Uint8Array): Promise<void> {
  for (const item of await itemsOf(format, sourceOf('dir/input', bytes, [97]), DEFAULT_READING)) {
    if (isProblem(item)) expect(item.reason).not.toBe('');
    else expect(stringifyJson(recordOfRun(item))).not.toMatch(/NaN|Infinity/);
  }
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('bad input', () => {
  const formats = CASES.map(([, { mapping }]) => mappedFormat(mapping));
  const inputs = CASES.flatMap(([, { mapping, files }]) =>
    [...files.values()].map((content) => [mappedFormat(mapping), content] as const),
  );

  test('any bytes give problems or runs under any mapping, never a crash', async () => {
    const bytes = fc.oneof(fc.uint8Array({ maxLength: 200 }), fc.json().map(bytesOf), fc.string().map(bytesOf));
    await fc.assert(fc.asyncProperty(fc.constantFrom(...formats), bytes, survives), { seed: 42, numRuns: 400 });
  });

  test('recordings with bytes changed, lost or doubled give problems or runs, never a crash', async () => {
    const at = fc.double({ min: 0, max: 1, noNaN: true });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...inputs),
        at,
        fc.nat(2),
        fc.nat(255),
        ([format, content], part, kind, byte) => {
          const place = Math.floor(part * content.length);
          const [before, after] = [content.subarray(0, place), content.subarray(Math.min(content.length, place + 1))];
          const damaged = [before, Buffer.concat([before, Buffer.of(byte), after]), Buffer.concat([content, content])];
          return survives(format, damaged[kind] as Uint8Array);
        },
      ),
      { seed: 42, numRuns: 300 },
    );
  });

  test('values of a wrong kind anywhere give problems or runs, never a crash', async () => {
    const odd = fc.constantFrom<unknown>(null, -1, 1.5, 1e300, '', 'x', true, [], [[]], {}, { __proto__x: 1 }, [null]);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...inputs), fc.nat(), odd, ([format, content], nth, value) => {
        const values = [
          ...content.toString('utf8').matchAll(/(?<=[:[,] ?)(?:"(?:[^"\\]|\\.)*"(?! ?:)|-?[\d.]+|true|null)/g),
        ];
        const found = values[nth % Math.max(1, values.length)];
        if (found === undefined) return Promise.resolve();
        const [text, end] = [content.toString('utf8'), (found.index ?? 0) + found[0].length];
        return survives(format, bytesOf(text.slice(0, found.index) + JSON.stringify(value) + text.slice(end)));
      }),
      { seed: 42, numRuns: 300 },
    );
  });

  test('nothing of a hostile key reaches the prototype', async () => {
    const hostile = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},';
    for (const [format, content] of inputs) {
      await survives(format, bytesOf(content.toString('utf8').replace(/\{/g, hostile)));
    }
    await survives(formats[0] as Format, bytesOf('__proto__,constructor\n{},1\n'));
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test('labels of any name but one, those that objects inherit among them', async () => {
    const format = mappedFormat(
      read('capfit: map/v1\nid: id\nlabels: {constructor: a, toString: a, hasOwnProperty: b, length: b}\n'),
    );
    const [run] = await itemsOf(format, sourceOf('f', bytesOf('{"id":"x","a":"one","b":2}'), [100]), DEFAULT_READING);
    expect(run !== undefined && !isProblem(run) && [...run.labels]).toStrictEqual([
      ['constructor', 'one'],
      ['toString', 'one'],
      ['hasOwnProperty', '2'],
      ['length', '2'],
    ]);
  });

  test.each([
    ['jsonl', (records: readonly string[]) => records.join('\n'), 1],
    ['json', (records: readonly string[]) => `[\n${records.join(',\n')}\n]`, 2],
  ] as const)('in %s, N bad records give N problems with their lines', async (documents, written, firstLine) => {
    const format = mappedFormat(read(`capfit: map/v1\ndocuments: ${documents}\nid: id\ntotals: {passes: n}\n`));
    const bad = fc.constantFrom('{"id": 1', '{"id": "x", "n": -1}', '{"n": 1}', '{"id": tru}');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(fc.constant(null), bad), { maxLength: 12 }), async (drawn) => {
        // A record that does not end swallows the rest of a list, so it is no bad record of its own there.
        const kinds = documents === 'json' ? drawn.map((each) => (each === '{"id": 1' ? '{"n": 0}' : each)) : drawn;
        const text = written(kinds.map((each, index) => each ?? `{"id": "r${index}", "n": ${index}}`));
        const items = await itemsOf(format, sourceOf('f', bytesOf(text), [7]), DEFAULT_READING);
        const lines = kinds.flatMap((each, index) => (each === null ? [] : [index + firstLine]));
        expect(items.filter(isProblem).map((each) => each.place.line)).toEqual(lines);
        expect(items.filter((each) => !isProblem(each))).toHaveLength(kinds.length - lines.length);
      }),
      { seed: 42, numRuns: 60 },
    );
  });
});

describe('appliesTo(mapping, path)', () => {
  test.each([
    ['*.jsonl', 'a/b.jsonl', true],
    ['*.jsonl', 'b.jsonl.gz', true],
    ['*.jsonl', 'b.json', false],
    ['cost.json', '/x/run-1/cost.json', true],
    ['cost.json', '/x/run-1/xcost.json', false],
    ['tasks/*.json', 'set/tasks/t.json', true],
    ['tasks/*.json', 'set/other/t.json', false],
    ['tasks/*.json', 't.json', false],
    ['run-?.{json,jsonl}', 'run-1.jsonl', true],
    ['run-?.{json,jsonl}', 'run-12.jsonl', false],
    ['a+b(1).json', 'a+b(1).json', true],
    ['a.json', 'a-json', false],
  ])('files: %s, path %s: %s', (glob, path, expected) => {
    expect(appliesTo(read(`capfit: map/v1\nid: id\nfiles: ${JSON.stringify(glob)}\n`), path)).toBe(expected);
  });

  test('one of several globs is enough; without any, every file will do', () => {
    const several = read('capfit: map/v1\nid: id\nfiles: ["*.json", "*.csv"]\n');
    expect(['a.csv', 'a.json', 'a.txt'].map((path) => appliesTo(several, path))).toEqual([true, true, false]);
    expect(appliesTo(read('capfit: map/v1\nid: id\n'), '<stdin>')).toBe(true);
  });
});

describe('what a file is, by its content', () => {
  const detects = (documents: string, head: string): boolean =>
    mappedFormat(read(`capfit: map/v1\nid: id\n${documents}`)).detect(head);

  test.each([
    ['', '{"a": 1}', true],
    ['', '[1]', true],
    ['', 'a,b\n1,2', true],
    ['', '# A title\n\nprose, with a comma', false],
    ['', 'a\0b,c', false],
    ['documents: csv', 'a\n1\n', true],
    ['documents: json', 'a,b\n', false],
    ['documents: jsonl', 'broken\n{"a": 1}\n', true],
    ['documents: jsonl', 'a,b\n1,2\n', false],
  ])('%s %j: %s', (documents, head, expected) => expect(detects(documents, head)).toBe(expected));

  test('lines and documents are told apart, and one on one line is both', async () => {
    const lines = async (text: string): Promise<(number | null)[]> => {
      const items = await itemsOf(
        mappedFormat(read('capfit: map/v1\nid: a\n')),
        sourceOf('f', bytesOf(text)),
        DEFAULT_READING,
      );
      return items.map((item) => (isProblem(item) ? item.place.line : item.origin.line));
    };
    expect(await lines('{"a": 1}\n{"a": 2}\n')).toEqual([1, 2]);
    expect(await lines('{"a": 1,\n{"a": 2}\n{"a": 3}\n')).toEqual([1, 2, 3]);
    expect(await lines('{"a": 1}')).toEqual([1]);
    expect(await lines('{\n"a": 1\n}\n')).toEqual([null]);
    expect(await lines('\ufeff[\n{"a": 1},\n{"a": 2}\n]')).toEqual([2, 3]);
    expect(await lines('a,b\n1,2\n')).toEqual([2]);
  });
});
