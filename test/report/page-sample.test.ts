import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RunTable } from '../../src/model/table.js';
import { heldOnPage } from '../../src/report/page-sample.js';
import { panelSection } from '../../src/report/page-sections.js';
import { renderText } from '../../src/report/render-text.js';
import { recordsOf, tableOf } from '../page/pages.js';

const KINDS: readonly object[] = [
  {},
  { status: 'stopped_budget', reason: 'passes', check: 'failed' },
  { status: 'stopped_budget', reason: 'tokens', check: 'failed' },
  { status: 'halted_error', reason: 'boom', check: 'failed' },
  { status: 'running', check: 'none' },
];

/** So many runs of each kind, one kind after the other. */
function mixed(counts: readonly number[]): RunTable {
  const records = counts.flatMap((count, kind) =>
    recordsOf(
      Array.from({ length: count }, () => 1),
      KINDS[kind],
    ).map((record, at) => ({ ...record, id: `${kind}-${at}` })),
  );
  return tableOf(records);
}

const countsIn = (table: RunTable): number[] =>
  KINDS.map((_, kind) => [...table].filter(({ id }) => id.startsWith(`${kind}-`)).length);

describe('the runs that a page holds', () => {
  test('are all of them where they fit, without the place that they were read from', () => {
    const [table, held] = [mixed([3, 2]), heldOnPage(mixed([3, 2]), 5)];
    expect([...held]).toEqual([...table].map((run) => ({ ...run, origin: { file: '', line: null } })));
  });

  test('keep the share of each kind of ending where they do not fit, and no kind goes unheard', () => {
    const counts = fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 5, maxLength: 5 });
    fc.assert(
      fc.property(counts, fc.integer({ min: 10, max: 100 }), (all, most) => {
        const total = all.reduce((sum, count) => sum + count, 0);
        const held = countsIn(heldOnPage(mixed(all), most));
        for (const [kind, count] of all.entries()) {
          const share = total <= most ? count : (count * most) / total;
          expect(held[kind]).toBe(count === 0 ? 0 : Math.max(1, Math.floor(share)));
        }
      }),
      { numRuns: 40 },
    );
  });

  test('are drawn from one end of the recording to the other, each once', () => {
    const ids = [...heldOnPage(mixed([100]), 4)].map(({ id }) => id);
    expect(ids).toEqual(['0-12', '0-37', '0-62', '0-87']);
  });

  test('are said to be a sample, beside the controls', () => {
    const text = renderText(panelSection(20_000, 54_321).blocks, { width: 400, color: false });
    expect(text).toContain('This page holds a sample of 20,000 of 54,321 runs, drawn evenly from each kind of ending');
    expect(renderText(panelSection(400, 400).blocks, { width: 400, color: false })).not.toContain('sample');
  });
});
