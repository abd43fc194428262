import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
export const CAPFIT = join(ROOT, 'dist/cli/bin.js');

/** The sets of recorded runs: the worked example, and two of its profile. */
export const SETS = {
  s: { runs: 400, file: join(ROOT, 'datasets/worked-example/runs.jsonl') },
  m: { runs: 100_000, seed: 7 },
  l: { runs: 1_000_000, seed: 8 },
};

/** The path of a set in a form; made where it is not there yet. */
export function dataFile(folder, set, form) {
  const { runs, seed, file } = SETS[set];
  if (form === 'jsonl' && file !== undefined) return file;
  const path = join(folder, `${set}.${form}`);
  if (existsSync(path)) return path;
  mkdirSync(folder, { recursive: true });
  // A file that is half written when somebody stops the benchmark must not be taken for a whole one.
  const draft = join(folder, `${set}-draft.${form}`);
  const source = form === 'jsonl' ? null : dataFile(folder, set, 'jsonl');
  console.error(`making ${path}`);
  if (source === null) capfit(['generate', '--runs', runs, '--seed', seed, '-o', draft]);
  else capfit(['convert', source, '-o', draft]);
  renameSync(draft, path);
  return path;
}

function capfit(args) {
  const { status } = spawnSync(process.execPath, [CAPFIT, ...args, '--quiet'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error(`capfit ${args.join(' ')} failed`);
}
