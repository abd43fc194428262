import { join } from 'node:path';
import { expect } from 'vitest';
import { capfit, put, WORKED_EXAMPLE } from '../cli/harness.js';

/** The page of these runs, made by the whole program. @returns the path of the page */
export async function reportOn(folder: string, runs: string, ...flags: readonly string[]): Promise<string> {
  const page = join(folder, 'report.html');
  const { code, err } = await capfit(['report', runs, '-o', page, ...flags]);
  expect([code, err]).toEqual([0, expect.stringContaining('written to')]);
  return page;
}

export const TODAY = {
  capfit: 'policy/v1',
  name: 'support / refund',
  caps: { passes: 26, tokens: 460_000, seconds: 270 },
  order: ['passes', 'tokens', 'seconds', 'usd', 'rules'],
  rules: [{ rule: 'repeat', key: 'call', count: 3 }],
} as const;

/** The page of the worked example under a policy that a file holds. */
export function reportOnExample(folder: string): Promise<string> {
  return reportOn(folder, WORKED_EXAMPLE, '--policy', put(folder, 'today.json', JSON.stringify(TODAY)));
}
