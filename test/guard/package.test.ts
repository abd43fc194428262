import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

/** What `npm pack` would publish. */
function packedFiles(): Set<string> {
  const listed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const [{ files }] = JSON.parse(listed) as [{ files: { path: string }[] }];
  return new Set(files.map(({ path }) => path));
}

/** Every file that an entry loads, itself included, and what it asks for that is no file of ours. */
function closureOf(entry: string): { files: Set<string>; foreign: string[] } {
  const files = new Set<string>();
  const foreign: string[] = [];
  const visit = (file: string): void => {
    if (files.has(file)) return;
    files.add(file);
    const text = readFileSync(join(ROOT, file), 'utf8');
    for (const [, specifier = ''] of text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*["']([^"']+)["']/g)) {
      if (specifier.startsWith('.')) visit(join(dirname(file), specifier));
      else foreign.push(`${file}: ${specifier}`);
    }
  };
  visit(entry);
  return { files, foreign };
}

const { exports: published } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  exports: { [name: string]: string | { default: string } };
};
const entries = Object.entries(published).flatMap(([name, target]) =>
  name.startsWith('./guard') && typeof target === 'object' ? [target.default.slice(2)] : [],
);

test.each(entries)('%s is published and loads nothing but its own files', (entry) => {
  const packed = packedFiles();
  const { files, foreign } = closureOf(entry);
  expect(foreign).toEqual([]);
  expect([...files].filter((file) => !packed.has(file))).toEqual([]);
  expect(
    [...files].map((file) => file.split('/')[1]).filter((room) => !['guard', 'model', 'policy'].includes(room ?? '')),
  ).toEqual([]);
});

test('there is a guard entry', () => {
  expect(entries).toContain('dist/guard/index.js');
});
