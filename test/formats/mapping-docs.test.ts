import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DEFAULT_READING, isProblem } from '../../src/formats/format.js';
import { appliesTo, type Mapping, mappedFormat, readMapping } from '../../src/formats/mapping/mapping.js';
import { writeRecord } from '../../src/formats/record-writer.js';
import { compileExpression } from '../../src/formats/verdicts/expression.js';
import { readOutcomes } from '../../src/formats/verdicts/outcomes.js';
import { joinOutcomes } from '../../src/formats/verdicts/outcomes-join.js';
import { canonical } from '../../src/model/canonical.js';
import { runTotal } from '../../src/model/measure.js';
import type { Problem } from '../../src/model/problem.js';
import type { Run } from '../../src/model/run.js';
import { itemsOf, sourceOf } from './conformance.js';

const DOCS = join(import.meta.dirname, '../../docs');
const CORPUS = join(import.meta.dirname, '../../../shared/corpus');
const PAGE = readFileSync(join(DOCS, 'mapping.md'), 'utf8');
const BLOCKS = [...PAGE.matchAll(/^```(\w+)([^\n]*)\n([\s\S]*?)^```$/gm)].map(([, kind, title, text]) => ({
  kind: kind as string,
  title: (title as string).trim(),
  text: text as string,
}));

function read(text: string, file: string): Mapping {
  const { mapping, problems } = readMapping(text, file);
  expect(problems).toBeNull();
  return mapping as Mapping;
}

/** What is known of a value; lists stay whole. */
function known(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(known);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value)
    .map(([key, each]) => [key, known(each)] as const)
    .filter(
      ([, each]) => each !== null && !(Array.isArray(each) && each.length === 0) && JSON.stringify(each) !== '{}',
    );
  return Object.fromEntries(fields);
}

describe('docs/mapping.md', () => {
  test.each(BLOCKS.filter(({ kind }) => kind === 'yaml').map(({ text }) => [text]))('can be read: %s', (text) => {
    read(text, 'mapping.md');
  });

  test('the first example makes the records that the page shows', async () => {
    const [table, mapping, records] = [BLOCKS[0]!, BLOCKS[1]!, BLOCKS[2]!];
    const format = mappedFormat(read(mapping.text, mapping.title));
    const source = sourceOf(table.title, new TextEncoder().encode(table.text));
    const items = await itemsOf(format, source, DEFAULT_READING);
    const shown = records.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    expect(items.map((item) => known(JSON.parse(writeRecord(item as Run))))).toEqual(shown);
  });

  test('names every key of a mapping file', () => {
    const { problems } = readMapping('capfit: map/v1\nid: id\nxxxxxxxx: 1\n', 'm');
    const keys = (problems?.[0]?.hint ?? '').replace('known here: ', '').split(', ');
    expect(keys.length).toBeGreaterThan(25);
    for (const key of keys) expect(PAGE).toMatch(new RegExp(`\`(?:${key}\\b|${key}\\.)|^${key}:`, 'm'));
  });
});

/** All runs of a folder under a mapping of the documentation. */
async function readFolder(name: string): Promise<{ runs: Run[]; problems: Problem[] }> {
  const mapping = read(readFileSync(join(DOCS, `mappings/${name}.yaml`), 'utf8'), `${name}.yaml`);
  const root = join(CORPUS, name);
  const paths = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const files = new Map(paths.map((path) => [path, readFileSync(path)]));
  const items: (Run | Problem)[] = [];
  for (const [path, content] of files) {
    if (!appliesTo(mapping, path)) continue;
    items.push(...(await itemsOf(mappedFormat(mapping), sourceOf(path, content, undefined, files), DEFAULT_READING)));
  }
  return { runs: items.filter((item): item is Run => !isProblem(item)), problems: items.filter(isProblem) };
}

async function withOutcomes(runs: readonly Run[], file: string): Promise<Run[]> {
  const text = readFileSync(join(CORPUS, file), 'utf8');
  const { apply } = joinOutcomes(runs, await readOutcomes(text, { passed: null, key: null, passMark: 1 }));
  return runs.map(apply);
}

function total(runs: readonly Run[], metric: 'passes' | 'tokens' | 'seconds' | 'usd'): number {
  return runs.reduce((sum, run) => sum + (runTotal(run, metric) ?? Number.NaN), 0);
}

