import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { formatAmount } from '../../src/report/format.js';
import { scratchFolder, WORKED_EXAMPLE } from '../cli/harness.js';
import { seriousIn } from './axe.js';
import { describeDriven } from './driven.js';
import { chartContrasts, misfitsIn, paperColors, SHEET, toPaper } from './layout.js';
import { CONTROLS, chartsOf, cutIn, figuresIn, numberOf, passesIn, set, sliderOf, storiesOf } from './page.js';
import { figureRows, replayed, withSetting } from './replayed.js';
import { reportOnExample, TODAY } from './reports.js';

const ELSEWHERE = 'https://example.com/';
const SCHEMES = ['light', 'dark'] as const;
const WIDTHS = [390, 1280, 1920] as const;

describeDriven('the page of the worked example', (open, faults) => {
  const folder = scratchFolder();
  let report: string;
  beforeAll(async () => {
    report = await reportOnExample(folder);
  });

  test('lets its own script run and no other', async () => {
    const page = await open(report);
    const policy = await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content');
    expect(policy).toMatch(/default-src 'none'/);
    expect(policy).toMatch(/script-src 'sha256-[A-Za-z0-9+/=]+'(?:;|$)/);
    await page.evaluate((url) => {
      const script = document.createElement('script');
      script.textContent = 'window.hacked = 1';
      const image = document.createElement('img');
      image.setAttribute('onerror', 'window.hacked = 2');
      image.src = url;
      document.body.append(script, image);
    }, ELSEWHERE);
    await expect.poll(() => faults.length).toBeGreaterThanOrEqual(2);
    // The browser tells of a request before it refuses it.
    const others = faults.splice(0).filter((fault) => !/Content Security Policy/.test(fault));
    expect(others.filter((fault) => fault !== `request: ${ELSEWHERE}`)).toEqual([]);
    expect(await page.evaluate('window.hacked')).toBeUndefined();
  });

  test('draws charts, each with words for whoever cannot see it', async () => {
    const page = await open(report);
    const charts = await chartsOf(page).evaluateAll((all) =>
      all.map((chart) => chart.getAttribute('aria-label') ?? ''),
    );
    expect(charts.length).toBeGreaterThanOrEqual(6);
    expect(charts.filter((words) => words.length < 10)).toEqual([]);
    expect(new Set(charts).size).toBe(charts.length);
  });

  test.each(SCHEMES)(
    'can be read in %s colours: the page, its charts, and what the accessibility checker says',
    async (colorScheme) => {
      const page = await open(report, { colorScheme });
      const { ink, paper } = await paperColors(page);
      expect(colorScheme === 'dark' ? paper < 0.1 && ink > 0.5 : paper > 0.9 && ink < 0.1).toBe(true);
      expect((await chartContrasts(page)).filter(({ contrast }) => contrast < 4.5)).toEqual([]);
      await storiesOf(page).first().locator('summary').click();
      await numberOf(page, 'passes').fill('no number');
      expect(await seriousIn(page)).toEqual([]);
    },
  );

  test.each(WIDTHS)('fits %i pixels', async (width) => {
    const page = await open(report, { viewport: { width, height: 900 } });
    await storiesOf(page).first().locator('summary').click();
    await numberOf(page, 'seconds').fill('no number');
    expect(await misfitsIn(page, 'screen')).toEqual([]);
    if (width === 390) expect(await seriousIn(page)).toEqual([]);
  });

  test('prints to A4 with nothing cut off', async () => {
    const page = await open(report, { viewport: SHEET, colorScheme: 'dark' });
    await toPaper(page);
    const { ink, paper } = await paperColors(page);
    expect(paper > 0.9 && ink < 0.1).toBe(true);
    expect(await misfitsIn(page, 'paper')).toEqual([]);
    const pdf = await page.pdf({ preferCSSPageSize: true });
    const pages = pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
    expect(pages).toBeGreaterThanOrEqual(3);
    expect(pages).toBeLessThanOrEqual(8);
    const [, width, height] = /\/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)\s*\]/.exec(pdf.toString('latin1')) ?? [];
    expect([Math.round(Number(width)), Math.round(Number(height))]).toEqual([595, 842]);
  });

  test('is driven by the keyboard alone', async () => {
    const page = await open(report);
    expect(await missedByTab(page)).toEqual([]);

    const today = await replayed(folder, WORKED_EXAMPLE, TODAY);
    await sliderOf(page, 'passes').focus();
    for (const key of ['ArrowLeft', 'ArrowLeft', 'ArrowDown', 'ArrowRight', 'ArrowLeft'])
      await page.keyboard.press(key);
    const passes = 26 - 3;
    expect(await numberOf(page, 'passes').inputValue()).toBe(String(passes));
    const now = await replayed(folder, WORKED_EXAMPLE, withSetting(TODAY, { caps: { passes } }));
    await expect.poll(() => figuresIn(page)).toEqual(figureRows(now, today, ['passes', 'tokens', 'seconds']));
  });

  test('tells the story of a run that is cut when Enter is pressed on it', async () => {
    const page = await open(report);
    await set(page, { caps: { passes: 9, tokens: null, seconds: null }, repeat: null });
    await expect.poll(() => cutIn(page).then((cut) => cut.length)).toBeGreaterThan(1);
    const [, run] = await cutIn(page);
    const story = storiesOf(page).nth(1);
    await story.locator('summary').focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => passesIn(story).then((rows) => rows.length)).toBeGreaterThan(0);
    const rows = await passesIn(story);
    const recorded = recordOf(run?.id ?? '').passes;
    let tokens = 0;
    expect(rows.map(([, counted, , tools]) => [counted, tools])).toEqual(
      recorded.map(({ input_tokens, output_tokens, calls = [] }) => {
        tokens += input_tokens + output_tokens;
        return [formatAmount('tokens', tokens), calls.map(({ tool }) => tool).join(', ') || 'no call'];
      }),
    );
    expect(rows.findIndex(([pass]) => pass?.includes('stopped here'))).toBe(8);
  });
});

