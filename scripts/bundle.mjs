// Joins the modules of the command line, as tsc wrote them, and the packages they stand on into a few files in place of
// dist/cli: Node 20 takes half a millisecond and more to find, read and link each module, and a command that stands on
// eight packages started 40 to 90 ms later where they stayed apart. What is optional stays apart, and the library's
// entries are not touched: who imports them has a bundler. And joins the program of the report page, with the packages it
// stands on, into one script that every page carries.
import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = `${root}/dist`;
const cli = `${dist}/cli`;

// The program and its threads, and what scripts/examples.mjs calls.
const ENTRIES = ['bin', 'block-worker', 'main', 'output'];

const { peerDependencies } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'));

/**
 * Two packages load what most runs of the program never need. string-width makes its rules when it is loaded, which takes
 * 25 to 35 ms, and plain text is measured without it: it is loaded by the first text that asks. Commander loads what
 * starts processes, and with it Node's network, for subcommands that are programs of their own, which there are none of:
 * 5 ms.
 */
const late = {
  name: 'late',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^string-width$/ }, ({ kind, importer, resolveDir }) =>
      kind === 'import-statement' && !importer.includes('node_modules')
        ? { path: 'string-width', namespace: 'late', pluginData: resolveDir }
        : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'late' }, ({ pluginData }) => ({
      contents: "let found; export default (text) => (found ??= require('string-width').default)(text);",
      resolveDir: pluginData,
    }));
    onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      importer.includes('node_modules/commander/') ? { path: 'child_process', namespace: 'none' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'none' }, () => ({ contents: 'module.exports = {};' }));
  },
};

// Beside each other: the `import.meta.url` of every part must lead to the same places as before.
const joined = `${dist}/cli-joined`;
const { metafile } = await build({
  entryPoints: ENTRIES.map((name) => `${cli}/${name}.js`),
  outdir: joined,
  bundle: true,
  splitting: true,
  plugins: [late],
  metafile: true,
  external: Object.keys(peerDependencies),
  // For packages that ask for parts of Node by `require`.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module';const require = requireFrom(import.meta.url);",
  },
  format: 'esm',
  platform: 'node',
  target: 'node20',
  minifySyntax: true,
  logOverride: { 'direct-eval': 'silent' },
});
rmSync(cli, { recursive: true, force: true });
renameSync(joined, cli);
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
