import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SCENARIOS } from '../../src/guard/drill/scenarios.js';
import { CARRIED } from '../../src/guard/drill/shapes.js';
import { capfit, scratchFolder } from '../cli/harness.js';

const EXAMPLES = 'docs/examples';

/** Runs an example as its reader would: `npm test` has built what it imports. */
function run(name: string, ...argv: string[]): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(EXAMPLES, name), ...argv], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

/** The envelope of a run that made one quick pass and came to nothing. */
const NOTHING = {
  schema: 'capfit/report@1',
  status: 'running',
  reason: null,
  message: 'running',
  limit: null,
  check: 'none',
  claim: null,
  passes: 1,
  tokens: 1_000,
  seconds: 1,
  usd: null,
  steps: 3,
  transcript_id: 'transcript of stub',
  answer: null,
  evidence: null,
  check_output: null,
  partial_work: null,
  wrap_up: null,
  warnings: [],
  not_judged: [],
};

const PRINTED: { readonly [file: string]: object } = {
  'verified.mjs': {
    ...NOTHING,
    status: 'done_verified',
    message: 'the check passed',
    check: 'passed',
    claim: 'completed',
    passes: 2,
    tokens: 2_000,
    seconds: 2,
    steps: 4,
    answer: 'Order 17 is refunded.',
    check_output: '3 passed',
  },
  'claimed.mjs': {
    ...NOTHING,
    status: 'done_claimed',
    message: 'the agent says it is done, and no check looked',
    claim: 'completed',
    passes: 2,
    tokens: 2_000,
    seconds: 2,
    steps: 4,
    answer: 'Order 17 is refunded.',
  },
  'budget.mjs': {
    ...NOTHING,
    status: 'stopped_budget',
    reason: 'tokens',
    message: 'stopped by tokens: 61004 of 60000',
    limit: { cap: 60_000, counter: 61_004 },
    passes: 3,
    tokens: 61_004,
    seconds: 3,
    steps: 9,
    partial_work: { pages: 3 },
    wrap_up: { text: 'Three pages read, nothing refunded.', verified: false, tokens: 2_560 },
  },
  'repeats.mjs': {
    ...NOTHING,
    status: 'stopped_budget',
    reason: 'repeats',
    message: 'stopped by repeats: 3 of 3',
    limit: { cap: 3, counter: 3 },
    passes: 3,
    tokens: 3_000,
    seconds: 3,
    steps: 9,
    warnings: [
      {
        rule: 'repeats',
        count: 2,
        stops_at: 3,
        message: 'repeats: 2 of 3; at 3 the run is stopped. Try something else.',
      },
    ],
  },
  'halted.mjs': {
    ...NOTHING,
    status: 'halted_error',
    reason: 'permission_denied',
    message: 'halted on permission_denied',
    passes: 2,
    tokens: 2_000,
    seconds: 2,
    steps: 6,
  },
  'canceled.mjs': {
    ...NOTHING,
    status: 'halted_error',
    reason: 'canceled',
    message: 'canceled',
    passes: 2,
    tokens: 2_000,
    seconds: 2,
    steps: 5,
    partial_work: { pages: 1 },
  },
  'running.mjs': NOTHING,
};

describe('the example loops', () => {
  test.each(Object.entries(PRINTED))('%s prints its envelope', (name, envelope) => {
    const { status, stdout, stderr } = run(name);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual(envelope);
  });

  test('each exit has an example, and each example is run', () => {
    expect(readdirSync(EXAMPLES).sort()).toEqual([...Object.keys(PRINTED), 'drill.mjs', 'loop.mjs', 'stub.mjs'].sort());
  });

  test('the drill says how it is run', () => {
    for (const argv of [[], ['scenarios.json']]) {
      const { status, stdout, stderr } = run('drill.mjs', ...argv);
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      expect(stderr).toMatch(/^usage: node docs\/examples\/drill\.mjs scenarios\.json results\.json\n/);
    }
  });

  test('pass the drill, file by file', async () => {
    const folder = scratchFolder();
    const scenarios = join(folder, 'scenarios.json');
    const results = join(folder, 'results.json');
    expect(await capfit(['drill', '--scenarios', '-o', scenarios])).toEqual({ code: 0, out: '', err: '' });
    expect(run('drill.mjs', scenarios, results)).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(await capfit(['drill', '--results', results])).toEqual({
      code: 0,
      out: expect.stringMatching(/^(\d+) of \1 scenarios passed\.\n$/),
      err: '',
    });
  });
});

test('docs/drill.md names every field that a script or a report uses', () => {
  const text = readFileSync('docs/drill.md', 'utf8');
  const keys = new Set(['status', 'reason', ...Object.keys(CARRIED)]);
  for (const { script, expect: must, ...scenario } of SCENARIOS) {
    for (const key of [...Object.keys(scenario), ...Object.keys(must)]) keys.add(key);
    for (const { model, tools = [], ...turn } of script) {
      for (const part of [model, turn, ...tools]) for (const key of Object.keys(part)) keys.add(key);
    }
  }
  expect([...keys].filter((key) => !new RegExp(`\\b${key}\\b[^\\n]*\``).test(text))).toEqual([]);
});
