import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { nameText } from '../../src/report/escape.js';
import { capfit, put, scratchFolder } from '../cli/harness.js';
import { describeDriven } from './driven.js';
import { misfitsIn, SHEET, toPaper } from './layout.js';
import { cutIn, policyTextOf, sectionOf, set, storiesOf } from './page.js';
import { reportOn } from './reports.js';

/** Names that a page would run, obey, or break at. Each that could run would set `window.hacked`. */
const HOSTILE = [
  '<script>window.hacked=1</script>',
  '</script><script>window.hacked=2</script>',
  '"><img src=x onerror="window.hacked=3">',
  "' onfocus='window.hacked=4' autofocus='",
  '<!--<script>window.hacked=5',
  '--><svg onload=window.hacked=6>',
  ']]></style><style>*{display:none}</style>',
  'javascript:window.hacked=7',
  '<iframe srcdoc="<script>parent.hacked=8</script>">',
  '<a href="https://example.com/">a</a><base href="https://example.com/">',
  '&lt;b&gt; &#60;i&#62; &amp;amp;',
  '\u0024{window.hacked=9} {{window.hacked=10}} `window.hacked`',
  '\u202egnp.exe\u2066 \u200f\u061c',
  '\u0000\u001b[31mred\u0007\r\n\ttab\u2028\u2029',
  '👩‍👩‍👧‍👦🏴󠁧󠁢󠁳󠁣󠁴󠁿 世界 e\u0301\u0302\u0303\u0304\u0305\u0306\u0307',
  '\ud800 lone',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'x'.repeat(10_000),
  '<b>'.repeat(3_333),
  '\u0600'.repeat(10_000),
  `e${'\u0301'.repeat(10_000)}`,
  ' ',
] as const;
const RUNS = 120;
const LABELS = 10_000;

/** Runs in which everything that is text is hostile, one of them with ten thousand labels. */
function hostileRuns(): string {
  const many = Object.fromEntries(
    Array.from({ length: LABELS }, (_, at) => [`label ${at} ${HOSTILE[at % HOSTILE.length]}`, `${at}`]),
  );
  return Array.from({ length: RUNS }, (_, at) => {
    const name = HOSTILE[at % HOSTILE.length] as string;
    const other = HOSTILE[(7 * at + 3) % HOSTILE.length] as string;
    const isGood = at % 5 > 0;
    const calls = [
      { tool: name, args: `${at}`, result: '<b>' },
      { tool: other, args: '</script>', result: `${at}` },
    ];
    return `${JSON.stringify({
      id: `${name}${at}`,
      ...(isGood
        ? { status: 'done_verified', check: 'passed', claim: 'completed' }
        : { status: at % 2 === 0 ? 'halted_error' : 'stopped_budget', check: 'none', reason: name }),
      labels: { kind: HOSTILE[at % 11] as string, [name]: other, ...(at === 1 ? many : {}) },
      passes: Array.from({ length: 2 + (at % 9) }, () => ({
        input_tokens: 1000,
        output_tokens: 10,
        seconds: 2,
        calls,
      })),
    })}\n`;
  }).join('');
}

/** What a page that was taken over would have: more than its own script, or an element, a handler or a link from the data. */
function takenOver(page: Page): Promise<unknown> {
  return page.evaluate(() => ({
    hacked: (window as { hacked?: unknown }).hacked ?? null,
    scripts: document.querySelectorAll('script').length,
    strange: document.querySelectorAll('img, iframe, object, embed, base, link, video, audio, [srcdoc], [style*="url"]')
      .length,
    handlers: [...document.querySelectorAll('*')].filter((each) =>
      each.getAttributeNames().some((name) => name.startsWith('on')),
    ).length,
    links: [...document.querySelectorAll('a')]
      .map((each) => each.getAttribute('href'))
      .filter((to) => !to?.startsWith('#')),
  }));
}

const OWN = { hacked: null, scripts: 2, strange: 0, handlers: 0, links: [] };
/** What no text of the page may hold: controls, and what hides or reorders. */
const UNSAFE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\u2028\u2029\ud800](?![\udc00-\udfff])/;

describeDriven('a page of hostile data', (open) => {
  const folder = scratchFolder();
  let report: string;
  beforeAll(async () => {
    const rules = [
      { rule: 'repeat', key: 'call', count: 3, name: HOSTILE[0], exempt: HOSTILE.filter((name) => name.trim() !== '') },
    ];
    const policy = {
      capfit: 'policy/v1',
      name: HOSTILE[1],
      caps: { passes: 6 },
      rules,
      check: HOSTILE[2],
      halt_on: [HOSTILE[0]],
    };
    const runs = put(folder, "'<img src=x onerror=window.hacked=1>.jsonl", hostileRuns());
    report = await reportOn(folder, runs, '--policy', put(folder, 'hostile.json', JSON.stringify(policy)));
  });

  test('shows all of it as text, and runs none of it', async () => {
    const page = await open(report);
    await set(page, { caps: { passes: 2 }, repeat: 2 });
    await expect.poll(async () => (await cutIn(page)).length).toBe(40);
    for (const summary of await storiesOf(page).locator('summary').all()) await summary.press('Enter');
    await expect.poll(() => sectionOf(page, 'cut').locator('details[open] tbody tr').count()).toBeGreaterThan(40);
    expect(await takenOver(page)).toEqual(OWN);
    const ids = (await cutIn(page)).map(({ id }) => id);
    const shown = HOSTILE.slice(0, 14).map((name) => nameText(name).replace(/…$/, ''));
    expect(shown.filter((name) => !ids.some((id) => id.startsWith(name)))).toEqual([]);
    const text = async (parts: string): Promise<string> => (await page.locator(parts).allTextContents()).join('');
    expect(UNSAFE.exec(await text('header, main'))).toBeNull();
    expect(/\p{M}{9}/u.exec(await text('header, #short, #reasons, #cut, #diagnosis, #again, #card'))).toBeNull();
    expect(await page.title()).toContain('</script><script>');
  });

  test.each([390, 1280])('overflows nothing of %i pixels', async (width) => {
    const page = await open(report, { viewport: { width, height: 900 } });
    await set(page, { caps: { passes: 2 }, repeat: 2 });
    for (const summary of (await storiesOf(page).locator('summary').all()).slice(0, 12)) await summary.press('Enter');
    expect(await misfitsIn(page, 'screen')).toEqual([]);
  });

  test('overflows no sheet of paper', async () => {
    const page = await open(report, { viewport: SHEET });
    await toPaper(page);
    expect(await misfitsIn(page, 'paper')).toEqual([]);
  });

  test('copies its policy whole, as text that shows as itself', async () => {
    const page = await open(report);
    const text = (await policyTextOf(page).textContent()) ?? '';
    expect(UNSAFE.exec(text)).toBeNull();
    const { code, out } = await capfit(['export', '--policy', put(folder, 'copied.yaml', text), '--to', 'json']);
    expect([code, JSON.parse(out).name]).toEqual([0, HOSTILE[1]]);
  });
});
