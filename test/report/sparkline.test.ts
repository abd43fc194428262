import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sparkLine } from '../../src/report/sparkline.js';
import { renderMarkdownTable, type Table } from '../../src/report/table.js';
import { renderTextTable } from '../../src/report/text-table.js';
import { textWidth } from '../../src/report/width.js';

const textOf = (values: readonly number[], mark: number | null, width: number): string =>
  Object.values(sparkLine({ values, mark }, width)).join('');

describe('sparkLine', () => {
  test.each([
    ['one column a whole number', [1, 2, 2, 3, 3, 3, 3], null, 10, '▂▄█'],
    ['a single one is drawn, none is not', [1, ...Array(99).fill(3)], null, 10, '▁ █'],
    ['the mark parts what is above it from what is not', [1, 2, 3, 4], 2, 10, '██│██'],
    ['a mark beyond all values stands at the end', [1, 1], 4, 10, '█   │'],
    ['a mark at the largest value has nothing behind it', [1, 4], 4, 10, '█  █│'],
    ['what is just above the mark stands behind it', [2, 2, 100], 99, 12, '█        │▄'],
    ['values that are all the same', [7, 7, 7], null, 8, '      █'],
    ['a single value', [0.5], null, 4, '   █'],
    ['nothing but zeros', [0, 0], 5, 8, ''],
    ['no value', [], 5, 8, ''],
  ])('%s', (_, values, mark, width, expected) => {
    expect(textOf(values, mark, width)).toBe(expected);
  });

  test('whole numbers do not beat against the columns', () => {
    const even = Array.from({ length: 33 }, (_, index) => index + 1);
    expect(textOf(even.slice(0, 32), null, 30)).toBe('█'.repeat(16));
    expect(textOf(even.slice(0, 30), null, 30)).toBe('█'.repeat(30));
  });

  test('is no wider than asked, and no value is on the wrong side of the mark', () => {
    const value = fc.oneof(fc.integer({ min: 0, max: 1e6 }), fc.double({ min: 0, max: 1e9, noNaN: true }));
    fc.assert(
      fc.property(
        fc.array(value, { maxLength: 40 }),
        fc.option(fc.double({ min: 1e-6, max: 1e9, noNaN: true })),
        fc.integer({ min: 3, max: 60 }),
        (values, mark, width) => {
          const { below, mark: sign, above } = sparkLine({ values, mark }, width);
          expect(textWidth(below + sign + above)).toBeLessThanOrEqual(width);
          expect(below + above).toMatch(/^[ ▁▂▃▄▅▆▇█]*$/);
          if (below === '') return;
          expect(/[▁-█]/.test(above)).toBe(mark !== null && values.some((each) => each > mark));
          expect(/[▁-█]/.test(below)).toBe(values.some((each) => mark === null || each <= mark));
        },
      ),
    );
  });
});

describe('a table with sparks', () => {
  const table: Table = {
    title: 'Percentiles',
    columns: [
      { header: 'metric', align: 'left' },
      { header: 'p50', align: 'right' },
    ],
    rows: [
      ['passes', '8'],
      ['tokens', '49,082'],
    ],
    notes: ['a note'],
    sparks: { header: 'spread │cap', rows: [{ values: [1, 2, 2, 3], mark: 2 }, null] },
  };

  test('has them where there is room', () => {
    expect(renderTextTable(table, { width: 30, color: false })).toMatchInlineSnapshot(`
      "Percentiles
      metric     p50  spread │cap
      ──────  ──────  ───────────
      passes       8  ▄█│▄
      tokens  49,082
      [1] a note"
    `);
    expect(renderTextTable(table, { width: 26, color: false })).toMatchInlineSnapshot(`
      "Percentiles
      metric     p50
      ──────  ──────
      passes       8
      tokens  49,082
      [1] a note"
    `);
  });

  test('colours them, and they read the same without', () => {
    const colored = renderTextTable(table, { width: 40, color: true });
    expect(colored).toContain('\u001b[36m▄█\u001b[39m\u001b[33m│▄\u001b[39m');
    expect(colored.replace(/\u001b\[\d+m/g, '')).toBe(renderTextTable(table, { width: 40, color: false }));
  });

  test('in Markdown has them as code', () => {
    expect(renderMarkdownTable(table)).toMatchInlineSnapshot(`
      "**Percentiles**

      | metric | p50 | spread │cap |
      | --- | ---: | --- |
      | passes | 8 | \`▄█│▄\` |
      | tokens | 49,082 |  |

      \\[1\\] a note"
    `);
  });
});
