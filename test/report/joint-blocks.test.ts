import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import type { Run } from '../../src/model/run.js';
import { deriveReplayed, type ReplayedDeriveOptions } from '../../src/replay/derive-replayed.js';
import { groupBlocks } from '../../src/report/group-blocks.js';
import { jointBlocks } from '../../src/report/joint-blocks.js';
import { renderMarkdown } from '../../src/report/render-markdown.js';
import { renderText } from '../../src/report/render-text.js';
import { passes, run } from '../builders.js';

const PLAIN = { padding: { num: 1n, den: 1n }, p: { num: 9n, den: 10n } };

function shown(runs: readonly Run[], options: Partial<ReplayedDeriveOptions>, width = 80): string {
  const { report } = deriveReplayed(runs, { ...PLAIN, ...options });
  const blocks = [
    ...jointBlocks(report.joint, report.population),
    ...groupBlocks(report.group_test, report.group_costs),
  ];
  const text = renderText(blocks, { width, color: false });
  expect(Math.max(0, ...text.split('\n').map((line) => stringWidth(line)))).toBeLessThanOrEqual(width);
  for (const page of [text, renderMarkdown(blocks)])
    expect(page).not.toMatch(/NaN|Infinity|undefined|null|-0(?![.\d])/);
  return text.replace(/\s+/g, ' ');
}

/** A success whose every pass costs a dollar, too, so that all four metrics have caps. */
function success(size: number, line: number, fields: object = {}): Run {
  return run({ ...fields, passes: passes(size, { usd: 1 }) }, line);
}

const SPREAD = Array.from({ length: 60 }, (_, i) => success(1 + (i % 30), i + 1, { labels: { task: `t${i % 2}` } }));

describe('all caps together', () => {
  test('nothing where it was not asked for', () => expect(shown(SPREAD, {})).toBe(''));

  test('four metrics fit the narrowest terminal', () => {
    const text = shown(SPREAD, { joint: { aim: 'cheapest', spend: 'usd' } }, 60);
    expect(text).toMatch(/each at p90 27 \(6\) 2,800 \(4\) 28 s \(4\) \$27\.00 \(6\)/);
    expect(text).toMatch(/Of \d+ combinations? of caps tried the cheapest within it spends \$[\d,.]+/);
  });

  test('without a cap, one sentence', () => {
    expect(shown([], { joint: { aim: 'cheapest', spend: null } })).toMatch(
      /All caps together ─+ There is no cap, so there is nothing to take together\.$/,
    );
  });

  test('counts that are not exact are ranges', () => {
    const totals = Array.from({ length: 30 }, (_, i) =>
      run({ passes: null, totals: { passes: 4, tokens: 100 + i } }, i + 1),
    );
    expect(shown(totals, { joint: { aim: 'common', spend: null }, units: { tokens: { num: 1n, den: 1n } } })).toMatch(
      /each at p90 0 to 4 0 %.*known only in total/,
    );
  });

  test('what the caps cannot do is said', () => {
    const idle = run({ passes: [...passes(3), { input_tokens: 0, output_tokens: 0, seconds: 0 }] });
    expect(shown([idle], { joint: { aim: 'cheapest', spend: null } })).toMatch(
      /No percentile brings them within it.*each at p90 \(taken\).*No combination of caps is within the accepted rate/,
    );
  });
});

describe('groups', () => {
  test('nothing where none were asked for, a sentence where there are none', () => {
    expect(shown(SPREAD, { by: [] })).toBe('');
    expect(shown([], { by: ['task'] })).toMatch(/There are no groups\.$/);
  });

  test('alike ones are said to be alike, both tables stand', () => {
    const text = shown(SPREAD, { by: ['task'] }, 70);
    expect(text).toMatch(/No sign that the groups differ in size, in 4 tests taken together\./);
    expect(text).toMatch(/task=t0.*task=t1.*Those caps.*all runs.*No test sees the groups differ/);
  });

  test('of many small groups some are named, the others counted', () => {
    const many = Array.from({ length: 25 }, (_, i) => success(3, i + 1, { labels: { task: `t${i}` } }));
    const text = shown(many, { by: ['task'] });
    expect(text).toMatch(/No group has 10 successes, so none can be compared\./);
    expect(text).toMatch(/task=t9: 1 verified success; 9 more .*… and 15 more groups, see --json/);
    expect(text).not.toContain('task=t10:');
  });

  test('a metric that is not judged has its reason', () => {
    const some = SPREAD.map((each, i) =>
      i % 2 === 0 ? each : run({ labels: { task: 't1' }, passes: passes(9) }, i + 1),
    );
    expect(shown(some, { by: ['task'], partialUsd: true })).toMatch(
      /usd: not judged, fewer than two groups have 10 successes with known usd/,
    );
  });
});
