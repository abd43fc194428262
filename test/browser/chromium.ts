import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';

/** Where a Chromium usually stands, Debian's first. */
const USUAL = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ...['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap((name) => {
    const folder = process.env[name];
    return folder === undefined
      ? []
      : [join(folder, 'Google/Chrome/Application/chrome.exe'), join(folder, 'Chromium/Application/chrome.exe')];
  }),
];

/** No sandbox: as root, as in a container, it does not start. What it opens is our own page, and nothing leaves. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The program to drive: the one that CHROMIUM_PATH names and no other, else the first usual one; `null`: none is there. */
export function findChromium(named = process.env.CHROMIUM_PATH): string | null {
  const places = named === undefined || named === '' ? USUAL : [named];
  return places.find((place) => existsSync(place)) ?? null;
}

export async function startChromium(executablePath: string): Promise<Browser> {
  // Runs of other tests look for a browser too, and have no use for its driver.
  const { chromium } = await import('playwright-core');
  return chromium.launch({ executablePath, args: FLAGS });
}
