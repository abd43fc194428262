import { describe, expect, test } from 'vitest';
import { simulate } from '../../src/replay/simulate.js';
import { buildCard } from '../../src/report/card.js';
import { cardBlocks } from '../../src/report/card-blocks.js';
import { ladderBlocks } from '../../src/report/ladder-blocks.js';
import { renderText } from '../../src/report/render-text.js';
import { replayBlocks } from '../../src/report/replay-blocks.js';
import { passes, policy, run } from '../builders.js';
import { capfit, put, scratchFolder } from '../cli/harness.js';

const folder = scratchFolder();

/** Eight good runs of two passes; two that were stopped after five, and the future of which nobody knows. */
const RECORDS = [
  ...Array.from({ length: 8 }, (_, i) => ({ id: `good-${i}`, passes: passes(2) })),
  ...['a', 'b'].map((id) => ({
    ...{ id, status: 'stopped_budget', check: 'none', reason: 'passes', passes: passes(5) },
    labels: { kind: 'cut' },
  })),
].map((record) => ({ status: 'done_verified', check: 'passed', recorded_under: { passes: 5 }, ...record }));
const RUNS = RECORDS.map((record, i) => run(record, i + 1));
const FILE = put(folder, 'runs.jsonl', RECORDS.map((record) => JSON.stringify(record)).join('\n'));
const LOOSER = policy({ caps: { passes: 9 } });

const spoken = (text: string): string => text.replace(/\s+/g, ' ');

describe('a policy looser than the recording', () => {
  const replay = simulate(RUNS, LOOSER, { by: ['kind'] });
  const text = renderText(replayBlocks(replay), { width: 80, color: false });

  test('the headline gives bounds, not a number', () => {
    expect(spoken(text)).toContain(
      'False stops: between 0 % and 20.0 % (exact 95 % interval 0 % to 55.6 %) of up to 10 (8 verified successes, and 2 stopped while recording that might have been). 0 of 8 verified successes, and no more of those. Spend 2,600 -> 2,600 or more tokens, 0 % at best.',
    );
  });

  test('so does every figure that rests on runs that would go on', () => {
    for (const row of [
      ['tokens', '2,600', '2,600 or more', '0 % at best', '10 of 10 runs'],
      ['passes', '26', '26 or more', '0 % at best', '10 of 10 runs'],
      ['kind=cut', '2', '0', '0 to 2 [1]', '0 % to 100 %', '0 % at best'],
    ]) {
      const line = text
        .split('\n')
        .find((each) => each.startsWith(row[0] as string) && each.includes(row.at(-1) as string));
      expect(line?.trimEnd().split(/ {2,}/)).toEqual(row);
    }
    expect(spoken(text)).toContain(
      'Censored 2 runs were stopped while recording and would go on under this policy: their future is unknown, their recorded ending is kept. If none of them would succeed: 8 of 8 finish, false stops 0 %; if all would, before this policy stops them: 10 of 10 finish, false stops 0 %; if all would, but only beyond it: false stops 20.0 %.',
    );
  });

  test('the ladder and the card say the same; what was recorded stays a number', () => {
    const ladder = renderText(
      ladderBlocks([
        { step: 'as recorded', replay: simulate(RUNS, policy({})) },
        { step: 'caps alone', replay },
      ]),
      { width: 100, color: false },
    );
    const rows = ladder.split('\n').map((line) => line.trimEnd().split(/ {2,}/));
    expect(rows).toContainEqual(['as recorded', '8 of 8', '0 (0 %)', '2 [1]', '2,600', '0 %']);
    expect(rows).toContainEqual([
      'caps alone',
      '8 of 8',
      '0 to 2 (0 % to 20.0 %) [2]',
      '2 [1]',
      '2,600 or more',
      '0 % at best',
    ]);
    expect(spoken(ladder)).toContain(
      '[2] of up to 10 (8 verified successes, and 2 stopped while recording that might have been)',
    );
    const card = renderText(cardBlocks(buildCard(LOOSER, { replay })), { width: 80, color: false });
    expect(spoken(card)).toContain('2,600 -> 2,600 or more tokens, 0 % at best.');
    expect(spoken(card)).toContain('between 0 % and 20.0 % (exact 95 % interval 0 % to 55.6 %)');
  });

  test('sweep: a row that is looser is no bare number, a tighter one is', async () => {
    const { out } = await capfit(['sweep', FILE, '--passes', '1,9'], { columns: 80 });
    const rows = out.split('\n').map((line) => line.trim().split(/ {2,}/));
    const loose = rows.find(([cap]) => cap === '9');
    expect(loose).toEqual(expect.arrayContaining(['0 % to 20.0 %', '55.6 %', '2,600 or more', 'at most 0 %']));
    expect(rows.find(([cap]) => cap === '1')?.join(' ')).not.toMatch(/or more|at most/);
    expect(spoken(out)).toContain('runs were stopped while recording and would go on');
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  test('tighter than the recording: plain numbers, no bounds', () => {
    const tight = simulate(RUNS, policy({ caps: { passes: 4 } }));
    expect(tight.bounds).toBeNull();
    expect(renderText(replayBlocks(tight), { width: 80, color: false })).not.toMatch(/or more|at best|leaves open/);
  });
});
