import { describe, expect, test } from 'vitest';
import { EMPTY_POLICY } from '../../src/policy/policy.js';
import { openSuccesses, upToText } from '../../src/replay/open-successes.js';
import { simulate } from '../../src/replay/simulate.js';
import { falseStopText } from '../../src/report/sentences.js';
import { run } from '../builders.js';

const passes = [{ input_tokens: 9, output_tokens: 1 }];
const good = [0, 1, 2].map((i) => run({ id: `g${i}`, status: 'done_verified', check: 'passed', passes }, i + 1));
const cut = run({ id: 'c', status: 'stopped_budget', reason: 'passes', check: 'none', passes }, 4);
const loose = { ...EMPTY_POLICY, caps: { passes: 20 } };
const NOUN = ['verified success', 'verified successes'] as const;

describe('runs stopped while recording among the successes of bounds', () => {
  test('none: the verified ones are all', () => {
    const replay = simulate(good, loose);
    expect([openSuccesses(replay), upToText(replay, NOUN)]).toEqual([0, null]);
  });

  test('one of them: the share is of one more, and the words say so', () => {
    const replay = simulate([...good, cut], loose);
    expect(openSuccesses(replay)).toBe(1);
    expect(upToText(replay, NOUN)).toBe(
      'up to 4 (3 verified successes, and 1 stopped while recording that might have been)',
    );
    const text = falseStopText(replay);
    expect(text).toContain('between 0 % and 25.0 %');
    expect(text).toContain(' of up to 4 (3 verified successes, and 1 stopped');
    expect(text).toContain('. 0 of 3 verified successes, and no more of those.');
  });
});
