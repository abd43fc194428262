import { describe, expect, test } from 'vitest';
import type { Run } from '../../src/model/run.js';
import { drift } from '../../src/replay/drift.js';
import { percent } from '../../src/replay/drift-words.js';
import { driftBlocks } from '../../src/report/drift-blocks.js';
import { groupName } from '../../src/report/groups.js';
import { renderText } from '../../src/report/render-text.js';
import { policy, run } from '../builders.js';
import { widestLine } from './fixtures.js';

function sized(sizes: readonly number[], fields: object = {}, pass: object = { seconds: 1 }): Run[] {
  return sizes.map((size, index) =>
    run({ id: `r-${index}`, passes: Array.from({ length: size }, () => pass), ...fields }),
  );
}

const failed = (reason: string, count: number): Run[] =>
  sized(new Array(count).fill(2), { status: 'halted_error', check: 'failed', reason });
const SIZES = Array.from({ length: 60 }, (_, index) => 2 + (index % 9));

function text(old: Run[], fresh: Run[], options = {}): string {
  return renderText(driftBlocks(drift(old, fresh, options)), { width: 80, color: false });
}

/** As one line, so that a sentence is found however it is wrapped. */
const spoken = (...sets: Parameters<typeof text>): string => text(...sets).replace(/\s+/g, ' ');

/** The cells of the row that begins so. */
function row(output: string, start: string): string[] {
  const line = output.split('\n').find((each) => each.startsWith(start)) ?? '';
  return line.trimEnd().split(/ {2,}/);
}

describe('drift in words', () => {
  test('an outage of one reason stands in the headline, and its row says which way it moved', () => {
    const output = text([...sized(SIZES), ...failed('slow', 3)], [...sized(SIZES), ...failed('rate_limit', 16)]);
    expect(output.replace(/\s+/g, ' ')).toContain(
      'Moved: fewer runs end as "done_verified" (60 of 76 = 78.9 %, before 60 of 63 = 95.2 %); more runs end as "halted_error: rate_limit" (16 of 76 = 21.1 %, before 0 of 63 = 0 %).',
    );
    expect(row(output, 'halted_error: rate_limit')).toEqual([
      ...['halted_error: rate_limit', '0', '0 %', '16', '21.1 %', '+21.1', 'up'],
    ]);
    expect(row(output, 'halted_error: slow').at(-1)).toBe('-');
    expect(widestLine(output)).toBeLessThanOrEqual(80);
  });

  test('not moved: the headline itself says what would not have been seen', () => {
    expect(spoken(sized(SIZES), sized(SIZES))).toMatch(
      /Not moved, as far as 60 old and 60 new successes can tell: .* A smaller shift than this would not have been seen: every success taking \d+ % more passes or \d+ % more seconds; \d+ of 60 new successes above the old p99/,
    );
  });

  test('what shifted in the tail only is told so, in the figures of the table and without words of statistics', () => {
    const old = sized([...new Array(60).fill(9), ...new Array(40).fill(40)]);
    const fresh = sized([...new Array(90).fill(9), ...new Array(10).fill(20)]);
    const output = spoken(old, fresh);
    expect(output).toContain('p50 9 -> 9 and p99 40 -> 20: the middle is about the same, the large ones shrank');
    expect(output).not.toMatch(/small shift|medium|negligible|Cram/);
  });

  test('caps that nobody can judge print unknown and the reason, never 0', () => {
    const blind = sized(SIZES, {}, { seconds: null });
    const output = text(sized(SIZES), blind, { policy: policy({ caps: { seconds: 8 } }) });
    expect(row(output, 'false stops')).toEqual(['false stops', '12 of 60', 'unknown']);
    expect(row(output, 'false-stop rate').at(-1)).toBe('unknown');
    expect(row(output, '95 % interval of the rate').at(-1)).toBe('unknown');
    expect(output.replace(/\s+/g, ' ')).toContain(
      'What the old caps do to the 60 new good runs cannot be told: their record lacks what it takes to judge seconds (60 of 60).',
    );
    expect(output.replace(/\s+/g, ' ')).toContain(
      'Could not be compared: seconds (known for 60 of 60 old and 0 of 60 new successes).',
    );
    const part = text(sized(SIZES), [...blind.slice(0, 30), ...sized(SIZES.slice(0, 30))], {
      policy: policy({ caps: { seconds: 8 } }),
    });
    expect(row(part, 'false stops').at(-1)).toBe('6 to 36 of 60');
    expect(row(part, 'runs that end as stopped').at(-1)).toBe('10.0 % to 60.0 %');
  });

  test('what is known in neither set is named', () => {
    expect(spoken(sized(SIZES), sized(SIZES))).toContain('Not recorded in either set, so not compared: tokens, usd.');
  });

  test('all runs end in one way: no ending is called rare', () => {
    const output = text(sized(SIZES), sized(SIZES));
    expect(row(output, 'done_verified').at(-1)).toBe('-');
    expect(output).not.toContain('rare');
  });
});

test('a label value that does not show as itself stands in quotes', () => {
  expect(groupName({ agent: '' })).toBe('agent=""');
  expect(groupName({ agent: ' ' })).toBe('agent=" "');
  expect(groupName({ agent: 'a b', model: null })).toBe('agent=a b, model=(none)');
});

test('a share that is not quite all never reads as all', () => {
  expect([percent(1), percent(0.99999), percent(0.999), percent(0.5), percent(0)]).toEqual([
    ...['100 %', 'over 99.9 %', '99.9 %', '50 %', '0 %'],
  ]);
});
