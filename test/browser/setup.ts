import type { TestProject } from 'vitest/node';
import { findChromium } from './chromium.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The browser of the browser tests; `null`: they are skipped. */
    readonly chromium: string | null;
  }
}

/** Looks for a browser once for all files of tests, and says so where there is none. */
export function setup({ provide }: TestProject): void {
  const found = findChromium();
  if (found === null) process.stderr.write('no Chromium found: browser tests skipped; set CHROMIUM_PATH\n');
  provide('chromium', found);
}
