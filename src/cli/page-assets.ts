import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { PageAssets } from '../report/page-html.js';
import { CommandError, EXIT } from './errors.js';

/** Beside the built command line; run from its sources, what was built last. */
const FOLDERS = ['../page/', '../../dist/page/'];

/**
 * The program and the style of the report page, as they were bundled when capfit was built.
 *
 * @throws CommandError where the package was never built
 */
export function pageAssets(): PageAssets {
  const scripts = FOLDERS.map((folder) => new URL(`${folder}script.js`, import.meta.url));
  const found = scripts.find((each) => existsSync(each));
  if (found === undefined) {
    throw new CommandError("the page's program is missing", 'build capfit first: npm run build', EXIT.unreadable);
  }
  const script = readFileSync(found, 'utf8');
  const style = readFileSync(fileURLToPath(new URL('style.css', found)), 'utf8');
  return { script, style, scriptHash: `sha256-${createHash('sha256').update(script).digest('base64')}` };
}
