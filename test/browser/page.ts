import type { Locator, Page } from 'playwright-core';
import type { Metric } from '../../src/model/limits.js';

/** What a reader sets in the page: caps in their own units and the repeat count, `null` for none. */
export interface Setting {
  readonly caps: { readonly [metric in Metric]?: number | null };
  readonly repeat?: number | null;
}

/** Each row of a table under what its first cell says. */
export type Rows = Readonly<Record<string, readonly string[]>>;

/** What a run says of itself in the list of those that are cut. */
export interface Cut {
  readonly id: string;
  readonly isGood: boolean;
  readonly reason: string;
  readonly afterPasses: number;
}

export const READY = 'html[data-ready="true"]';

/** Waits until the page's own program has filled it. */
export async function isReady(page: Page): Promise<void> {
  await page.locator(READY).waitFor({ state: 'attached' });
}

export const numberOf = (page: Page, metric: Metric): Locator => page.locator(`#cap-${metric}`);
export const noneOf = (page: Page, metric: Metric): Locator => page.locator(`#none-${metric}`);
export const sliderOf = (page: Page, metric: Metric): Locator =>
  page
    .getByRole('group')
    .filter({ has: numberOf(page, metric) })
    .getByRole('slider');
export const repeatOf = (page: Page): Locator => page.locator('#repeat');
export const resetOf = (page: Page): Locator => page.locator('#reset');
export const formatOf = (page: Page): Locator => page.locator('#copy-as');
export const policyTextOf = (page: Page): Locator => page.getByLabel('The policy as text');
export const copyOf = (page: Page): Locator => page.getByRole('button', { name: 'Copy' });
export const sectionOf = (page: Page, id: string): Locator => page.locator(`section#${id}`);
export const storiesOf = (page: Page): Locator => sectionOf(page, 'cut').locator('details');

/** Sets the controls, one after the other, as a reader does who types. */
export async function set(page: Page, { caps, repeat }: Setting): Promise<void> {
  for (const [metric, cap] of Object.entries(caps) as [Metric, number | null][]) {
    if (cap === null) await noneOf(page, metric).check();
    else await numberOf(page, metric).fill(String(cap));
  }
  if (repeat !== undefined) await repeatOf(page).selectOption(repeat === null ? 'none' : String(repeat));
}

/** What the controls show, as texts: each cap, empty for none, and the repeat count. */
export async function shownIn(page: Page, metrics: readonly Metric[]): Promise<Record<string, string>> {
  const shown: Record<string, string> = {};
  for (const metric of metrics) shown[metric] = await numberOf(page, metric).inputValue();
  shown.repeat = await repeatOf(page).inputValue();
  return shown;
}

/** The figures of the policy that is set, beside today's. */
export const figuresIn = (page: Page): Promise<Rows> => rowsOf(page, 'This policy beside today');
export const stopsIn = (page: Page): Promise<Rows> => rowsOf(page, 'Stops by reason');

/** The rows of the first table whose caption begins like this. */
async function rowsOf(page: Page, caption: string): Promise<Rows> {
  return page.evaluate((begin) => {
    const tables = [...document.querySelectorAll('table')];
    const table = tables.find((each) => each.caption?.textContent?.startsWith(begin));
    const rows = [...(table?.tBodies[0]?.rows ?? [])].map((row) =>
      [...row.cells].map((cell) => cell.textContent ?? ''),
    );
    return Object.fromEntries(rows.map(([name = '', ...texts]) => [name, texts]));
  }, caption);
}

/** The runs that the policy stops, as far as they are listed. */
export async function cutIn(page: Page): Promise<Cut[]> {
  const texts = await storiesOf(page).locator('summary').allTextContents();
  return texts.map((text) => {
    const [, id = '', good, reason = '', passes] =
      /^(.*): (a good run, )?stopped by (.*) after ([\d,]+) of its passes/s.exec(text) ?? [];
    return { id, isGood: good !== undefined, reason, afterPasses: Number(passes?.replaceAll(',', '')) };
  });
}

/** The passes of a story that is open: each row's texts. */
export async function passesIn(story: Locator): Promise<string[][]> {
  return story
    .getByRole('table')
    .locator('tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) => [...(row as HTMLTableRowElement).cells].map((cell) => cell.textContent ?? '')),
    );
}

/** What a reader may touch, as far as it can be seen. */
export const CONTROLS = 'a[href], button, input, select, textarea, summary, [tabindex="0"], [contenteditable="true"]';

/** The charts. */
export const chartsOf = (page: Page): Locator => page.locator('main figure svg[role="img"]');
