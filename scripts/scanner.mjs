// Compiles the scanners from AssemblyScript to WebAssembly, and puts their bytes into a module of the source, so that one
// file less has to be found at run time and the sources run as they are.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

/** What each is called in the module, and where it begins. */
const SCANNERS = { SCANNER: 'record.ts', ROW_SCANNER: 'pass-rows.ts' };

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'capfit-scanner-'));
const modules = [];
for (const [name, file] of Object.entries(SCANNERS))
  modules.push(`export const ${name} =\n  '${await compiled(file)}';\n`);
rmSync(folder, { recursive: true });
writeFileSync(
  join(root, 'src/formats/scan/scanner-bytes.ts'),
  `// Made of assembly/ by scripts/scanner.mjs.\n${modules.join('')}`,
);

async function compiled(file) {
  const binary = join(folder, `${file}.wasm`);
  const { error, stderr } = await asc.main([
    `src/formats/scan/assembly/${file}`,
    ...['--outFile', binary, '--baseDir', root],
    ...['-O3', '--enable', 'simd', '--runtime', 'stub', '--noAssert', '--use', 'abort='],
  ]);
  if (error === null) return readFileSync(binary).toString('base64');
  process.stderr.write(stderr.toString());
  process.exit(1);
}
