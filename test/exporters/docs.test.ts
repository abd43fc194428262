import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exportPolicy } from '../../src/exporters/export-policy.js';
import type { Exporter, Saying } from '../../src/exporters/exporter.js';
import { EXPORTERS } from '../../src/exporters/index.js';
import { LIMITS } from '../../src/model/limits.js';
import { PLAIN_REPEAT } from '../../src/policy/policy.js';
import { POLICIES } from './policies.js';

const FILE = join(import.meta.dirname, '../../docs/exporters.md');
const OPEN = '<!-- generated from src/exporters by test/exporters/docs.test.ts; GOLDEN=1 rewrites it -->\n';
const CLOSE = '<!-- end -->\n';

function cell(text: string): string {
  return text.replace(/\|/g, '\\|');
}

function row(cells: readonly string[]): string {
  return `| ${cells.map(cell).join(' | ')} |`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [row(head), row(head.map(() => '---')), ...rows.map(row), ''].join('\n');
}

function settings(): string {
  const head = [
    '`--to`',
    'target',
    'setting for P passes',
    'its unit, and how many P passes are',
    'calls billed',
    'the caller receives',
    'checked against',
  ];
  return table(
    head,
    EXPORTERS.map((each) => [
      `\`${each.id}\``,
      each.title,
      each.setting,
      each.unit,
      each.billedNote === '' ? each.billed : `${each.billed}; ${each.billedNote}`,
      each.receives,
      `${each.checked.version}, ${each.checked.how}`,
    ]),
  );
}

function mark(saying: Saying | null | undefined): string {
  if (saying == null) return '-';
  return saying === 'exactly' ? 'yes' : 'differs';
}

function parts(): string {
  const head = ['`--to`', ...LIMITS, 'rules', 'model call timeout', 'tool timeout', 'wrap-up', 'halt list', 'check'];
  return table(
    head,
    EXPORTERS.map(({ id, says }) => [
      `\`${id}\``,
      ...LIMITS.map((limit) => mark(says.caps?.[limit])),
      mark(says.rule?.(PLAIN_REPEAT)),
      mark(says.modelCallTimeout),
      mark(says.toolTimeout),
      says.wrapUp === undefined ? '-' : says.wrapUp === 'always' ? 'always' : 'yes',
      mark(says.haltOn),
      mark(says.check),
    ]),
  );
}

/** What a part that is said with a difference means there, taken from an export of a policy that asks for all. */
function differences(): string {
  const entries = (exporter: Exporter): string[] =>
    exportPolicy(exporter, POLICIES.full).differs.map((each) => `  - ${each}`);
  return EXPORTERS.filter((each) => entries(each).length > 0)
    .map((each) => `- \`${each.id}\`\n${entries(each).join('\n')}\n`)
    .join('');
}

test('docs/exporters.md says what the exporters say', () => {
  const generated = `${settings()}
What of a policy each can say; what it cannot is listed when a policy asks for it.

${parts()}
What "differs" means there, for a policy that asks for everything:

${differences()}`;
  const text = readFileSync(FILE, 'utf8');
  const [before = '', rest = ''] = text.split(OPEN);
  const after = rest.split(CLOSE)[1] ?? '';
  const wanted = `${before}${OPEN}\n${generated}\n${CLOSE}${after}`;
  if (process.env.GOLDEN === '1') writeFileSync(FILE, wanted);
  expect(readFileSync(FILE, 'utf8')).toBe(wanted);
});
