import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  DEFAULT_READING,
  type Format,
  isProblem,
  type Neighbours,
  type ReadingOptions,
  type Source,
} from '../../src/formats/format.js';
import { formatOfLine } from '../../src/formats/index.js';
import { recordOfRun } from '../../src/formats/record-writer.js';
import { isJsonObject, parseJson, stringifyJson } from '../../src/model/json.js';
import type { Problem } from '../../src/model/problem.js';
import type { Run } from '../../src/model/run.js';

/**
 * The suite that every reader of foreign recordings runs.
 *
 * A case is a folder test/formats/fixtures/<format id>/<case>/ with the input files, an `expected.json` and, where
 * counting choices matter, an `options.json` (ReadingOptions, partly). The inputs are all other files, those in
 * sub-folders included. `expected.json` holds `{"runs": [run records], "problems": [{"file", "line", "reason"}]}`;
 * a missing one is written from what the reader gives when GOLDEN=1 is set, to be read and corrected by hand.
 */
export interface Conformance {
  readonly format: Format;
  /** Why a check does not apply to this format. */
  readonly skip?: { readonly splitting?: string };
}

const FIXTURES = join(import.meta.dirname, 'fixtures');
const HEAD_BYTES = 65_536;
const OWN_FILES = new Set(['expected.json', 'options.json']);

/** Files that are read together, and how. */
export interface Case {
  readonly name: string;
  readonly folder: string;
  readonly files: readonly string[];
  readonly options: ReadingOptions;
}

/** The cases of a format, in order. */
export function casesOf(id: string): Case[] {
  const folder = join(FIXTURES, id);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => statSync(join(folder, name)).isDirectory())
    .sort()
    .map((name) => caseIn(join(folder, name), name));
}

function caseIn(folder: string, name: string): Case {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => !OWN_FILES.has(path))
    .sort();
  const options = join(folder, 'options.json');
  const given = existsSync(options) ? (JSON.parse(readFileSync(options, 'utf8')) as Partial<ReadingOptions>) : {};
  return { name, folder, files, options: { ...DEFAULT_READING, ...given } };
}

/** A source over bytes in memory, in chunks of the given sizes (the last one repeats), with files around it. */
export function sourceOf(
  name: string,
  content: Uint8Array,
  sizes: readonly number[] = [HEAD_BYTES],
  files: ReadonlyMap<string, Uint8Array> = new Map(),
): Source {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (let at = 0, turn = 0; at < content.length; turn++) {
      const size = Math.max(1, sizes[Math.min(turn, sizes.length - 1)] ?? HEAD_BYTES);
      yield content.subarray(at, at + size);
      at += size;
    }
  }
  const head = content.subarray(0, HEAD_BYTES);
  return { name, head, bytes: chunks(), around: neighbours(name, files), formatOf: formatOfLine };
}

function neighbours(name: string, files: ReadonlyMap<string, Uint8Array>): Neighbours {
  const at = (path: string): string => normalize(join(dirname(name), path));
  return {
    open: async (path) => {
      const content = files.get(at(path));
      return content === undefined ? null : sourceOf(at(path), content, [HEAD_BYTES], files);
    },
    list: async (folder) =>
      [...files.keys()]
        .filter((path) => dirname(path) === at(folder).replace(/\/$/, ''))
        .map((path) => path.slice(path.lastIndexOf('/') + 1))
        .sort(),
    isInput: (path) => files.has(at(path)),
  };
}

/** Everything a format yields for one source. */
export async function itemsOf(format: Format, source: Source, options: ReadingOptions): Promise<(Run | Problem)[]> {
  const items: (Run | Problem)[] = [];
  for await (const item of format.read(source, options)) items.push(item);
  return items;
}

interface Reading {
  readonly runs: object[];
  readonly problems: object[];
}

function plain(items: readonly (Run | Problem)[]): Reading {
  return {
    runs: items
      .filter((item): item is Run => !isProblem(item))
      .map((run) => JSON.parse(stringifyJson(recordOfRun(run)))),
    problems: items.filter(isProblem).map(({ place, reason }) => ({ ...place, reason })),
  };
}

/** Reads all files of a case that the format claims, as one folder. */
async function readCase(format: Format, each: Case, sizes?: readonly number[]): Promise<Reading> {
  const files = new Map(each.files.map((path) => [path, readFileSync(join(each.folder, path))]));
  const items: (Run | Problem)[] = [];
  for (const [path, content] of files) {
    if (!format.detect(headText(content))) continue;
    items.push(...(await itemsOf(format, sourceOf(path, content, sizes, files), each.options)));
  }
  return plain(items);
}

function headText(content: Uint8Array): string {
  return new TextDecoder().decode(content.subarray(0, HEAD_BYTES));
}

