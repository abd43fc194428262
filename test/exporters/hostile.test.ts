import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { exportPolicy, notesOf } from '../../src/exporters/export-policy.js';
import type { Exporter, Language } from '../../src/exporters/exporter.js';
import { EXPORTERS, findExporter } from '../../src/exporters/index.js';
import { readPolicy } from '../../src/formats/policy/policy-file.js';
import { policy } from '../builders.js';
import { FULL_FIELDS, POLICIES } from './policies.js';

/** Text that would leave a comment or a string of some language, were it not escaped. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: it is what a stranger may write
const HOSTILE = 'x\nimport os; os.system("rm")\r#\u2028*/ """ \'\'\' ${a} `b` $(c) \\\u0085\u202e\u0000\ud800 \\';

const hostile = policy({
  ...FULL_FIELDS,
  name: HOSTILE,
  rules: FULL_FIELDS.rules.map((rule, index) => ({ ...rule, name: `${index}${HOSTILE}`, exempt: [HOSTILE] })),
  halt_on: [HOSTILE],
  check: HOSTILE,
});
// The same figures and rules with names that harm nobody.
const plain = policy({
  ...FULL_FIELDS,
  name: 'x',
  rules: FULL_FIELDS.rules.map((rule, index) => ({ ...rule, name: `${index}x`, exempt: ['x'] })),
  halt_on: ['x'],
  check: 'x',
});

const OWN = ['json', 'env'];
const MARKS: Readonly<Record<Language, string>> = {
  python: '#',
  yaml: '#',
  shell: '#',
  typescript: '//',
  jsonc: '//',
  json: '\0',
};

/** Lines of code as any of the languages would split them. */
function codeOf(exporter: Exporter, text: string): string[] {
  return text.split(/[\n\r\u2028\u2029\u0085\v\f]/).filter((line) => !line.startsWith(MARKS[exporter.language]));
}

describe("strangers' text in a policy", () => {
  test.each(EXPORTERS.filter(({ id }) => !OWN.includes(id)).map((each) => [each.id, each] as const))(
    '%s: never becomes code',
    (_id, exporter) => {
      expect(codeOf(exporter, exportPolicy(exporter, hostile).text)).toEqual(
        codeOf(exporter, exportPolicy(exporter, plain).text),
      );
    },
  );

  test.each(EXPORTERS.map((each) => [each.id, each] as const))('%s: nothing a terminal obeys', (_id, exporter) => {
    const value = exportPolicy(exporter, hostile);
    const unsafe = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
    expect(
      notesOf(value)
        .join('')
        .match(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u),
    ).toBeNull();
    if (exporter.id !== 'json') expect(value.text.match(unsafe)).toBeNull();
  });

  test('env: every line assigns a word or a text in single quotes, which holds the JSON', () => {
    const lines = codeOf(findExporter('env')!, exportPolicy(findExporter('env')!, hostile).text).filter(Boolean);
    for (const line of lines) expect(line).toMatch(/^CAPFIT_[A-Z_]+=(?:[\w.,]+|'[^']*')$/);
    const quoted = (name: string) =>
      JSON.parse(lines.find((line) => line.startsWith(`${name}=`))!.slice(name.length + 2, -1));
    expect([quoted('CAPFIT_POLICY_NAME'), quoted('CAPFIT_HALT_ON'), quoted('CAPFIT_CHECK')]).toEqual([
      hostile.name,
      hostile.haltOn,
      hostile.check,
    ]);
    expect(quoted('CAPFIT_RULES')[3]).toMatchObject({ name: `3${HOSTILE}`, exempt: [HOSTILE], scope: 'run' });
  });

  test('a long name is cut', () => {
    const { text } = exportPolicy(findExporter('strands')!, policy({ name: '😀'.repeat(5000) }));
    expect(text.length).toBeLessThan(2500);
    expect(text).toContain('😀…"');
  });
});

describe('our own forms and YAML are read back', () => {
  test.each([
    ['full', POLICIES.full],
    ['bare', POLICIES.bare],
    ['empty', POLICIES.empty],
    ['hostile', hostile],
  ])('json: the %s policy', (_name, given) => {
    const reading = readPolicy(exportPolicy(findExporter('json')!, given).text, 'policy.json');
    expect(reading.policy).toEqual(given);
  });

  test.each(['mini-swe-agent', 'swe-agent'])('%s: the text is YAML and holds the settings', (id) => {
    const { text, settings } = exportPolicy(findExporter(id)!, hostile);
    const found: Record<string, unknown> = {};
    const collect = (value: object): void => {
      for (const [key, each] of Object.entries(value)) {
        if (typeof each === 'object') collect(each as object);
        else found[key] = each;
      }
    };
    collect(parse(text) as object);
    const wanted: Record<string, unknown> = {};
    Object.assign(wanted, settings.agent ?? settings, settings.environment ?? {});
    expect(found).toEqual(wanted);
  });
});
