// Compiles the scanners from AssemblyScript to WebAssembly, and puts their bytes into a module of the source, so that one
// file less has to be found at run time and the sources run as they are.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

/** What each is called in the module, and where it begins. */
export const SCANNERS = { SCANNER: 'record.ts', ROW_SCANNER: 'pass-rows.ts' };

const root = fileURLToPath(new URL('..', import.meta.url));

/** The text of the module, from what is compiled now. */
export async function scannerModule() {
  const folder = mkdtempSync(join(tmpdir(), 'capfit-scanner-'));
  try {
    let text = '// Made of assembly/ by scripts/scanner.mjs.\n';
    for (const [name, file] of Object.entries(SCANNERS))
      text += `export const ${name} =\n  '${await compiled(file, folder)}';\n`;
    return text;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(join(root, 'src/formats/scan/scanner-bytes.ts'), await scannerModule());
}

async function compiled(file, folder) {
  const binary = join(folder, `${file}.wasm`);
  const { error, stderr } = await asc.main([
    `src/formats/scan/assembly/${file}`,
    ...['--outFile', binary, '--baseDir', root],
    ...['-O3', '--enable', 'simd', '--runtime', 'stub', '--noAssert', '--use', 'abort='],
  ]);
  if (error === null) return readFileSync(binary).toString('base64');
  throw new Error(stderr.toString());
}
