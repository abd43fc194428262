import { describe, expect, test } from 'vitest';
import { readPolicy, writePolicyYaml } from '../../src/formats/policy/policy-file.js';
import type { Policy } from '../../src/policy/policy.js';
import { findPreset, PRESETS } from '../../src/policy/presets.js';
import { type Outcome, replayRun } from '../../src/replay/replay.js';
import { policy, run } from '../builders.js';

const preset = (name: string): Policy => findPreset(name)?.policy as Policy;

/** Passes of these token counts, each with one call that brings something new unless told otherwise. */
function turns(tokens: readonly number[], results: { readonly [pass: number]: unknown } = {}): object[] {
  return tokens.map((each, i) => ({
    input_tokens: each - 1,
    output_tokens: 1,
    seconds: 1,
    calls: [{ tool: 'look', args: { page: i }, result: results[i] ?? `page ${i}`, error: false }],
  }));
}

/** Reason, passes made, tokens billed. */
function ending({ stop, end }: Outcome): unknown[] {
  return [stop?.reason ?? null, end.passes, end.tokens];
}

describe('the published policies end runs as printed', () => {
  test('four-guards: three identical observations, at step 7 with 41,820 tokens', () => {
    const tokens = [3_100, 4_200, 5_300, 6_100, 7_000, 7_700, 8_420, 9_000];
    const stuck = turns(tokens, { 4: 'same', 5: 'same', 6: 'same' });
    expect(ending(replayRun(run({ passes: stuck }), preset('four-guards')))).toEqual(['repeats', 7, 41_820]);
    const twice = turns(tokens, { 5: 'same', 6: 'same' });
    expect(ending(replayRun(run({ passes: twice }), preset('four-guards')))).toEqual([null, 8, 50_820]);
  });

  test('four-guards: out of tokens at step 11 with 61,004 of 60,000', () => {
    const tokens = [...Array.from({ length: 10 }, () => 5_500), 6_004, 100];
    expect(ending(replayRun(run({ passes: turns(tokens) }), preset('four-guards')))).toEqual(['tokens', 11, 61_004]);
  });

  test('four-guards asks for progress before tokens, and tokens before steps', () => {
    const last = Array.from({ length: 13 }, (_, i) => (i === 11 ? 60_000 : 100));
    const stuck = turns(last, { 9: 'x', 10: 'x', 11: 'x' });
    expect(replayRun(run({ passes: stuck }), preset('four-guards')).stop?.reason).toBe('repeats');
    expect(replayRun(run({ passes: turns(last) }), preset('four-guards')).stop?.reason).toBe('tokens');
    const cheap = turns(Array.from({ length: 13 }, () => 100));
    expect(ending(replayRun(run({ passes: cheap }), preset('four-guards')))).toEqual(['passes', 12, 1_200]);
  });

  test('8 steps judged before each dispatch: two turns completed, a third billed whose tool is not run', () => {
    const outcome = replayRun(
      run({ passes: turns([100, 100, 100, 100]) }),
      policy({ caps: { steps: 8 }, steps_at: 'dispatch' }),
    );
    expect([outcome.stop?.reason, outcome.stop?.afterPasses, outcome.end.tokens, outcome.end.steps]).toEqual([
      'steps',
      3,
      300,
      8,
    ]);
    // At boundaries alone nine steps have been emitted before the cap is looked at.
    const later = replayRun(run({ passes: turns([100, 100, 100, 100]) }), policy({ caps: { steps: 8 } }));
    expect([later.stop?.afterPasses, later.end.steps]).toEqual([3, 9]);
  });

  test('eight-turns, as mended, gives eight turns', () => {
    const nine = turns(Array.from({ length: 9 }, () => 100));
    expect(ending(replayRun(run({ passes: nine }), preset('eight-turns')))).toEqual(['passes', 8, 800]);
    expect(replayRun(run({ passes: nine.slice(0, 8) }), preset('eight-turns')).stop).toBeNull();
  });

  test('six-conditions: the fourth request anywhere is not run, four calls without news end the run', () => {
    const asked = turns([9, 9, 9, 9, 9, 9, 9]).map((turn, i) => ({
      ...turn,
      calls: [{ tool: 'look', args: i % 2, result: i }],
    }));
    expect(ending(replayRun(run({ passes: asked }), preset('six-conditions')))).toEqual(['repeats', 7, 63]);
    const stale = turns([9, 9, 9, 9, 9, 9], ['a', 'a', 'a', 'a', 'a', 'b']);
    expect(ending(replayRun(run({ passes: stale }), preset('six-conditions')))).toEqual(['stale', 5, 45]);
  });

  test('three-exits: the third identical call with an identical result, whatever its caps', () => {
    const same = Array.from({ length: 4 }, () => ({ calls: [{ tool: 'a', args: 1, result: 2 }] }));
    expect(replayRun(run({ passes: same }), preset('three-exits')).stop?.afterPasses).toBe(3);
    expect(findPreset('three-exits')?.derivesCaps).toBe(true);
  });
});

describe('detectors of others fire at the number they are known for', () => {
  const rows = (calls: readonly object[]): object[] => [...calls.map((call) => ({ calls: [call] })), {}];
  const poll = (n: number, result: (i: number) => unknown = () => 'same'): object[] =>
    rows(Array.from({ length: n }, (_, i) => ({ tool: 'a', args: 1, result: result(i) })));
  const swing = (n: number): object[] =>
    rows(Array.from({ length: n }, (_, i) => ({ tool: 'ab'[i % 2], args: 1, result: 'same' })));

  test.each([
    ['openhands', poll(9), 4],
    ['openhands', swing(9), 6],
    ['openhands', Array.from({ length: 5 }, () => ({})), 3],
    ['gemini-cli', poll(9, (i) => i), 5],
    ['gemini-cli', swing(12), 10],
    ['cline', poll(9, (i) => i), 5],
    ['roo', poll(9, (i) => i), 4],
    ['roo', poll(4).slice(0, 4), 4],
    ['crewai', poll(9, (i) => i), 2],
    ['opencode', poll(9, (i) => i), 3],
    ['openclaw', poll(30), 20],
    ['openclaw', swing(44), 40],
    ['deepeval', swing(9), 5],
    ['swe-agent', rows(Array.from({ length: 5 }, (_, i) => ({ tool: 'a', args: i, error: true }))), 3],
  ])('%s', (name, passes, at) => {
    expect(replayRun(run({ passes }), preset(name)).stop?.afterPasses).toBe(at);
  });
});

describe('PRESETS', () => {
  test('have names of their own, found by them, and say what they stand for', () => {
    const names = PRESETS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(PRESETS.map(({ name }) => findPreset(name)?.policy.name)).toEqual(names);
    expect(PRESETS.every(({ standsFor }) => standsFor.endsWith('.'))).toBe(true);
    expect(findPreset('four-guard')).toBeNull();
  });

  test.each(PRESETS.map((each) => [each.name, each.policy] as const))('%s is written and read back', (_, written) => {
    const { policy: again, problems } = readPolicy(writePolicyYaml(written), 'p.yaml');
    const asked = ({ order, caps, rules }: Policy): string[] =>
      order.filter((entry) => (entry === 'rules' ? rules.length > 0 : caps[entry] !== undefined));
    expect(problems).toBeNull();
    expect({ ...again, order: asked(again as Policy) }).toEqual({ ...written, order: asked(written) });
  });
});
