// Joins the modules of the command line, as tsc wrote them, into a few files in place of dist/cli: Node 20 takes half a
// millisecond and more to find, read and link each of 280 modules. Packages stay apart, so that they can be replaced,
// and heavy ones load when they are used. The library's entries are not touched: who imports them has a bundler.
import { renameSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rollup } from 'rollup';

// `node scripts/bundle.mjs [FOLDER]`: elsewhere than dist, for trying out.
const dist = resolve(process.argv[2] ?? fileURLToPath(new URL('../dist', import.meta.url)));
const cli = `${dist}/cli`;

// The program and its threads, and what scripts/examples.mjs calls.
const ENTRIES = ['bin', 'part-worker', 'main', 'output'];

/** What commands have in common, most of which each of them needs. Left alone, it would fall into fifty files. */
const SHARED =
  /\/dist\/(?:(?:model|stats|policy|calibrate|replay|report|formats|engine)\/|cli\/(?!commands\/|bin|main|version|io|part-worker|command-line|program))/;
/** Readers of files that few commands meet, with the packages that they stand on. */
const BESIDE = /\/dist\/formats\/(?:mapping|policy|prices|verdicts|yaml\.js|inspect\/zstd-frames\.js)/;

const bundle = await rollup({
  input: ENTRIES.map((name) => `${cli}/${name}.js`),
  external: (id) => !/^[./]/.test(id),
});
const joined = `${dist}/cli-joined`;
await bundle.write({
  dir: joined,
  // Beside each other: their `import.meta.url` must lead to the same places as before.
  chunkFileNames: '[name]-[hash].js',
  manualChunks: (id) => (SHARED.test(id) && !BESIDE.test(id) ? 'shared' : null),
});
rmSync(cli, { recursive: true, force: true });
renameSync(joined, cli);
