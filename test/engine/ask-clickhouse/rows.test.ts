import { describe, expect, it } from 'vitest';
import { passLines } from '../../../src/engine/ask-clickhouse/rows.js';
import { tableSql, textSql } from '../../../src/engine/ask-clickhouse/words.js';
import { digestOf } from '../../../src/formats/csv/digest.js';
import { run } from '../../builders.js';

/** What stands in the lines. */
function passRows(...[run, order, digestOf]: Parameters<typeof passLines>): unknown[] {
  return passLines(run, order, digestOf).map((line) => JSON.parse(line) as unknown);
}

describe('passLines', () => {
  it('is a row a pass, with the fields of the run on each', () => {
    const calls = [
      { tool: 'read', args: { q: 1 }, result_digest: 'd1', error: true },
      { tool: 'poll', args_digest: 'd2', args: 'x' },
    ];
    const rows = passRows(
      run({
        labels: { kind: 'x', half: '\uD800' },
        recorded_under: { seconds: 0.3 },
        totals: { passes: 3, usd: 0.1 },
        passes: [
          { input_tokens: 1, output_tokens: null, seconds: 0.000001, calls },
          { input_tokens: 2, output_tokens: 3, seconds: null, steps: 4 },
        ],
      }),
      7,
      digestOf,
    );
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatchObject({
      run_order: 7,
      run_id: 'run-1',
      verdict: 'passed',
      claim: '',
      'labels.name': ['kind', 'half'],
      'labels.value': ['x', '\uFFFD'],
      recorded_under_microseconds: 300_000,
      recorded_under_tokens: null,
      total_passes: 3,
      total_nanodollars: 100_000_000,
      passes_recorded: 1,
      pass: 1,
      input_tokens: 1,
      output_tokens: null,
      microseconds: 1,
      steps: null,
      'calls.tool': ['read', 'poll'],
      'calls.arguments': [digestOf({ q: 1 }), digestOf('x')],
      'calls.result': ['d1', ''],
      'calls.failed': [1, -1],
    });
    expect(rows[1]).toMatchObject({ pass: 2, microseconds: null, steps: 4, 'calls.tool': [] });
  });

  it('is one row with pass 0 for a run of which no pass is recorded', () => {
    expect(passRows(run({ passes: null }), 0, digestOf)).toMatchObject([{ passes_recorded: 0, pass: 0 }]);
    expect(passRows(run({ passes: [] }), 0, digestOf)).toMatchObject([{ passes_recorded: 1, pass: 0 }]);
  });
});

describe('words', () => {
  it('names stand in quotes, whatever is in them', () => {
    expect(tableSql('a')).toBe('`a`');
    expect(tableSql('db.a.b')).toBe('`db`.`a.b`');
    expect(tableSql('a` WHERE 1 --\\')).toBe('`a\\` WHERE 1 --\\\\`');
  });

  it('texts end where they end', () => {
    expect(textSql("a'b\\c\0\n\uDC00😀")).toBe("'a\\'b\\\\c\\0\\n\uFFFD😀'");
  });
});