function count(values: Iterable<string>): { [value: string]: number } {
  const counts: { [value: string]: number } = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

function longestStreak(run: Run, exempt: string | null = null): number {
  let [longest, streak, last] = [0, 0, ''];
  for (const { tool, args, result } of (run.passes ?? []).flatMap((pass) => pass.calls)) {
    if (tool === exempt) continue;
    const call = canonical([tool, args ?? null, result ?? null]);
    streak = call === last ? streak + 1 : 1;
    [longest, last] = [Math.max(longest, streak), call];
  }
  return longest;
}

const ABSENT = existsSync(CORPUS) ? '' : ' (skipped: the corpus of public recordings is not beside the repository)';

describe.skipIf(ABSENT !== '')(`docs/mappings on the corpus${ABSENT}`, () => {
  test('vexp-claude-code-swebench: totals, 73 of 100 passed, five stopped by the limit of 3 USD', async () => {
    const { runs, problems } = await readFolder('vexp-claude-code-swebench');
    expect(problems).toEqual([]);
    expect(runs).toHaveLength(100);
    expect(count(runs.map((run) => run.check))).toEqual({ passed: 73, failed: 27 });
    expect(count(runs.map((run) => `${run.status} ${run.reason}`))).toEqual({
      'done_verified null': 69,
      'done_claimed null': 26,
      'stopped_budget usd': 5,
    });
    expect(total(runs, 'passes')).toBe(3368);
    expect(total(runs, 'seconds')).toBe(16_926_922_000);
    expect(total(runs, 'usd')).toBe(67_206_897_250);
    expect(runs.every((run) => runTotal(run, 'tokens') === null && run.passes === null)).toBe(true);
    expect(Object.fromEntries(runs[0]!.recordedUnder)).toEqual({ passes: 250, usd: 3 });
  });

  test('medagentbench-whissle: 34 runs of 85 rounds, 16 correct', async () => {
    const { runs, problems } = await readFolder('medagentbench-whissle');
    expect(problems).toEqual([]);
    expect(count(runs.map((run) => run.check))).toEqual({ passed: 16, failed: 18 });
    expect(count(runs.map((run) => `${run.status} ${run.reason}`))).toEqual({
      'done_verified null': 16,
      'done_claimed null': 13,
      'halted_error agent_invalid_action': 5,
    });
    expect(total(runs, 'passes')).toBe(85);
    expect(runs.every((run) => run.passes?.length === run.totals?.passes)).toBe(true);
    expect(total(runs, 'seconds')).toBe(149_497_000);
    expect(count(runs.map((run) => String(run.recordedUnder.get('passes'))))).toEqual({ 8: 34 });
    const calls = runs.flatMap((run) => (run.passes ?? []).flatMap((pass) => pass.calls));
    expect(count(calls.map((call) => call.tool))).toEqual({ get: 39, post: 12 });
  });

  test('vorflux-swebench-verified: 1,559 passes of 29 runs, 24 verified by the results beside them', async () => {
    const { runs, problems } = await readFolder('vorflux-swebench-verified');
    expect(problems).toEqual([]);
    expect(runs).toHaveLength(29);
    expect(total(runs, 'passes')).toBe(1559);
    const calls = runs.flatMap((run) => (run.passes ?? []).flatMap((pass) => pass.calls));
    // 324 of them ask whether /memory can be written; without these no call comes three times in a row.
    expect(calls).toHaveLength(1830);
    expect(calls.filter(({ tool }) => tool === 'memory_check')).toHaveLength(324);
    expect(Math.max(...runs.map((run) => longestStreak(run)))).toBeGreaterThanOrEqual(3);
    expect(Math.max(...runs.map((run) => longestStreak(run, 'memory_check')))).toBeLessThanOrEqual(2);
    const first = runs.find((run) => run.id === 'django__django-13406')!;
    expect([first.startedAt, runTotal(first, 'seconds')]).toEqual(['2026-05-04T23:22:28.523801796Z', 692_059_367]);
    const joined = await withOutcomes(runs, 'vorflux-swebench-verified/results/results.json');
    expect(count(joined.map((run) => run.status))).toEqual({ done_verified: 24, done_claimed: 5 });
  });

  test('autocoderover-swebench-lite: totals of 8 runs, one verified by the report beside them', async () => {
    const { runs, problems } = await readFolder('autocoderover-swebench-lite');
    expect(problems).toEqual([]);
    expect(runs).toHaveLength(8);
    expect(runs.every((run) => run.passes === null && runTotal(run, 'passes') === null)).toBe(true);
    expect(total(runs, 'tokens')).toBe(264_520);
    expect(total(runs, 'usd')).toBe(3_143_560_000);
    expect(total(runs, 'seconds')).toBe(1_327_121_082);
    expect(runs.map((run) => Number(run.labels.get('calls'))).sort((a, b) => a - b)).toContain(16);
    const joined = await withOutcomes(runs, 'autocoderover-swebench-lite/acr-run-2/new_eval_results/report.json');
    const verified = joined.filter((run) => run.check === 'passed');
    expect(verified.map((run) => run.labels.get('task_id'))).toEqual(['django__django-16379']);
  });
});

test('expressions of the page are JSONata', () => {
  const written = [
    ...PAGE.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/`([^`\n]*(?:\$[a-z]+\(|\[[a-z]+ = )[^`\n]*)`/g),
  ].map((match) => match[1] as string);
  expect(written.length).toBeGreaterThan(5);
  for (const text of written) compileExpression(text.replace(/^\w+: /, '').replace('(…)', '(x)'));
});
