import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const SRC = resolve(import.meta.dirname, '../src');

/** What each room may import of the others: the house's plan, one way only. */
const MAY_IMPORT: { readonly [room: string]: readonly string[] } = {
  model: [],
  stats: [],
  policy: ['model'],
  formats: ['model', 'policy'],
  synth: ['model', 'stats'],
  guard: ['model', 'policy'],
  calibrate: ['model', 'stats', 'policy'],
  exporters: ['model', 'policy'],
  replay: ['model', 'stats', 'policy', 'calibrate'],
  engine: ['model', 'stats', 'policy', 'calibrate'],
  report: ['model', 'stats', 'policy', 'calibrate', 'exporters', 'replay'],
  page: ['model', 'stats', 'policy', 'calibrate', 'exporters', 'replay', 'report'],
  cli: [
    'model',
    'stats',
    'policy',
    'formats',
    'synth',
    'guard',
    'calibrate',
    'exporters',
    'replay',
    'engine',
    'report',
  ],
};

const LONGEST_FILE = 250;
/** State of AssemblyScript can be changed by its own module only, so that what shares it stands together. */
const LONGEST_ASSEMBLY = 330;

interface Source {
  readonly path: string;
  readonly room: string;
  readonly text: string;
}

const sources: Source[] = readdirSync(SRC, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => {
    const path = relative(SRC, join(entry.parentPath, entry.name));
    return { path, room: path.split('/')[0] as string, text: readFileSync(join(SRC, path), 'utf8') };
  });
const inRooms = sources.filter(({ path }) => path !== 'index.ts');

/** Paths of our own files that a source imports, relative to src. */
function importsOf({ path, text }: Source): string[] {
  const specifiers = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']*)'/g)].map((match) => match[1] as string);
  return specifiers.map((specifier) => relative(SRC, resolve(SRC, dirname(path), specifier)));
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
}

describe('rooms of src', () => {
  test('every file stands in a known room', () => {
    expect(inRooms.filter(({ room }) => !(room in MAY_IMPORT)).map(({ path }) => path)).toEqual([]);
  });

  test('point one way only', () => {
    const wrong = inRooms.flatMap((source) =>
      importsOf(source)
        .map((target) => target.split('/')[0] as string)
        .filter((room) => room !== source.room && !(MAY_IMPORT[source.room] ?? []).includes(room))
        .map((room) => `${source.path} may not import ${room}`),
    );
    expect(wrong).toEqual([]);
  });

  test('no file imports itself through others', () => {
    const graph = new Map(
      sources.map((source) => [source.path, importsOf(source).map((path) => path.replace(/\.js$/, '.ts'))]),
    );
    const done = new Set<string>();
    const rings: string[] = [];
    const visit = (path: string, trail: readonly string[]): void => {
      if (trail.includes(path)) rings.push([...trail.slice(trail.indexOf(path)), path].join(' -> '));
      if (done.has(path) || trail.includes(path)) return;
      for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
      done.add(path);
    };
    for (const path of graph.keys()) visit(path, []);
    expect(rings).toEqual([]);
  });

  test('files stay short enough to read', () => {
    const long = sources
      .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
      .filter(({ path, lines }) => lines > (path.includes('/assembly/') ? LONGEST_ASSEMBLY : LONGEST_FILE));
    expect(long).toEqual([]);
  });

  test('packages are loaded late by a module of their own', () => {
    // Joined into what is built, a package that is loaded late gives no names. Those that are optional stay apart.
    const late = /\bimport\('(?!\.|@duckdb\/|@clickhouse\/)/;
    const wrong = sources.filter(({ text }) => late.test(withoutComments(text).replaceAll("typeof import('", '')));
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  test('only cli touches the world', () => {
    const effects =
      /\bprocess\.|\bconsole\.|\bDate\.now\b|\bMath\.random\b|new Date\(\)|node:(?:fs|net|http|child_process|os)/;
    expect(
      inRooms.filter(({ room, text }) => room !== 'cli' && effects.test(withoutComments(text))).map(({ path }) => path),
    ).toEqual([]);
  });
});
