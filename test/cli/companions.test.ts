import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { capfit, put, scratchFolder } from './harness.js';

const FIXTURES = join(import.meta.dirname, '../formats/fixtures');
const SESSION = 'b1b1b1b1-0000-4000-8000-000000000001';

const RESULT = JSON.stringify({
  id: 'trial-1',
  task_name: 'acme/task',
  trial_name: 'task__1',
  task_checksum: 'x',
  agent_info: { name: 'agent', version: '1' },
  agent_result: { n_input_tokens: 900, n_cache_tokens: null, n_output_tokens: 100, cost_usd: null },
  verifier_result: { rewards: { reward: 1 } },
  exception_info: null,
  started_at: '2026-02-03T10:00:00Z',
  finished_at: '2026-02-03T10:05:00Z',
});

const TRAJECTORY = JSON.stringify({
  schema_version: 'ATIF-v1.6',
  session_id: SESSION,
  agent: { name: 'agent', version: '1', model_name: 'm' },
  steps: [
    { step_id: 1, source: 'user', message: 'go' },
    {
      step_id: 2,
      source: 'agent',
      model_name: 'm',
      message: 'done',
      metrics: { prompt_tokens: 900, completion_tokens: 100 },
    },
  ],
});

function fixture(path: string): string {
  return readFileSync(join(FIXTURES, path), 'utf8');
}

const CLAUDE = fixture('claude-code/limits/max-turns.jsonl');
const CODEX = fixture('codex/cache-writes/rollout-2026-03-01T09-00-00-019ca8bd-3c60-7043-8043-000000000043.jsonl');

/** What agents leave in the folder of a trial, by where it is put there. */
const LOGS: { readonly [path: string]: string } = {
  'agent/trajectory.json': TRAJECTORY,
  'agent/sessions/projects/-app/5e55.jsonl': CLAUDE,
  'agent/sessions/projects/-app/5e55/subagents/agent-1.jsonl': CLAUDE,
  'agent/claude-code.txt': fixture('claude-stream-json/duplicates/out.jsonl'),
  'agent/sessions/2026/03/01/rollout.jsonl': CODEX,
  'agent/openclaw-session.jsonl': fixture('openclaw/finished/s.jsonl'),
  'agent/openclaw-sessions/s.jsonl': fixture('openclaw/finished/s.jsonl'),
  'agent/swe-agent.trajectory.json': fixture('swe-agent/0x-submitted/acme__shop-17.traj'),
  'steps/first/agent/sessions/2026/03/01/rollout.jsonl': CODEX,
};

const base = scratchFolder();
let folders = 0;

function folderOf(files: { readonly [path: string]: string }): string {
  const folder = join(base, String(folders++));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    put(folder, path, content);
  }
  return folder;
}

async function runsOf(...argv: string[]): Promise<{ runs: number; err: string }> {
  const { out, err } = await capfit(['audit', '--json', ...argv]);
  return { runs: JSON.parse(out).runs, err };
}

describe("an agent's logs in the folder of a Harbor trial", () => {
  test('are read by themselves without the trial', async () => {
    for (const [path, content] of Object.entries(LOGS)) {
      expect([path, (await runsOf(folderOf({ [path]: content }))).runs]).not.toEqual([path, 0]);
    }
  });

  test.each(Object.keys(LOGS))('%s: the trial alone is counted', async (path) => {
    const folder = folderOf({ 'result.json': RESULT, [path]: LOGS[path] as string });
    expect(await runsOf(folder)).toEqual({
      runs: 1,
      err: '1 file counted as part of a Harbor trial or trajectory, not apart (--verbose lists them)\n',
    });
    expect((await runsOf(folder, '--verbose')).err).toBe(
      `1 file counted as part of a Harbor trial or trajectory, not apart:\n  ${join(folder, path)}\n`,
    );
  });

  test('are read by themselves where the trial is no input, or its result is none', async () => {
    const folder = folderOf({ 'result.json': RESULT, 'agent/log.jsonl': CLAUDE });
    expect(await runsOf(join(folder, 'agent'))).toEqual({ runs: 1, err: '' });
    const job = folderOf({ 'result.json': '{"id": "job", "n_total_trials": 1}', 'agent/log.jsonl': CLAUDE });
    expect((await runsOf(job)).runs).toBe(1);
  });

  test('are read by themselves where the user says what they are: then the trial is no trial', async () => {
    const folder = folderOf({ 'result.json': RESULT, 'agent/trajectory.json': TRAJECTORY });
    expect((await runsOf(folder, '--from', 'atif')).runs).toBe(1);
  });

  test('our own records are no logs', async () => {
    const own = '{"id": "own", "status": "running", "passes": []}\n';
    expect((await runsOf(folderOf({ 'result.json': RESULT, 'agent/runs.jsonl': own }))).runs).toBe(2);
  });
});

describe('a session beside the trajectory that was made of it', () => {
  const claude = CLAUDE.replaceAll(/"sessionId":"[^"]*"/g, `"sessionId":"${SESSION}"`);

  test('is not counted once more, in the same folder or below', async () => {
    for (const path of ['session.jsonl', 'sessions/projects/-app/session.jsonl']) {
      const folder = folderOf({ 'trajectory.json': TRAJECTORY, [path]: claude });
      expect(await runsOf(folder)).toMatchObject({
        runs: 1,
        err: expect.stringContaining('1 file counted as part of'),
      });
    }
  });

  test('is counted when it is another session', async () => {
    const folder = folderOf({ 'trajectory.json': TRAJECTORY, 'session.jsonl': CLAUDE });
    expect(await runsOf(folder)).toEqual({ runs: 2, err: '' });
  });

  test('is counted when the trajectory is no input', async () => {
    const folder = folderOf({ 'trajectory.json': TRAJECTORY, 'session.jsonl': claude });
    expect(await runsOf(join(folder, 'session.jsonl'))).toEqual({ runs: 1, err: '' });
  });
});
