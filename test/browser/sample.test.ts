import { join } from 'node:path';
import { expect, test } from 'vitest';
import { formatCount, formatOf } from '../../src/report/format.js';
import { capfit, goodLine, put, scratchFolder } from '../cli/harness.js';
import { describeDriven } from './driven.js';
import { figuresIn, sectionOf, set } from './page.js';

const RUNS = 21_000;
const MOST = 20_000;

/** Short runs, 31 of 40 verified, the others stopped while recording; one that ended as no other did. */
function manyRuns(): string {
  return Array.from({ length: RUNS }, (_, at) => {
    const passes = Array.from({ length: 1 + ((7 * at) % 12) }, () => ({
      input_tokens: 90,
      output_tokens: 10,
      seconds: 1,
    }));
    if (at === 7) return goodLine('odd', { status: 'halted_error', check: 'failed', reason: 'guardrail', passes });
    const failed = at % 40 < 31 ? {} : { status: 'stopped_budget', check: 'none', reason: 'passes' };
    return goodLine(`run-${at}`, { ...failed, passes });
  }).join('');
}

describeDriven('a page of more runs than it holds', (open) => {
  const folder = scratchFolder();

  test('says that it is a sample, and answers for the sample', async () => {
    const report = join(folder, 'report.html');
    const runs = put(folder, 'many.jsonl', manyRuns());
    const { code, out } = await capfit(['report', runs, '-o', report, '--json']);
    const { held, runs: all } = JSON.parse(out) as { held: number; runs: number };
    expect({ code, all }).toEqual({ code: 0, all: RUNS });
    expect(held).toBeGreaterThan(MOST - 20);
    expect(held).toBeLessThanOrEqual(MOST);

    const page = await open(report);
    await expect
      .poll(() => sectionOf(page, 'whatif').textContent())
      .toContain(`a sample of ${formatOf(held, RUNS)} runs`);
    const goodIn = async (): Promise<{ cut: number; good: number }> => {
      const numberIn = (text: string, pattern: RegExp): number =>
        Number((pattern.exec(text)?.[1] ?? '').replaceAll(',', ''));
      const stopped = (await figuresIn(page))['good runs stopped']?.[0] ?? '';
      const sizes = (await sectionOf(page, 'sizes').textContent()) ?? '';
      return { cut: numberIn(stopped, /^([\d,]+)/), good: numberIn(sizes, /of ([\d,]+) successes/) };
    };
    const before = await goodIn();
    expect(before.good / held).toBeCloseTo(0.775, 2);
    await set(page, { caps: { passes: 8, tokens: null, seconds: null }, repeat: null });
    await expect.poll(async () => (await goodIn()).cut).toBeGreaterThan(before.cut);
    expect((await goodIn()).good).toBe(before.good);
    expect((await figuresIn(page))['largest run, passes']?.[0]).toBe(formatCount(8));
  });
});
