import { describe, expect, test } from 'vitest';
import { derive } from '../../src/calibrate/derive.js';
import { explainCaps } from '../../src/calibrate/explain.js';
import { DERIVE_DEFAULTS, type DeriveOptions } from '../../src/calibrate/options.js';
import { decimalOf } from '../../src/model/decimal.js';
import type { Run } from '../../src/model/run.js';
import { explainBlocks } from '../../src/report/explain-blocks.js';
import { renderText } from '../../src/report/render-text.js';
import { passes, run } from '../builders.js';

function explained(runs: readonly Run[], changes: Partial<DeriveOptions> = {}, verbose = false): string {
  const options = { ...DERIVE_DEFAULTS, ...changes };
  const explanation = explainCaps(runs, derive(runs, options), options);
  const blocks = explainBlocks(explanation, { population: 'verified', verbose, hasGroups: options.by.length > 0 });
  return renderText(blocks, { width: 80, color: false });
}

const upTo = (n: number): Run[] =>
  Array.from({ length: n }, (_, index) => run({ id: `s-${index}`, passes: passes(index + 1) }, index + 1));

describe('explainBlocks', () => {
  test('shows ranks, values, runs and every step', () => {
    expect(explained(upTo(40), { p: decimalOf(0.9) })).toMatchInlineSnapshot(`
      "── Why these caps ──────────────────────────────────────────────────────────────
      44 passes: passes of 40 verified successes in ascending order
      rank  passes  run   remark
      ────  ──────  ────  ──────
        32      32  s-31
        33      33  s-32
        34      34  s-33
        35      35  s-34
        36      36  s-35  <- p90
        37      37  s-36
        38      38  s-37
        39      39  s-38
        40      40  s-39

      Rank      p90 of 40 values is at rank ceil(0.9 x 40) = ceil(36) = 36: 36
      Padding   36 x 1.2 = 43.2
      Rounding  up to a whole number: 44 (1.85 % more)
      Above     none of 40 lies above 44; at most 7.22 % with 95 % confidence

      4,500 tokens: tokens of 40 verified successes in ascending order
      rank  tokens  run   remark
      ────  ──────  ────  ──────
        32   3,200  s-31
        33   3,300  s-32
        34   3,400  s-33
        35   3,500  s-34
        36   3,600  s-35  <- p90
        37   3,700  s-36
        38   3,800  s-37
        39   3,900  s-38
        40   4,000  s-39

      Rank      p90 of 40 values is at rank ceil(0.9 x 40) = ceil(36) = 36: 3,600
      Padding   3,600 x 1.2 = 4,320
      Rounding  up to a multiple of 500: 4,500 (4.17 % more); the usual unit of 10,000
                would raise it by 131.5 %, so the largest smaller step of the series
                1, 2, 5 is taken that raises it by at most 10 %
      Above     none of 40 lies above 4,500; at most 7.22 % with 95 % confidence

      45 s: seconds of 40 verified successes in ascending order
      rank  seconds  run   remark
      ────  ───────  ────  ──────
        32     32 s  s-31
        33     33 s  s-32
        34     34 s  s-33
        35     35 s  s-34
        36     36 s  s-35  <- p90
        37     37 s  s-36
        38     38 s  s-37
        39     39 s  s-38
        40     40 s  s-39

      Rank      p90 of 40 values is at rank ceil(0.9 x 40) = ceil(36) = 36: 36 s
      Padding   36 s x 1.2 = 43.2 s
      Rounding  up to a multiple of 5 s: 45 s (4.17 % more); the usual unit of 30 s
                would raise it by 38.9 %, so the largest smaller step of the series 1,
                2, 5 is taken that raises it by at most 10 %
      Above     none of 40 lies above 45 s; at most 7.22 % with 95 % confidence

      - usd: no cap, since no success gives the figure.

      A success above a cap is cut only where a pass was still to come: capfit replay
      tells which are. Of equal values the run that was read first has the lower rank."
    `);
  });

  test('shows how a percentile was interpolated', () => {
    const text = explained(upTo(40), { p: decimalOf(0.9), method: 'linear' });
    expect(text).toContain(
      'position 1 + 0.9 x (40 - 1) = 36.1, between ranks 36 and 37: 36 + 0.1\n          x (37 - 36) = 36.1',
    );
  });

  test('names ten runs above a cap, and all when asked', () => {
    const options = { p: decimalOf(0.5), padding: decimalOf(1) };
    expect(explained(upTo(40), options)).toContain('… and 10 more (--verbose names all)');
    expect(explained(upTo(40), options, true)).not.toContain('--verbose');
    expect(explained(upTo(40), options, true)).toContain('s-20');
  });

  test('says that groups are not explained', () => {
    expect(explained(upTo(3))).not.toContain('--where');
    expect(explained(upTo(3), { by: ['x'] })).toContain('choose one group with --where');
  });

  test('without any success says so', () => {
    expect(explained([])).toMatch(/- passes: no cap, since there is no success to take it from\./);
  });

  test('shows hostile run ids as text', () => {
    const text = explained([run({ id: '\u001b[31mred\u202e', passes: passes(4) })]);
    expect(text).toContain('\\x1b[31mred\\u202e');
  });
});