/** Runs the suite. */
export function conform({ format, skip = {} }: Conformance): void {
  const cases = casesOf(format.id);

  describe(`${format.id} conforms`, () => {
    test('has cases', () => expect(cases.length).toBeGreaterThan(0));

    test.each(cases.map((each) => [each.name, each] as const))(
      'case %s gives the expected run records',
      async (_name, each) => {
        const reading = await readCase(format, each);
        const expected = join(each.folder, 'expected.json');
        if (!existsSync(expected) && process.env.GOLDEN === '1')
          writeFileSync(expected, `${JSON.stringify(reading, null, 1)}\n`);
        expect(reading).toEqual(JSON.parse(readFileSync(expected, 'utf8')));
      },
    );

    test.skipIf(skip.splitting !== undefined).each(cases.map((each) => [each.name, each] as const))(
      'case %s: the same result whole or split at any byte',
      async (_name, each) => {
        const whole = await readCase(format, each);
        const sizes = fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 4 });
        await fc.assert(
          fc.asyncProperty(sizes, async (cut) => {
            expect(await readCase(format, each, cut)).toEqual(whole);
          }),
          { seed: 42, numRuns: 8 },
        );
        expect(await readCase(format, each, [1])).toEqual(whole);
      },
    );

    test('any bytes give problems or runs, never a crash', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.oneof(fc.uint8Array({ maxLength: 300 }), fc.json().map(bytesOf), fc.string().map(bytesOf)),
          (bytes) => survives(format, bytes),
        ),
        { seed: 42, numRuns: 300 },
      );
    });

    test('a recording with bytes changed, lost or doubled gives problems or runs, never a crash', async () => {
      const inputs = cases.flatMap((each) => each.files.map((path) => readFileSync(join(each.folder, path))));
      const change = fc.record({
        pick: fc.nat(),
        at: fc.double({ min: 0, max: 1, noNaN: true }),
        kind: fc.nat({ max: 3 }),
        byte: fc.nat({ max: 255 }),
      });
      await fc.assert(
        fc.asyncProperty(change, ({ pick, at, kind, byte }) =>
          survives(format, damage(inputs[pick % inputs.length] as Buffer, at, kind, byte)),
        ),
        { seed: 42, numRuns: 300 },
      );
    });

    test('values of a wrong kind anywhere give problems or runs, never a crash', async () => {
      const documents = cases.flatMap((each) =>
        each.files.flatMap((path) => documentsIn(readFileSync(join(each.folder, path)))),
      );
      const odd = fc.constantFrom<unknown>(
        null,
        -1,
        1.5,
        1e300,
        '',
        'x',
        true,
        [],
        [[]],
        {},
        { toString: 1, valueOf: 1 },
        [{ toString: 1 }],
        [null],
      );
      await fc.assert(
        fc.asyncProperty(fc.nat(), fc.nat(), odd, (pick, at, value) => {
          if (documents.length === 0) return Promise.resolve();
          return survives(format, bytesOf(replaceNth(documents[pick % documents.length] as string, at, value)));
        }),
        { seed: 42, numRuns: 500 },
      );
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    });

    test('nothing of a hostile key reaches the prototype', async () => {
      for (const each of cases) {
        for (const path of each.files) {
          const text = readFileSync(join(each.folder, path), 'utf8').replace(
            /\{/g,
            '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},',
          );
          await survives(format, bytesOf(text));
        }
      }
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    });
  });
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Reads bytes as they are; the reader may not throw, and what it yields must be well formed. */
async function survives(format: Format, bytes: Uint8Array): Promise<void> {
  const items = await itemsOf(format, sourceOf('input', bytes, [97]), DEFAULT_READING);
  for (const item of items) {
    if (isProblem(item)) expect(item.reason).not.toBe('');
    else expect(stringifyJson(recordOfRun(item))).not.toMatch(/NaN|Infinity/);
  }
}

function damage(content: Buffer, at: number, kind: number, byte: number): Uint8Array {
  const place = Math.floor(at * content.length);
  if (kind === 0) return content.subarray(0, place);
  if (kind === 1) return Buffer.concat([content.subarray(0, place), Buffer.from([byte]), content.subarray(place + 1)]);
  if (kind === 2)
    return Buffer.concat([content.subarray(0, place), content.subarray(Math.min(content.length, place + byte))]);
  return Buffer.concat([content, content]);
}

/** The JSON texts of a file: the whole, or its lines. */
function documentsIn(content: Buffer): string[] {
  const isJson = (text: string): boolean => {
    try {
      return typeof parseJson(text) === 'object';
    } catch {
      return false;
    }
  };
  const text = content.toString('utf8');
  return isJson(text) ? [text] : text.split('\n').filter((line) => line !== '' && isJson(line));
}

/** The document with the n-th of its values (modulo their number) replaced. */
function replaceNth(document: string, n: number, replacement: unknown): string {
  const root = JSON.parse(document) as unknown;
  const slots: { holder: { [key: string]: unknown } | unknown[]; key: string }[] = [];
  const visit = (value: unknown): void => {
    if (!Array.isArray(value) && !isJsonObject(value)) return;
    for (const [key, child] of Object.entries(value as object)) {
      slots.push({ holder: value as { [key: string]: unknown }, key });
      visit(child);
    }
  };
  visit(root);
  const slot = slots[n % Math.max(1, slots.length)];
  if (slot !== undefined) (slot.holder as { [key: string]: unknown })[slot.key] = replacement;
  return JSON.stringify(root);
}
