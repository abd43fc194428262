// running: the process dies in the middle of a run. No exit fired, and the record that was opened says so.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runAgent } from './loop.mjs';
import { stubWorld } from './stub.mjs';

const [record] = process.argv.slice(2);
if (record === undefined) readWhatIsLeft();
else await runAndDie();

async function runAndDie() {
  const usage = { input_tokens: 900, output_tokens: 100 };
  const search = { tool_calls: [{ tool: 'search', args: { page: 1 } }], usage };
  const { world } = stubWorld({
    script: [{ model: search, tools: [{ result: 'hits of page 1' }] }, { model: search }],
  });
  const save = (report) => writeFileSync(record, JSON.stringify(report, null, 2));
  const model = (messages) => (messages.length > 1 ? process.kill(process.pid, 'SIGKILL') : world.model(messages));
  await runAgent({ capfit: 'policy/v1', caps: { passes: 10 } }, { ...world, save, model });
}

function readWhatIsLeft() {
  const folder = mkdtempSync(join(tmpdir(), 'capfit-running-'));
  const file = join(folder, 'record.json');
  spawnSync(process.execPath, [fileURLToPath(import.meta.url), file]);
  console.log(readFileSync(file, 'utf8'));
  rmSync(folder, { recursive: true });
}
