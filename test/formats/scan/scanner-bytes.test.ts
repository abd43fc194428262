import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SCANNERS, scannerModule } from '../../../scripts/scanner.mjs';

test('the bytes of the scanners are those of their sources', async () => {
  const committed = readFileSync(new URL('../../../src/formats/scan/scanner-bytes.ts', import.meta.url), 'utf8');
  expect(Object.keys(SCANNERS)).toEqual(['SCANNER', 'ROW_SCANNER']);
  expect(committed === (await scannerModule())).toBe(true);
}, 120_000);
