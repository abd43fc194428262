// What the report page weighs, how long it takes to open, and how long it takes to follow a slider.
// Usage: npm run bench:page. Needs a Chromium, at CHROMIUM_PATH or /usr/bin/chromium.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const CLI = fileURLToPath(new URL('../dist/cli/bin.js', import.meta.url));
const EXAMPLE = fileURLToPath(new URL('../datasets/worked-example/runs.jsonl', import.meta.url));
const OPENINGS = 5;
const MOVES = 60;

const folder = mkdtempSync(join(tmpdir(), 'capfit-bench-'));
const capfit = (...args) => execFileSync(process.execPath, [CLI, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });

/** The page of so many runs like those of the worked example. */
function pageOf(count) {
  const page = join(folder, `${count}.html`);
  const runs = count === 400 ? EXAMPLE : join(folder, `${count}.jsonl`);
  if (count !== 400)
    capfit('generate', '--profile', 'worked-example', '--runs', count, '--seed', '1', '-o', runs, '--quiet');
  capfit('report', runs, '-o', page, '--quiet');
  return page;
}

async function opened(browser, page) {
  const tab = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await tab.goto(pathToFileURL(page).href);
  await tab.locator('html[data-ready="true"]').waitFor({ state: 'attached', timeout: 60_000 });
  const time = await tab.evaluate(() => performance.now());
  return { tab, time };
}

/** Moves the sliders about; for each move the time until all has followed, and until the frame after it is shown. */
function moved(tab, moves) {
  return tab.evaluate(async (count) => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const sliders = [...document.querySelectorAll('input[type="range"]')];
    const followed = [];
    const shown = [];
    for (let move = 0; move < count; move++) {
      const slider = sliders[move % sliders.length];
      const { min, max } = slider;
      // Spread over the whole range, without order.
      slider.value = String(Number(min) + (0.05 + ((move * 0.618) % 0.9)) * (Number(max) - Number(min)));
      await frame();
      const start = performance.now();
      slider.dispatchEvent(new Event('input', { bubbles: true }));
      const before = performance.now();
      // Asked for after the page has asked for its own, so it comes when that is done.
      await frame();
      const begun = document.timeline.currentTime;
      followed.push(performance.now() - Math.max(begun, before) + (before - start));
      await frame();
      shown.push(performance.now() - start);
    }
    return { followed, shown };
  }, moves);
}

function told(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))].toFixed(1);
  return `${at(0.5)} ms (median of ${sorted.length}; 95 of 100 below ${at(0.95)}, most ${at(1)})`;
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
});
try {
  for (const count of [400, 20_000]) {
    const page = pageOf(count);
    console.log(`${count.toLocaleString('en')} runs: ${(statSync(page).size / 1e6).toFixed(2)} MB`);
    const times = [];
    for (let opening = 0; opening < OPENINGS; opening++) {
      const { tab, time } = await opened(browser, page);
      times.push(time);
      if (opening === OPENINGS - 1) {
        await moved(tab, 10);
        const { followed, shown } = await moved(tab, MOVES);
        console.log(`  opened in ${told(times)}`);
        console.log(`  figures and charts follow a slider in ${told(followed)}`);
        console.log(`  from the move to the next frame on the screen ${told(shown)}`);
      }
      await tab.close();
    }
  }
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
