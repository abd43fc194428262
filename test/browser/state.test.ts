import { beforeAll, expect, test } from 'vitest';
import { EXPORTERS } from '../../src/exporters/index.js';
import { readPolicy } from '../../src/formats/policy/policy-file.js';
import { policyRecord } from '../../src/policy/record.js';
import { policy } from '../builders.js';
import { capfit, put, scratchFolder } from '../cli/harness.js';
import { describeDriven } from './driven.js';
import { copyOf, figuresIn, formatOf, isReady, policyTextOf, type Setting, set, shownIn } from './page.js';
import { withSetting } from './replayed.js';
import { reportOnExample, TODAY } from './reports.js';

const KNOWN = ['passes', 'tokens', 'seconds'] as const;
const OWN = { passes: '26', tokens: '460000', seconds: '270', repeat: '3' };

const SETTINGS: readonly Setting[] = [
  { caps: {} },
  { caps: { passes: 20, tokens: 123_457, seconds: 60.5 }, repeat: 5 },
  { caps: { passes: null, tokens: 1, seconds: null }, repeat: null },
  { caps: { passes: null, tokens: null, seconds: null }, repeat: null },
];

const NONSENSE = [
  'passes=-3&tokens=0&seconds=1e999&repeat=1',
  'passes=many&tokens=NaN&seconds=Infinity&repeat=99999',
  '%E0%A4%A=%&passes=%zz&&&==&passes%3D20',
  'PASSES=20&cap=1&__proto__=3&constructor=4',
  'passes=<img src=x onerror=window.hacked=1>&repeat="><script>window.hacked=1</script>',
  `passes=${'9'.repeat(5000)}&repeat=${'3'.repeat(5000)}`,
];

describeDriven('the state of the page', (open) => {
  const folder = scratchFolder();
  let report: string;
  beforeAll(async () => {
    report = await reportOnExample(folder);
  });

  test('stands in the address: the page opens again as it was left', async () => {
    const page = await open(report);
    for (const setting of SETTINGS.slice(1)) {
      await set(page, setting);
      // The address follows a little later, and control by control.
      const { caps, repeat } = setting;
      const expected = { ...caps, repeat: repeat ?? 'none' };
      for (const [name, value] of Object.entries(expected)) {
        await expect
          .poll(() => new URLSearchParams(new URL(page.url()).hash.slice(1)).get(name))
          .toBe(String(value ?? 'none'));
      }
      const before = [await shownIn(page, KNOWN), await figuresIn(page)];
      await page.reload();
      await isReady(page);
      expect([await shownIn(page, KNOWN), await figuresIn(page)]).toEqual(before);
    }
    const copy = await open(report, { fragment: new URL(page.url()).hash.slice(1) });
    expect(await figuresIn(copy)).toEqual(await figuresIn(page));
  });

  test('follows an address that is changed by hand, and leaves links to parts of the page alone', async () => {
    const page = await open(report);
    await set(page, { caps: { passes: 9 } });
    await page.getByRole('link', { name: 'The card' }).click();
    expect(await shownIn(page, KNOWN)).toEqual({ ...OWN, passes: '9' });
    await page.evaluate(() => {
      location.hash = '#passes=12&tokens=none&seconds=99.5&repeat=none';
    });
    const shown = { passes: '12', tokens: '', seconds: '99.5', repeat: 'none' };
    await expect.poll(() => shownIn(page, KNOWN)).toEqual(shown);
  });

  test('of an address that says nothing of it is today’s policy', async () => {
    const page = await open(report);
    for (const fragment of NONSENSE) {
      await page.goto(`${page.url().replace(/#.*/s, '')}#${fragment}`);
      await page.reload();
      await isReady(page);
      expect([fragment, await shownIn(page, KNOWN)]).toEqual([fragment, OWN]);
      expect(await page.evaluate('window.hacked')).toBeUndefined();
    }
  });

  test('copied as YAML is a policy that the reader takes, with these caps and rules', async () => {
    const page = await open(report);
    for (const setting of SETTINGS) {
      await set(page, setting);
      const wanted = policyRecord(policy(withSetting(TODAY, setting)));
      await expect
        .poll(async () => {
          const { policy: read, problems } = readPolicy((await policyTextOf(page).textContent()) ?? '', 'copied.yaml');
          return read === null ? problems : policyRecord(read);
        })
        .toEqual(wanted);
    }
  });

  test('copied as a framework’s settings is what capfit export writes', async () => {
    const page = await open(report);
    const setting = SETTINGS[1] as Setting;
    await set(page, setting);
    const file = put(folder, 'set.json', JSON.stringify(withSetting(TODAY, setting)));
    for (const { id } of EXPORTERS) {
      const { out } = await capfit(['export', '--policy', file, '--to', id]);
      await formatOf(page).selectOption(id);
      expect([id, await policyTextOf(page).textContent()]).toEqual([id, out]);
    }
  });

  test('the button copies the text that is shown', async () => {
    const page = await open(report);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await set(page, { caps: { passes: 17 } });
    await expect.poll(() => policyTextOf(page).textContent()).toContain('passes: 17');
    await copyOf(page).click();
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toBe(await policyTextOf(page).textContent());
  });
});
