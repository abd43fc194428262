// Joins the modules of the command line, as tsc wrote them, and the packages they stand on into a few files in place of
// dist/cli: Node 20 takes half a millisecond and more to find, read and link each module, and a command that stands on
// eight packages started 40 to 90 ms later where they stayed apart. What is optional stays apart, and the library's
// entries are not touched: who imports them has a bundler. And joins the program of the report page, with the packages it
// stands on, into one script that every page carries.
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';
import { rollup } from 'rollup';
import { groupsOf } from './bundle/groups.mjs';
import { late } from './bundle/late.mjs';

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const dist = `${root}/dist`;
const cli = `${dist}/cli`;

// The program and its threads, and what scripts/examples.mjs calls.
const ENTRIES = ['bin', 'block-worker', 'main', 'output'];

const { peerDependencies } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'));

// Of an earlier build: what tsc wrote is of the newer kind.
rmSync(`${cli}/package.json`, { force: true });

// First by esbuild, which knows packages of either kind, into a part for each set of entries that needs it.
const { metafile, outputFiles } = await build({
  entryPoints: ENTRIES.map((name) => `${cli}/${name}.js`),
  outdir: cli,
  bundle: true,
  splitting: true,
  write: false,
  metafile: true,
  absWorkingDir: root,
  plugins: [late],
  external: Object.keys(peerDependencies),
  format: 'esm',
  platform: 'node',
  target: 'node20',
  logOverride: { 'direct-eval': 'silent' },
});

// Then by rollup, which joins parts as it is told, into modules of the older kind: `derive --json` starts 30 ms sooner.
// Node reads them at once where it reads the newer kind piece by piece, and needs no second loader for them.
const parts = new Map(outputFiles.map(({ path, text }) => [path, text]));
const joined = await rollup({
  input: Object.fromEntries(ENTRIES.map((name) => [name, `${cli}/${name}.js`])),
  external: (id) => !/^[./]/.test(id),
  treeshake: false,
  plugins: [
    {
      name: 'parts',
      resolveId: (id, importer) =>
        importer === undefined || !id.startsWith('.') ? null : fileURLToPath(new URL(id, `file://${importer}`)),
      load: (id) => parts.get(id) ?? null,
      // Every module that asks stands in dist/cli.
      resolveImportMeta: (property) =>
        property === 'url' ? "require('node:url').pathToFileURL(__filename).href" : null,
    },
  ],
  onwarn({ code, message }) {
    if (code !== 'EVAL') throw new Error(message);
  },
});
const groups = groupsOf(metafile, root);
const { output } = await joined.generate({
  format: 'cjs',
  exports: 'named',
  entryFileNames: '[name].js',
  chunkFileNames: '[name].js',
  manualChunks: (id) => groups.get(id),
  hoistTransitiveImports: false,
});
rmSync(cli, { recursive: true, force: true });
mkdirSync(cli);
for (const { fileName, code } of output) {
  // Names stay, for who reads a stack; without blanks and comments the parts load 3 ms sooner.
  const { code: small } = await transform(code, { minifyWhitespace: true, minifySyntax: true, target: 'node20' });
  writeFileSync(`${cli}/${fileName}`, small);
}
writeFileSync(`${cli}/package.json`, `${JSON.stringify({ type: 'commonjs' })}\n`);
writeFileSync(`${cli}/LICENSES.txt`, licencesOf(Object.keys(metafile.inputs)));

/** The licence of each package that was joined in, as it asks for. */
function licencesOf(files) {
  const packages = new Set(files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []));
  const texts = [...packages].sort().map((folder) => {
    const path = `${root}/${folder}`;
    const { name, version, license } = JSON.parse(readFileSync(`${path}/package.json`, 'utf8'));
    const file = ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'license', 'LICENCE'].find((each) =>
      existsSync(`${path}/${each}`),
    );
    const text = file === undefined ? `Licence: ${license}\n` : readFileSync(`${path}/${file}`, 'utf8');
    return `${name} ${version}\n\n${text}`;
  });
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}

const source = `${root}/src/page`;
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
