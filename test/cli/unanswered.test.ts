import { describe, expect, test } from 'vitest';
import { unansweredLines } from '../../src/cli/unanswered.js';
import type { FieldTally } from '../../src/formats/format.js';
import { capfit, put, scratchFolder } from './harness.js';

function tally(fields: Partial<FieldTally>): FieldTally {
  return { file: 'a.csv', key: 'check', expression: 'pased', asked: 12, found: 0, fields: ['id', 'passed'], ...fields };
}

describe('unansweredLines(tallies)', () => {
  test('names the key, the expression, the file, the near name and the fields that there are', () => {
    expect(unansweredLines([tally({}), tally({ key: 'id', expression: 'id', found: 12 })])).toStrictEqual([
      "check: 'pased' found nothing in any of 12 records of a.csv; did you mean passed?; fields there are: id, passed",
    ]);
  });

  test('several files without an answer are one line, whatever their number', () => {
    const others = [tally({ file: 'b.csv', asked: 1, fields: ['id', 'other'] }), tally({ file: 'c.csv', asked: 1 })];
    expect(unansweredLines([tally({}), ...others])).toStrictEqual([
      "check: 'pased' found nothing in any of 14 records; did you mean passed?; fields there are: id, passed, other",
    ]);
  });

  test('a file without an answer among files with one is told, unless it holds one record only', () => {
    const answered = tally({ file: 'b.csv', found: 3, expression: 'x.y', fields: [] });
    const one = tally({ file: 'c.csv', asked: 1, expression: 'x.y', fields: [] });
    expect(unansweredLines([tally({ expression: 'x.y', fields: [] }), answered, one])).toStrictEqual([
      "check: 'x.y' found nothing in any of 12 records of a.csv",
    ]);
  });

  test.each([
    ['pass.usd', 1, '1 model call'],
    ['call.result', 2, '2 tool calls'],
    ['result.error', 2, '2 results'],
    ['pass_when', 2, '2 events'],
    ['let.first', 2, '2 documents'],
    ['labels.a', 2, '2 records'],
  ])('%s is asked of %s', (key, asked, noun) => {
    expect(unansweredLines([tally({ key, asked, expression: 'zzz', fields: [] })])).toStrictEqual([
      `${key}: 'zzz' found nothing in any of ${noun} of a.csv`,
    ]);
  });

  test('long expressions and many fields are shown in short; fields say nothing about what a variable holds', () => {
    const fields = Array.from({ length: 15 }, (_, index) => `column_${index}`);
    expect(
      unansweredLines([
        tally({ expression: `zz +\n ${'y'.repeat(70)}`, fields }),
        tally({ key: 'status', expression: '$beside.ok', fields }),
        tally({ key: 'reason', expression: '$.why', fields: ['x'] }),
      ]),
    ).toStrictEqual([
      `check: 'zz + ${'y'.repeat(55)}…' found nothing in any of 12 records of a.csv; fields there are: ${fields.slice(0, 12).join(', ')}, …`,
      "status: '$beside.ok' found nothing in any of 12 records of a.csv",
      "reason: '$.why' found nothing in any of 12 records of a.csv; fields there are: x",
    ]);
  });
});

describe('--map', () => {
  const folder = scratchFolder();
  const table = put(folder, 'results.csv', 'name,passed,turns\na,true,3\nb,false,4\n');
  const mapping = (check: string): string =>
    put(folder, 'm.yaml', `capfit: map/v1\nid: name\ncheck: ${check}\ntotals: {passes: turns}\n`);

  test('a misspelt column is warned about on standard error', async () => {
    const flags = ['--map', mapping('pased'), table];
    const ran = await capfit(['convert', ...flags]);
    expect({ ...ran, out: ran.out.length > 0 }).toStrictEqual({
      code: 0,
      out: true,
      err: `the mapping ${folder}/m.yaml asks for what is not there:\n  check: 'pased' found nothing in any of 2 records of ${table}; did you mean passed?; fields there are: name, passed, turns\n`,
    });
    expect((await capfit(['convert', ...flags, '-q'])).err).toBe('');
  });

  test('a mapping that finds what it asks for is not', async () => {
    expect((await capfit(['convert', '--map', mapping('passed'), table])).err).toBe('');
  });
});
