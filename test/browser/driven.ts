import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, inject } from 'vitest';
import { startChromium } from './chromium.js';
import { isReady } from './page.js';

/** How a report is opened. */
export interface Opening extends Pick<BrowserContextOptions, 'viewport' | 'colorScheme'> {
  /** What stands behind the `#` of the address. */
  readonly fragment?: string;
}

export type Open = (file: string, opening?: Opening) => Promise<Page>;

/** What went wrong in the pages of a test so far, in words. A test that means it takes it out. */
export type Faults = string[];

/**
 * Tests of a page that one browser runs, skipped where none is installed. After each of them: no page wrote an error, and
 * none asked for anything but its own file.
 *
 * @param body is given what opens a report by its path, with no network, in a context of its own
 */
export function describeDriven(name: string, body: (open: Open, faults: Faults) => void): void {
  const executable = inject('chromium');
  describe.skipIf(executable === null)(name, () => {
    let browser: Browser;
    const contexts: BrowserContext[] = [];
    const faults: Faults = [];
    beforeAll(async () => {
      browser = await startChromium(executable as string);
    });
    afterAll(async () => {
      await browser?.close();
    });
    afterEach(async () => {
      const found = faults.splice(0);
      for (const context of contexts.splice(0)) await context.close();
      expect(found).toEqual([]);
    });
    const open: Open = async (file, { fragment, ...options } = {}) => {
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
      contexts.push(context);
      context.setDefaultTimeout(15_000);
      await context.setOffline(true);
      const page = await context.newPage();
      const { href } = pathToFileURL(file);
      watch(page, href, faults);
      await page.goto(fragment === undefined ? href : `${href}#${fragment}`);
      await isReady(page);
      return page;
    };
    body(open, faults);
  });
}

function watch(page: Page, own: string, faults: Faults): void {
  page.on('console', (message) => {
    if (['error', 'warning', 'assert'].includes(message.type())) faults.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('popup', () => faults.push('a window was opened'));
  page.on('request', (request) => {
    const url = request.url();
    if (url.replace(/#.*/s, '') !== own && !url.startsWith('data:')) faults.push(`request: ${url}`);
  });
}
