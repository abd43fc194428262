import { describe, expect, test } from 'vitest';
import { simulate } from '../../src/replay/simulate.js';
import { whatIf } from '../../src/replay/whatif.js';
import type { SpendDifference } from '../../src/replay/whatif-result.js';
import { openSpendText } from '../../src/replay/whatif-spend-words.js';
import { renderText } from '../../src/report/render-text.js';
import { replayBlocks } from '../../src/report/replay-blocks.js';
import { whatIfBlocks } from '../../src/report/whatif-blocks.js';
import { passes, policy, run } from '../builders.js';

const spoken = (blocks: Parameters<typeof renderText>[0]): string =>
  renderText(blocks, { width: 80, color: false }).replace(/\s+/g, ' ');
const TOTALS = Array.from({ length: 60 }, (_, n) => run({ id: `g${n}`, passes: null, totals: { tokens: 100 + n } }));

describe('what could not be judged, in words', () => {
  test('replay says it before any number, and no rate as if it were sure', () => {
    const out = spoken(replayBlocks(simulate(TOTALS, policy({ caps: { passes: 2 } }))));
    expect(out).toContain(
      'What passes would stop cannot be judged: no run tells its passes. Between 0 and 60 of 60 verified successes finish. False stops: between 0 % and 100 % (exact 95 % interval 0 % to 100 %). 0 of 60 verified successes for sure; whether more is left open by the recording. For 0 of 60 it is known whether they are stopped.',
    );
    expect(out).not.toContain('0 of 60 verified successes = 0 %');
  });

  test('what-if: in the overview, in the rows, and never as a limit that stops nothing', () => {
    const today = { name: 'p', policy: policy({ caps: { tokens: 500 } }) };
    const with2 = (passCap: number): typeof today => ({
      name: `passes=${passCap}`,
      policy: policy({ caps: { tokens: 500, passes: passCap } }),
    });
    const blocks = whatIfBlocks(whatIf(TOTALS, today, [with2(2), with2(3)], { resamples: 100 }));
    const rows = renderText(blocks, { width: 100, color: false })
      .split('\n')
      .map((line) => line.trim().split(/ {2,}/));
    expect(rows).toContainEqual(['passes=2', '0 to 60', '0 % to 100 %', '0', '0 to 7,770', '-100 % to 0 %', '-', '-']);
    expect(rows).toContainEqual(['known of', '60 of 60', '0 of 60']);
    expect(spoken(blocks)).toContain(
      'Whether it is ever the first to stop a run under passes=2 cannot be told: passes (cannot judge 60 runs).',
    );
    expect(spoken(blocks)).not.toMatch(/changes nothing|passes \(not even alone/);
  });

  test('a limit that could judge some runs only: the rest widens the interval', () => {
    const some = Array.from({ length: 20 }, (_, n) =>
      run({ id: `s${n}`, passes: n < 15 ? passes(3) : [{ seconds: 1 }, { seconds: 1 }] }),
    );
    const replay = simulate(some, policy({ caps: { tokens: 900 } }));
    expect(replay.false_stops).toMatchObject({ count: 0, rate: 0, ci95: [0, expect.closeTo(0.1684, 4)] });
    expect(spoken(replayBlocks(replay))).toContain(
      'False stops: between 0 % and 25.0 % (exact 95 % interval 0 % to 49.1 %). 0 of 20 verified successes for sure; whether more is left open by the recording. For 15 of 20 it is known whether they are stopped.',
    );
  });
});

test('spend with an open end is said by what is known', () => {
  const said = (low: number | null, high: number | null): string =>
    openSpendText({ replayed: 0, relative: 0, reduction: 0, bounds: [low, high] } as SpendDifference, 100, 'usd');
  expect([
    said(null, null),
    said(null, -5),
    said(null, 0),
    said(null, 5),
    said(5, null),
    said(0, null),
    said(-5, null),
    said(-5, 0),
    said(-5, 5),
    said(0, 5),
  ]).toEqual([
    'spend nobody knows how many dollars',
    'save at least 5 % of dollars',
    'save something between nothing and an unknown amount of dollars',
    'spend up to 5 % more dollars, or save an unknown amount of them',
    'spend at least 5 % more dollars',
    'spend as many dollars or more, by an unknown amount',
    'save up to 5 % of dollars, or spend an unknown amount more',
    'save between 0 % and 5 % of dollars',
    'spend between 5 % less and 5 % more in dollars',
    'spend between 0 % and 5 % more dollars',
  ]);
});
