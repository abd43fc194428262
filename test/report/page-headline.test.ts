import { describe, expect, test } from 'vitest';
import { calibrate } from '../../src/replay/calibrate.js';
import { heldInstead } from '../../src/replay/calibrate-held.js';
import { pageTiles } from '../../src/report/page-headline.js';
import { pageSections } from '../../src/report/page-sections.js';
import { renderText } from '../../src/report/render-text.js';
import { savedText } from '../../src/report/sentences.js';
import { policy } from '../builders.js';
import { recordsOf, tableOf } from '../page/pages.js';

const FAILED = { status: 'halted_error', reason: 'boom', check: 'failed' };
const MAKING = { version: '1.2.3', command: 'capfit report runs.jsonl', fingerprint: 'sha256:ab', source: null };

describe('what a reader sees first', () => {
  test('is the caps, what they cost, what they save and how sure that is', () => {
    const table = tableOf([
      ...recordsOf(Array.from({ length: 120 }, (_, at) => 1 + (at % 12))),
      ...recordsOf([40, 40], FAILED),
    ]);
    const tiles = pageTiles(calibrate(table));
    expect(tiles.map(({ term, figures }) => [term, ...figures])).toEqual([
      ['Stop a run at', '15 passes', '1,500 tokens', '7.5 s', 'repeats at 3'],
      ['Good runs stopped', '0 %'],
      ['Tokens saved', '5.81 %'],
      ['How sure: of new runs', 'up to 3.03 %'],
    ]);
  });

  test('of a policy of its own says nothing that was found of the derived one', () => {
    const table = tableOf(recordsOf(Array.from({ length: 120 }, (_, at) => 1 + (at % 12))));
    const own = policy({ caps: { passes: 6 } });
    const held = heldInstead(calibrate(table), table, own, { claimed: false, finishedOnly: false });
    const tiles = pageTiles(held);
    expect(tiles.map(({ figures }) => figures)).toEqual([['6 passes'], ['50.0 %'], ['26.9 %'], ['up to 59.3 %']]);
    expect(tiles[3]?.notes.at(-1)).toBe(
      'Not cross-validated: the caps of this policy were not derived from these runs.',
    );
    expect([held.whole.policy, held.report.policy]).toEqual([held.report.policy, held.whole.policy]);
    expect(held.report.diagnosis.map(({ code }) => code)).toContain('trips_often');
  });

  test('is a range where the recording leaves it open, and how sure it is covers it', () => {
    const total = { passes: null, totals: { passes: 30, tokens: 3000 } };
    const table = tableOf([
      ...recordsOf(Array.from({ length: 120 }, (_, at) => 1 + (at % 12))),
      ...Array.from({ length: 30 }, (_, at) => ({ id: `t${at}`, status: 'done_verified', check: 'passed', ...total })),
    ]);
    const population = { claimed: false, finishedOnly: false };
    const held = heldInstead(calibrate(table), table, policy({ caps: { tokens: 2000 } }), population);
    const [, lost, saved, sure] = pageTiles(held);
    const high = `${(100 * (held.whole.bounds?.ci95?.[1] ?? 0)).toFixed(1)} %`;
    expect([lost?.figures, lost?.notes[0], saved?.figures, sure?.figures]).toEqual([
      ['0 % to 20.0 %'],
      '0 to 30 of 150 verified successes',
      [expect.stringMatching(/^0 % to [\d.]+ %$/)],
      [`up to ${high}`],
    ]);
    const all = calibrate(table);
    const open = { ...all, whole: held.whole };
    expect(pageTiles(open)[3]?.figures).toEqual([`up to ${high}`]);
    expect(pageTiles(open)[3]?.notes[0]).toContain('over all that the recording leaves open');
  });

  test('is what cannot be told, where nothing tells it', () => {
    const spend = { reduction: 0 };
    expect([
      savedText(null),
      savedText(spend),
      savedText(spend, { replayed: [0, null], reduction: [null, 1] }),
      savedText(spend, { replayed: [5, null], reduction: [null, 0.944] }),
      savedText({ reduction: 0.2 }, { replayed: [5, 8], reduction: [0.2, 0.5] }),
      savedText({ reduction: 0.2 }, { replayed: [8, 8], reduction: [0.2, 0.2] }),
    ]).toEqual(['unknown', '0 %', 'cannot be told', '94.4 % at best', '20.0 % to 50.0 %', '20.0 %']);
  });

  test('is unknown, in words, where no run is a success', () => {
    const table = tableOf(recordsOf([3, 4], FAILED));
    const held = heldInstead(calibrate(table), table, policy({ caps: { passes: 2 } }), {
      claimed: false,
      finishedOnly: false,
    });
    expect(pageTiles(held).map(({ figures }) => figures)).toEqual([['2 passes'], ['unknown'], ['42.9 %'], ['unknown']]);
  });
});

describe('the parts of the page', () => {
  const table = tableOf(recordsOf(Array.from({ length: 40 }, (_, at) => 1 + (at % 12))));
  const sections = pageSections(calibrate(table), MAKING);

  test('come in their order, the card last', () => {
    expect(sections.map(({ id }) => id)).toEqual([
      ...['sizes', 'figures', 'spend', 'ladder', 'incidence', 'sure', 'frontier', 'reasons', 'cut'],
      ...['diagnosis', 'method', 'again', 'card'],
    ]);
  });

  test('have no title of their own among their blocks', () => {
    for (const { blocks, folded } of sections)
      for (const each of [...blocks, ...(folded?.blocks ?? [])])
        if (each.kind === 'heading') expect(each.level).toBe(2);
  });

  test('say how to make the page again', () => {
    const { blocks = [] } = sections.find(({ id }) => id === 'again') ?? {};
    expect(renderText(blocks, { width: 80, color: false })).toBe(
      'capfit report runs.jsonl\n\nMade by  capfit 1.2.3\nFingerprint of the runs\n         sha256:ab',
    );
  });
});
