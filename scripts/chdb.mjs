// Installs chDB, ClickHouse of today inside a process, that the questions to ClickHouse are tested against. It is kept
// out of the project's own dependencies: it takes half a gigabyte, and nobody who uses capfit needs it. Nothing is done
// where the pinned version is there; without it the tests are skipped and say so.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const VERSION = '3.4.0';
const folder = fileURLToPath(new URL('../node_modules/.cache/chdb', import.meta.url));

if (installed() === VERSION) {
  console.log(`chDB ${VERSION} is there`);
} else {
  mkdirSync(folder, { recursive: true });
  // A manifest of its own, so that npm installs here and not into the project.
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: { chdb: VERSION } }));
  const { status } = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  const isThere = status === 0 && installed() === VERSION;
  console.log(isThere ? `chDB ${VERSION} was installed` : `chDB ${VERSION} could not be installed`);
  process.exitCode = isThere ? 0 : 1;
}

function installed() {
  try {
    return JSON.parse(readFileSync(join(folder, 'node_modules/chdb/package.json'), 'utf8')).version;
  } catch {
    return null;
  }
}
