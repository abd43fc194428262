// Remakes datasets/worked-example and reports/worked-example: `npm run build && npm run examples`.
// A test runs the same commands into an empty folder and compares.
import { mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const DATASET = 'datasets/worked-example';
const REPORTS = 'reports/worked-example';

/** The commands that make the files below `root`, with the file that each command's output goes to. */
export function exampleCommands(root) {
  const data = join(root, DATASET);
  const reports = join(root, REPORTS);
  const runs = join(data, 'runs.jsonl');
  const words = [
    '--name',
    'worked example',
    '--check',
    'pytest tests/test_task.py',
    '--source',
    '400 synthetic runs, profile worked-example',
  ];
  const timeouts = ['--timeout', 'model_call=60', '--timeout', 'tool=30'];
  return [
    { argv: ['generate', '--profile', 'worked-example', '--quiet', '-o', runs] },
    { argv: ['convert', runs, '--quiet', '-o', join(data, 'runs.csv')] },
    { argv: ['calibrate', runs, ...words, ...timeouts, '--out', reports], stdout: join(reports, 'calibrate.txt') },
    {
      argv: ['replay', runs, '--policy', join(reports, 'policy.yaml'), '--by', 'kind'],
      stdout: join(reports, 'replay-by-kind.txt'),
    },
    { argv: ['card', runs, ...words, ...timeouts], stdout: join(reports, 'card.txt') },
  ];
}

/** Files that the commands make, relative to the root. */
export const EXAMPLE_FILES = [
  `${DATASET}/runs.jsonl`,
  `${DATASET}/runs.csv`,
  `${REPORTS}/policy.yaml`,
  `${REPORTS}/card.md`,
  `${REPORTS}/replay.json`,
  `${REPORTS}/calibrate.txt`,
  `${REPORTS}/replay-by-kind.txt`,
  `${REPORTS}/card.txt`,
];

/** The report page, and the picture of it in the README: not the same, byte for byte, wherever they are made. */
export const EXAMPLE_PAGE = `${REPORTS}/report.html`;
const PICTURE = 'docs/report.png';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { main } = await import('../dist/cli/main.js');
  const { writeWhole } = await import('../dist/cli/output.js');
  for (const { argv, stdout } of exampleCommands(ROOT)) {
    let out = '';
    const io = {
      out: (text) => {
        out += text;
      },
      err: (text) => process.stderr.write(text),
      stdin: process.stdin,
      columns: 100,
      color: false,
      progress: null,
      today: () => '2026-03-08',
    };
    const code = await main(argv, io);
    if (code !== 0) process.exit(code);
    if (stdout !== undefined) {
      mkdirSync(dirname(stdout), { recursive: true });
      await writeWhole(stdout, [out]);
    }
  }
  await takePicture(join(ROOT, EXAMPLE_PAGE), join(ROOT, PICTURE));
}

/** A picture of what a reader sees first, with one cap moved; without a browser the one that is there stays. */
async function takePicture(page, picture) {
  const { existsSync } = await import('node:fs');
  const places = [
    process.env.CHROMIUM_PATH,
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
  ];
  const executablePath = places.find((place) => place && existsSync(place));
  if (executablePath === undefined) {
    process.stderr.write(`no Chromium found: ${PICTURE} stays as it is; set CHROMIUM_PATH\n`);
    return;
  }
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  const tab = await browser.newPage({ viewport: { width: 1280, height: 1120 }, colorScheme: 'light' });
  await tab.goto(`${pathToFileURL(page).href}#passes=20&tokens=460000&seconds=270&usd=none&repeat=3`);
  await tab.locator('html[data-ready="true"]').waitFor({ state: 'attached' });
  await tab.screenshot({ path: picture });
  await browser.close();
}