interface PassRecord {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly calls?: readonly { readonly tool: string }[];
}

function recordOf(id: string): { readonly passes: readonly PassRecord[] } {
  const lines = readFileSync(WORKED_EXAMPLE, 'utf8').trim().split('\n');
  const found = lines.find((line) => line.startsWith(`{"id":"${id}"`));
  if (found === undefined) throw new Error(`no run ${id}`);
  return JSON.parse(found);
}

/** Presses Tab until it has gone round. @returns controls that it did not reach in their order, or shows no focus on */
async function missedByTab(page: Page): Promise<string[]> {
  const controls = await page.evaluateHandle(
    (selector) =>
      [...document.querySelectorAll<HTMLElement>(selector)].filter(
        (each) => each.checkVisibility() && !each.matches(':disabled'),
      ),
    CONTROLS,
  );
  const names = await controls.evaluate((all) =>
    all.map(
      (each) =>
        `${each.tagName.toLowerCase()} ${each.id || each.getAttribute('aria-label') || each.textContent?.trim().slice(0, 40)}`,
    ),
  );
  const missed: string[] = [];
  let next = 0;
  // What scrolls may be a stop of its own.
  for (let presses = 0; next < names.length && presses < 2 * names.length; presses++) {
    await page.keyboard.press('Tab');
    const { at, isSeen } = await controls.evaluate((all) => {
      const active = document.activeElement as HTMLElement;
      const { outlineStyle, boxShadow } = getComputedStyle(active);
      return { at: all.indexOf(active), isSeen: outlineStyle !== 'none' || boxShadow !== 'none' };
    });
    if (at < 0) continue;
    missed.push(...names.slice(next, at).map((name) => `${name}: passed over`));
    if (!isSeen) missed.push(`${names[at]}: no focus is shown`);
    next = Math.max(next, at) + 1;
  }
  return [...missed, ...names.slice(next).map((name) => `${name}: never reached`)];
}
