import { readFileSync } from 'node:fs';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { whatIf } from '../../src/replay/whatif.js';
import { renderText } from '../../src/report/render-text.js';
import { whatIfBlocks } from '../../src/report/whatif-blocks.js';
import { passes, policy, run } from '../builders.js';

const upTo = (n: number): number[] => Array.from({ length: n }, (_, index) => index + 1);
const RUNS = [
  ...upTo(14).map((n) => run({ id: `good-${n}`, passes: passes(n) })),
  ...upTo(6).map((n) => run({ id: `bad-${n}`, status: 'halted_error', check: 'failed', passes: passes(10 + n) })),
];
const TODAY = { name: 'p', policy: policy({ caps: { passes: 12, seconds: 15 } }) };
const text = (runs: Parameters<typeof whatIf>[0], ...candidates: Parameters<typeof whatIf>[2]): string =>
  renderText(whatIfBlocks(whatIf(runs, TODAY, candidates)), { width: 80, color: false });

const GOLDEN = readFileSync(new URL('golden/whatif-80.txt', import.meta.url), 'utf8');

describe('whatIfBlocks(report)', () => {
  test('answers first, then what the answer rests on', () => {
    const tighter = { name: 'passes=9', policy: policy({ caps: { passes: 9, seconds: 15 } }) };
    expect(`${text(RUNS, tighter)}\n`).toBe(GOLDEN);
  });

  test('a hundred runs that change sides, hostile names and many candidates stay within 80 columns', () => {
    const hostile = upTo(100).map((n) =>
      run({ id: `\u001b[31m${'x'.repeat(90)}${n}\n`, labels: { task_id: `\u202e${n}` }, passes: passes(11) }),
    );
    const names = ['caps x 0.8', `with ${'y'.repeat(120)}`, '\u001b[2Jz'];
    const wide = text(
      [...RUNS, ...hostile],
      ...names.map((name, index) => ({
        name,
        policy: policy({ caps: { passes: 8 + 5 * index }, rules: [{ rule: 'idle' }] }),
      })),
    );
    expect(Math.max(...wide.split('\n').map((line) => stringWidth(line)))).toBeLessThanOrEqual(80);
    expect(wide).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    expect(wide).toMatch(/\[1\] and \d+ more, \d+ of them verified successes: --json has them all/);
    expect(wide).toMatch(/resamples of 120 groups of runs with one task_id/);
  });

  test('a lifted stop and totals are ranges, and a cap that never binds is named', () => {
    const runs = [
      ...RUNS,
      ...upTo(4).map((n) => run({ id: `cut-${n}`, status: 'stopped_budget', check: 'failed', passes: passes(16) })),
      run({ id: 'total', passes: null, totals: { passes: 14, tokens: 1_000, seconds: 20 } }),
    ];
    const looser = { name: 'c', policy: policy({ caps: { passes: 40, seconds: 18 } }) };
    const out = text(runs, looser);
    expect(out).toMatch(/^good runs that finish +12 +14 to 19 +\+2 to \+7$/m);
    expect(out).toMatch(/^good runs stopped +3 +0 to 1 +-3 to -2$/m);
    expect(out).toMatch(/^recorded stops undone +0 +4 +\+4$/m);
    expect(out).toMatch(/^tokens spent .* or more .* or higher$/m);
    expect(out).toMatch(/^ {2}known of +15 of 15 +14 of 15/m);
    expect(out).toMatch(/Never the first to stop a run under c: passes \(not even alone\)/);
    expect(out).not.toMatch(/NaN|Infinity|-0\b|undefined/);
  });
});
