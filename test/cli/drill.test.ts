import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { SCENARIOS } from '../../src/guard/drill/scenarios.js';
import { rightResult } from '../guard/drill/right.js';
import { capfit, put, scratchFolder } from './harness.js';

const folder = scratchFolder();
const RIGHT = SCENARIOS.map(rightResult);
const ALL = SCENARIOS.length;

const lines = (results: readonly object[]): string => results.map((each) => `${JSON.stringify(each)}\n`).join('');
const judge = (content: string | Uint8Array, ...argv: string[]) =>
  capfit(['drill', '--results', put(folder, 'results', content), ...argv]);

describe('capfit drill', () => {
  test('lists every scenario with what it does and what the caller must get', async () => {
    const { code, out, err } = await capfit(['drill']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    for (const { id, title, expect: must } of SCENARIOS) {
      const row = out.split('\n').find((line) => line.startsWith(`${id} `));
      expect(row?.replace(/ {2,}/g, ' | ')).toBe(
        `${id} | ${title} | ${must.status}${must.reason === null ? '' : `: ${must.reason}`}`.replace(/ {2,}/g, ' | '),
      );
    }
  });

  test('prints the scenarios as data, or writes them', async () => {
    const expected = { schema: 'capfit/drill@1', scenarios: JSON.parse(JSON.stringify(SCENARIOS)) };
    expect(JSON.parse((await capfit(['drill', '--scenarios'])).out)).toEqual(expected);
    expect(JSON.parse((await capfit(['drill', '--json'])).out)).toEqual(expected);
    const path = join(folder, 'scenarios.json');
    expect(await capfit(['drill', '--scenarios', '-o', path])).toEqual({ code: 0, out: '', err: '' });
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(expected);
    await capfit(['drill', '--scenarios', '-o', `${path}.gz`]);
    expect(JSON.parse(gunzipSync(readFileSync(`${path}.gz`)).toString())).toEqual(expected);
  });

  test('reads a list and lines alike', async () => {
    const all = { code: 0, out: `${ALL} of ${ALL} scenarios passed.\n`, err: '' };
    expect(await judge(JSON.stringify(RIGHT))).toEqual(all);
    expect(await judge(JSON.stringify(RIGHT, null, 2))).toEqual(all);
    expect(await judge(lines(RIGHT))).toEqual(all);
    expect(await judge(`\ufeff\n${lines(RIGHT).replaceAll('\n', '\r\n\r\n')}`)).toEqual(all);
  });

  test('says scenario by scenario which field is wrong or missing', async () => {
    const [first, second, third, ...others] = RIGHT;
    const { seconds: _gone, ...report } = second!.report;
    const results = [
      { ...first, report: { ...first!.report, status: 'done_claimed', answer: '\u001b[31mred' } },
      { ...second, report },
      ...others,
      others[0],
      { scenario: 'check_fail_first', report: {} },
      { scenario: 'no\nsuch', report: {} },
    ];
    const { code, out, err } = await judge(lines(results as object[]));
    expect({ code, err }).toEqual({ code: 1, err: '' });
    expect(out.split('\n')).toEqual([
      `${ALL - 4} of ${ALL} scenarios passed.`,
      '',
      `── What is wrong ${'─'.repeat(83)}`,
      '- verified (answers, and the check passes): status is "done_claimed", must be "done_verified"',
      '- verified (answers, and the check passes): answer is "\\u001b[31mred", must be "order 17 is',
      '  refunded"',
      '- claimed (answers where no check can look): seconds is missing, must be a number of seconds, or',
      '  null where it is not known',
      '- check_fails_first (a check that fails is no exit): no result',
      '  -> drive the loop with this scenario too',
      '- check_never_passes (answers again and again, and the check fails): several results',
      '  -> give one result a scenario',
      '- check_fail_first: there is no such scenario',
      '  -> did you mean check_fails_first?',
      '- no\\nsuch: there is no such scenario',
      '  -> capfit drill lists the scenarios',
      '',
    ]);
    expect(third?.scenario).toBe('check_fails_first');
  });

  test('says the same as JSON', async () => {
    const results = RIGHT.map((each) =>
      each.scenario === 'tokens' ? { ...each, report: { ...each.report, tokens: 60_000 } } : each,
    );
    const { code, out } = await judge(JSON.stringify(results), '--json');
    expect(code).toBe(1);
    const verdict = JSON.parse(out) as { scenarios: { scenario: string }[] };
    expect(verdict).toMatchObject({
      schema: 'capfit/drill-verdict@1',
      passed: false,
      counts: { passed: ALL - 1, failed: 1, missing: 0, repeated: 0 },
      unknown: [],
    });
    expect(verdict.scenarios.filter(({ scenario }) => scenario === 'tokens')).toEqual([
      {
        scenario: 'tokens',
        title: 'crosses 60,000 tokens; the pass is billed whole',
        verdict: 'failed',
        faults: [
          {
            field: 'tokens',
            fault: 'wrong',
            expected: 61_004,
            found: 60_000,
            message: 'tokens is 60000, must be 61004',
          },
        ],
      },
    ]);
    expect((await judge(lines(RIGHT), '--json')).code).toBe(0);
  });
});

describe('results that cannot be read', () => {
  const good = lines(RIGHT.slice(0, 1));
  const deep = `${'['.repeat(600)}${']'.repeat(600)}`;
  test.each([
    ['no JSON', `${good}\n{"scenario": nope}\n`, ':3: not JSON', /one whole JSON object/],
    ['a line that is cut', `${good}{"scenario": "tok`, ':2: not JSON', /cut short/],
    ['no object', `${good}17\n`, ':2: not a result but 17', /"report"/],
    ['no scenario', `${good}{"report": {}}\n`, ':2: scenario is missing', /name the scenario/],
    ['a scenario that is no text', `{"scenario": 3, "report": {}}`, ':1: scenario is 3', /must be a text/],
    ['an empty scenario', `{"scenario": "", "report": {}}`, ':1: scenario is ""', /not empty/],
    ['nothing', ' \n', ': the file holds no result', /JSON list, or one object a line/],
    ['an empty list', '[\n]', ': the file holds no result', /JSON list, or one object a line/],
    ['a bad element', `[\n${good.trim()},\n\n{"scenario": 1}]`, ':4: scenario is 1', /must be a text/],
    ['a list that does not end', `[\n${good}`, ':3: the list does not end', /JSON list, or one object a line/],
    [
      'content nested too deeply',
      `{"scenario": "verified", "report": ${deep}}`,
      ':1: the JSON is nested too deeply',
      /shorten/,
    ],
    ['another encoding', Buffer.from(`${good}{"scenario": "\xe9"}`, 'latin1'), ':2: the line is not UTF-8', /UTF-8/],
  ])('%s', async (_what, content, place, hint) => {
    const { code, out, err } = await judge(content);
    expect({ code, out }).toEqual({ code: 3, out: '' });
    expect(err).toContain(`results${place}`);
    expect(err).toMatch(hint);
  });

  test('all faults are told', async () => {
    const { err } = await judge('{"scenario": 1}\n{"report": {}}\n');
    expect(err).toMatch(/results:1: scenario is 1.*results:2: scenario is missing/s);
  });

  test('no file, a folder, and options that do not go together', async () => {
    expect((await capfit(['drill', '--results', join(folder, 'none')])).code).toBe(3);
    expect((await capfit(['drill', '--results', folder])).code).toBe(3);
    expect((await capfit(['drill', '-o', join(folder, 'x')])).code).toBe(2);
    expect((await capfit(['drill', '--results', 'x', '--scenarios'])).code).toBe(2);
    expect((await capfit(['drill', 'results.json'])).code).toBe(2);
    expect((await capfit(['drill', '--scenarios', '-o', folder])).code).toBe(3);
  });
});
