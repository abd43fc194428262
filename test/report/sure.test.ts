import { describe, expect, test } from 'vitest';
import type { CrossValidated } from '../../src/replay/cross-validate-result.js';
import { plan } from '../../src/replay/plan.js';
import type { Block } from '../../src/report/blocks.js';
import { planBlocks } from '../../src/report/plan-blocks.js';
import { renderMarkdown } from '../../src/report/render-markdown.js';
import { renderText } from '../../src/report/render-text.js';
import { sureBlocks } from '../../src/report/sure-blocks.js';
import { passes, run } from '../builders.js';
import { HOSTILE_NAMES, UNSAFE_OUTPUT, widestLine } from './fixtures.js';

const SURE: CrossValidated = {
  successes: 310,
  rate: 4.2 / 310,
  count: 4.2,
  ci95: [0.0039, 0.0336],
  counts: [4, 4, 4, 4, 4, 4, 4, 4, 4, 6],
  rates: [4 / 310, 6 / 310],
  rate_at_most: null,
  trained_on: 279,
  optimism: 1.2 / 310,
  folds: 10,
  repeats: 10,
  seed: 1,
  cluster: null,
  in_sample: { count: 3, rate: 3 / 310, ci95: [0.002, 0.028], rate_at_most: null },
  not_judged: null,
};
const NOTHING = { rate: null, count: null, ci95: null, counts: [], rates: null, trained_on: null, optimism: null };
const PADDED = { population: 'verified', warnings: [] };
const FITTED = { population: 'verified', warnings: [{ code: 'in_sample_interval', message: 'm', hint: 'h' }] };

const runs = Array.from({ length: 60 }, (_, index) =>
  run({
    id: `r-${index}`,
    passes: passes(2 + (index % 7)),
    ...(index % 5 === 0 ? { status: 'halted_error', check: 'failed', reason: 'x' } : {}),
  }),
);

const SECTIONS: readonly (readonly [name: string, blocks: Block[]])[] = [
  ['sure', sureBlocks(SURE, PADDED)],
  ['sure-fitted', sureBlocks({ ...SURE, cluster: { label: 'task_id', tasks: 41 } }, FITTED)],
  ['sure-unjudged', sureBlocks({ ...SURE, ...NOTHING, not_judged: '7 successes are too few' }, PADDED)],
  ['plan', planBlocks(plan(runs))],
  ['plan-without-runs', planBlocks(plan(null, { target: 0.005, above: 2 }))],
];

function text(blocks: readonly Block[], width = 80): string {
  return renderText(blocks, { width, color: false });
}

/** As one line, so that a sentence is found however it is wrapped. */
function spoken(blocks: readonly Block[]): string {
  return text(blocks).replace(/\s+/g, ' ');
}

describe.each(SECTIONS)('%s', (name, blocks) => {
  test('as text at 80 columns', async () => {
    expect(widestLine(text(blocks))).toBeLessThanOrEqual(80);
    await expect(`${text(blocks)}\n`).toMatchFileSnapshot(`golden/${name}-80.txt`);
  });

  test('fits a narrow terminal, prints no NaN, null or undefined', () => {
    for (const width of [24, 40, 60]) expect(widestLine(text(blocks, width))).toBeLessThanOrEqual(width);
    for (const output of [text(blocks), renderMarkdown(blocks)])
      expect(output).not.toMatch(/NaN|Infinity|null|undefined/);
  });
});

describe('how sure', () => {
  test('says what to expect, and that it is more only where it is', () => {
    expect(spoken(sureBlocks(SURE, PADDED))).toContain(
      'Of runs that the caps have never seen, expect about 1.35 % of the verified successes to be cut, and up to 3.36 % without being surprised. That is more than they cut of the runs they were taken from.',
    );
    expect(spoken(sureBlocks({ ...SURE, rate: 3.1 / 310, count: 3.1 }, PADDED))).not.toContain('That is more');
  });

  test('marks the figure of the sample where the caps stand on it', () => {
    expect(spoken(sureBlocks(SURE, FITTED))).toContain('too low, and with several caps perhaps too narrow');
    expect(spoken(sureBlocks(SURE, PADDED))).not.toContain('too low');
  });

  test('tells the rounds, the tasks and what is known in total only', () => {
    const clustered: CrossValidated = {
      ...SURE,
      ...{ cluster: { label: 'task_id', tasks: 41 }, rate_at_most: 0.05, ci95: [0.0039, 0.081] },
    };
    expect(spoken(sureBlocks(clustered, PADDED))).toContain('10 parts, all of one task_id together (41 of them), and');
    expect(spoken(sureBlocks(clustered, PADDED))).toContain('whether it is cut is known of 299 of 310');
    expect(spoken(sureBlocks({ ...SURE, counts: [4, 4] }, PADDED))).toContain('(4 each time)');
  });

  test('a label out of the data cannot break the output', () => {
    for (const label of HOSTILE_NAMES) {
      const blocks = sureBlocks({ ...SURE, cluster: { label, tasks: 41 } }, PADDED);
      expect(text(blocks)).not.toMatch(UNSAFE_OUTPUT);
      expect(widestLine(text(blocks))).toBeLessThanOrEqual(80);
    }
  });
});
