import { beforeAll, expect, test } from 'vitest';
import { put, scratchFolder } from '../cli/harness.js';
import { describeDriven } from './driven.js';
import { figuresIn, resetOf, type Setting, sectionOf, set } from './page.js';
import { figureRows, replayed, withSetting } from './replayed.js';
import { reportOn } from './reports.js';

const TODAY = { capfit: 'policy/v1', caps: { passes: 60 }, rules: [] };
const METRICS = ['passes', 'tokens'] as const;
const CHANGED = 'The figures above and the ladder';

/** Runs known pass by pass, runs known only in total, and runs of which nobody knows the tokens. */
function openRuns(): string {
  const good = { status: 'done_verified', check: 'passed' };
  const passes = Array.from({ length: 6 }, () => ({ input_tokens: 900, output_tokens: 100 }));
  const records = [
    ...Array.from({ length: 10 }, (_, at) => ({ id: `whole-${at}`, ...good, passes })),
    ...Array.from({ length: 20 }, (_, at) => ({
      ...{ id: `total-${at}`, ...good, passes: null },
      totals: { passes: 10 + at, tokens: 40_000 + 1000 * at },
    })),
    ...Array.from({ length: 8 }, (_, at) => ({
      ...{ id: `dumb-${at}`, ...good, passes: null },
      totals: { passes: 5 + at },
    })),
  ];
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

describeDriven('the page of runs that leave figures open', (open) => {
  const folder = scratchFolder();
  const runs = put(folder, 'open.jsonl', openRuns());
  let report: string;
  beforeAll(async () => {
    report = await reportOn(folder, runs, '--policy', put(folder, 'policy.json', JSON.stringify(TODAY)));
  });

  test('says the ranges that replay says, for today’s policy and for the one that is tried', async () => {
    const page = await open(report);
    const today = await replayed(folder, runs, TODAY);
    const settings: readonly Setting[] = [
      { caps: {} },
      { caps: { tokens: 20_000 } },
      { caps: { tokens: 45_000, passes: 12 } },
    ];
    for (const setting of settings) {
      await resetOf(page).click();
      await set(page, setting);
      const now = await replayed(folder, runs, withSetting(TODAY, setting));
      await expect.poll(() => figuresIn(page)).toEqual(figureRows(now, today, METRICS));
    }
    await resetOf(page).click();
    await set(page, { caps: { tokens: 20_000 } });
    const panel = sectionOf(page, 'whatif');
    await expect
      .poll(() => panel.locator('.verdict strong').allTextContents())
      .toEqual(['0 % to 73.7 %', '0 % to 56.2 %']);
    expect(await panel.textContent()).toContain('8 runs could not be judged by every cap');
    expect(await figuresIn(page)).toMatchObject({
      'good runs stopped': ['0 to 28 of 38', '0 of 38'],
      'runs stopped, for sure': ['0', '0'],
      'tokens saved': ['0 % to 56.2 %', '0 %'],
    });
  });

  test('says a sentence where a chart would be empty', async () => {
    const page = await open(report);
    expect(await sectionOf(page, 'reasons').textContent()).toContain('No run is known to be stopped');
    expect(await sectionOf(page, 'reasons').locator('svg').isVisible()).toBe(false);
    await set(page, { caps: { passes: 3 } });
    await expect.poll(() => sectionOf(page, 'reasons').locator('svg').isVisible()).toBe(true);
    expect(
      await sectionOf(page, 'reasons')
        .locator('svg')
        .evaluate((svg) => svg.clientWidth),
    ).toBeGreaterThan(300);
  });

  test('says which parts keep to today’s policy once something is set', async () => {
    const page = await open(report);
    const panel = sectionOf(page, 'whatif');
    expect(await panel.textContent()).not.toContain(CHANGED);
    await set(page, { caps: { passes: 30 } });
    await expect.poll(() => panel.textContent()).toContain(CHANGED);
    await resetOf(page).click();
    await expect.poll(() => panel.textContent()).not.toContain(CHANGED);
  });

  test('says that an address was not understood', async () => {
    const panelAt = async (fragment: string): Promise<string> =>
      (await sectionOf(await open(report, { fragment }), 'whatif')
        .locator('> .live > .fault')
        .textContent()) ?? '';
    expect(await panelAt('passes=many')).toBe('The address was not understood: today’s policy is shown.');
    expect(await panelAt('nowhere')).toBe('The address was not understood: today’s policy is shown.');
    expect(await panelAt('passes=20&tokens=-1')).toBe(
      'Part of the address was not understood (tokens): for that, today’s policy is shown.',
    );
    expect(await panelAt('passes=20&tokens=none')).toBe('');
    expect(await panelAt('sizes')).toBe('');
  });
});
