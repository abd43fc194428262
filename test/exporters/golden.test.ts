import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { exportPolicy } from '../../src/exporters/export-policy.js';
import { EXPORTERS } from '../../src/exporters/index.js';
import { stringifyJson } from '../../src/model/json.js';
import { POLICIES, POLICY_NAMES } from './policies.js';

const FOLDER = join(import.meta.dirname, 'golden');
const CASES = EXPORTERS.flatMap((exporter) => POLICY_NAMES.map((name) => ({ exporter, name, id: exporter.id })));

/** The snippet, and all that goes with it. */
function goldenText(exporter: (typeof EXPORTERS)[number], name: (typeof POLICY_NAMES)[number]): string {
  const { text, ...rest } = exportPolicy(exporter, POLICIES[name]);
  return `${text}\n${'='.repeat(80)}\n${stringifyJson(rest, 2)}\n`;
}

describe('golden exports, remade with GOLDEN=1', () => {
  test.each(CASES)('$id of the $name policy', ({ exporter, name, id }) => {
    const file = join(FOLDER, `${id}-${name}.txt`);
    const text = goldenText(exporter, name);
    if (process.env.GOLDEN === '1') {
      mkdirSync(FOLDER, { recursive: true });
      writeFileSync(file, text);
    }
    expect(existsSync(file)).toBe(true);
    expect(text).toBe(readFileSync(file, 'utf8'));
  });

  test('no golden file is left over', () => {
    expect(readdirSync(FOLDER).sort()).toEqual(CASES.map(({ id, name }) => `${id}-${name}.txt`).sort());
  });
});
