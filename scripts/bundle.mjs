// Joins the modules of the command line, as tsc wrote them, into a few files in place of dist/cli: Node 20 takes half a
// millisecond and more to find, read and link each of 280 modules. Packages stay apart, so that they can be replaced.
// The library's entries are not touched: who imports them has a bundler. And joins the program of the report page, with
// the packages it stands on, into one script that every page carries.
import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const dist = fileURLToPath(new URL('../dist', import.meta.url));
const cli = `${dist}/cli`;

// The program and its threads, and what scripts/examples.mjs calls.
const ENTRIES = ['bin', 'block-worker', 'main', 'output'];

// Beside each other: the `import.meta.url` of every part must lead to the same places as before.
const joined = `${dist}/cli-joined`;
await build({
  entryPoints: ENTRIES.map((name) => `${cli}/${name}.js`),
  outdir: joined,
  bundle: true,
  splitting: true,
  packages: 'external',
  format: 'esm',
  platform: 'node',
  target: 'node20',
});
rmSync(cli, { recursive: true, force: true });
renameSync(joined, cli);

const source = fileURLToPath(new URL('../src/page', import.meta.url));
await build({
  entryPoints: [`${source}/app.ts`],
  outfile: `${dist}/page/script.js`,
  bundle: true,
  minify: true,
  format: 'iife',
  platform: 'browser',
  target: ['chrome109', 'firefox115', 'safari16.4'],
  charset: 'ascii',
  // A script element ends at the first of these, wherever it stands.
  supported: { 'inline-script': false },
  legalComments: 'none',
});
copyFileSync(`${source}/style.css`, `${dist}/page/style.css`);
