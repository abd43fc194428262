import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { METRICS, type Metric } from '../../src/model/limits.js';
import type { ReplayReport } from '../../src/replay/result.js';
import { capfit, put, scratchFolder, WORKED_EXAMPLE } from '../cli/harness.js';
import { describeDriven } from './driven.js';
import { cutIn, figuresIn, noneOf, numberOf, resetOf, type Setting, set, shownIn, sliderOf, stopsIn } from './page.js';
import { figureRows, replayed, stopRows, withSetting } from './replayed.js';
import { reportOn, reportOnExample, TODAY } from './reports.js';

const KNOWN = ['passes', 'tokens', 'seconds'] as const;
/** So many runs the page lists. */
const LISTED = 40;

/** What the page says of a policy, as texts, and what it should say. */
async function saidIn(page: Page): Promise<object> {
  const good = (await cutIn(page)).filter(({ isGood }) => isGood);
  return {
    figures: await figuresIn(page),
    stops: await stopsIn(page),
    good: good.map(({ id, reason, afterPasses }) => ({ id, reason, after_passes: afterPasses })),
  };
}

function saidOf(now: ReplayReport, today: ReplayReport, metrics: readonly Metric[]): object {
  return {
    figures: figureRows(now, today, metrics),
    stops: stopRows(now, today),
    good: now.false_stops.runs.slice(0, LISTED),
  };
}

/** Sets one after the other, each from today's policy on, and compares what the page says with `capfit replay`. */
async function compare(
  page: Page,
  settings: readonly Setting[],
  replay: (setting: Setting) => Promise<ReplayReport>,
  metrics: readonly Metric[],
): Promise<void> {
  const today = await replay({ caps: {} });
  for (const setting of settings) {
    await resetOf(page).click();
    await set(page, setting);
    const expected = { setting, said: saidOf(await replay(setting), today, metrics) };
    await expect.poll(async () => ({ setting, said: await saidIn(page) })).toEqual(expected);
  }
}

/** Caps alone and together, tight and loose, none, on a value that occurred, and many a repeat count. */
const SETTINGS: readonly Setting[] = [
  { caps: {} },
  { caps: { passes: 20 } },
  { caps: { passes: 21, tokens: 376_035, seconds: 211 } },
  { caps: { passes: null, tokens: null, seconds: null }, repeat: null },
  { caps: { passes: null, tokens: 200_000, seconds: 120 }, repeat: null },
  { caps: { passes: 8, tokens: null, seconds: null }, repeat: 2 },
  { caps: { passes: null, tokens: 49_082, seconds: null }, repeat: 5 },
  { caps: { passes: null, tokens: null, seconds: 60.5 }, repeat: 4 },
  { caps: { passes: 1, tokens: 1, seconds: 0.001 }, repeat: 2 },
  { caps: { passes: 33, tokens: null, seconds: 270 }, repeat: 12 },
  { caps: { passes: 60, tokens: 10_000_000, seconds: 100_000 }, repeat: 3 },
  { caps: { passes: null, tokens: null, seconds: null }, repeat: 2 },
  { caps: { passes: 12, tokens: 123_457, seconds: 99.999 }, repeat: 7 },
];

describeDriven('the live figures are those of capfit replay', (open) => {
  const folder = scratchFolder();
  let report: string;
  beforeAll(async () => {
    report = await reportOnExample(folder);
  });
  const replay = (setting: Setting): Promise<ReplayReport> =>
    replayed(folder, WORKED_EXAMPLE, withSetting(TODAY, setting));

  test('before anything is touched', async () => {
    const page = await open(report);
    const today = await replay({ caps: {} });
    expect(await saidIn(page)).toEqual(saidOf(today, today, KNOWN));
  });

  test('for caps and counts that are typed', async () => {
    await compare(await open(report), SETTINGS, replay, KNOWN);
  });

  test('for caps that are pulled with sliders', async () => {
    const page = await open(report);
    const today = await replay({ caps: {} });
    for (const place of [0, 0.13, 0.5, 0.98, 1]) {
      const caps: Partial<Record<Metric, number>> = {};
      for (const metric of KNOWN) {
        caps[metric] = await pull(sliderOf(page, metric), place);
        expect(await numberOf(page, metric).inputValue()).toBe(String(caps[metric]));
      }
      const now = await replay({ caps });
      await expect
        .poll(async () => ({ caps, said: await saidIn(page) }))
        .toEqual({ caps, said: saidOf(now, today, KNOWN) });
    }
  });

  test('a cap that is taken away and set again is the cap that it was; the button goes back to today’s policy', async () => {
    const page = await open(report);
    await set(page, { caps: { passes: 11, tokens: 90_000 }, repeat: 6 });
    await noneOf(page, 'tokens').check();
    expect(await shownIn(page, KNOWN)).toEqual({ passes: '11', tokens: '', seconds: '270', repeat: '6' });
    await noneOf(page, 'tokens').uncheck();
    expect(await shownIn(page, KNOWN)).toEqual({ passes: '11', tokens: '90000', seconds: '270', repeat: '6' });
    await resetOf(page).click();
    expect(await shownIn(page, KNOWN)).toEqual({ passes: '26', tokens: '460000', seconds: '270', repeat: '3' });
  });

  test('what is no cap is said to be none, and changes nothing', async () => {
    const page = await open(report);
    const [now, today] = [await replay({ caps: { passes: 11 } }), await replay({ caps: {} })];
    for (const text of ['-3', '0', 'many', '1e999', '2.5', '∞', 'NaN', '<b>']) {
      await numberOf(page, 'passes').fill('11');
      await numberOf(page, 'passes').fill(text);
      expect([text, await numberOf(page, 'passes').getAttribute('aria-invalid')]).toEqual([text, 'true']);
      await expect.poll(async () => [text, await saidIn(page)]).toEqual([text, saidOf(now, today, KNOWN)]);
    }
  });

  describe('of runs with prices, in the order that the policy names for caps that it does not set', () => {
    const order = ['usd', 'tokens', 'passes', 'seconds', 'rules'];
    const base = { ...TODAY, caps: { tokens: 3_000_000 }, order, rules: [] };
    const runs = join(folder, 'priced.jsonl');

    test('for caps on dollars', async () => {
      await capfit(['generate', '--profile', 'coding-agent', '--runs', '120', '--seed', '5', '-o', runs]);
      const page = await open(await reportOn(folder, runs, '--policy', put(folder, 'base.json', JSON.stringify(base))));
      const settings = [
        { caps: { usd: 1.5 } },
        { caps: { usd: 0.25, tokens: null }, repeat: 2 },
        { caps: { usd: 0.000_001, tokens: 1, passes: 1, seconds: 1 }, repeat: 2 },
        { caps: { usd: null, tokens: 700_000, passes: 40 }, repeat: 4 },
      ];
      await compare(page, settings, (setting) => replayed(folder, runs, withSetting(base, setting)), METRICS);
    });
  });
});

/** Pulls a slider to a place between its ends, 0 to 1. @returns the value that it then has */
async function pull(slider: Locator, place: number): Promise<number> {
  const { least, most, step } = await slider.evaluate((input) => {
    const { min, max, step } = input as HTMLInputElement;
    return { least: Number(min), most: Number(max), step: Number(step) };
  });
  await slider.fill(String(least + step * Math.floor((place * (most - least)) / step)));
  return Number(await slider.inputValue());
}
