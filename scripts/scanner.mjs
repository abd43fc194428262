// Compiles the scanner of run records from AssemblyScript to WebAssembly, and puts its bytes into a module of the source,
// so that one file less has to be found at run time and the sources run as they are.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'capfit-scanner-'));
const binary = join(folder, 'scanner.wasm');
const { error, stderr } = await asc.main([
  'src/formats/scan/assembly/record.ts',
  ...['--outFile', binary, '--baseDir', root],
  ...['-O3', '--enable', 'simd', '--runtime', 'stub', '--noAssert', '--use', 'abort='],
]);
if (error !== null) {
  process.stderr.write(stderr.toString());
  process.exit(1);
}
const base64 = readFileSync(binary).toString('base64');
rmSync(folder, { recursive: true });
writeFileSync(
  join(root, 'src/formats/scan/scanner-bytes.ts'),
  `// Made of assembly/ by scripts/scanner.mjs.\nexport const SCANNER =\n  '${base64}';\n`,
);
