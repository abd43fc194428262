import { describe, expect, test } from 'vitest';
import { createGuard, type Guard, type PolicyRecord } from '../../src/guard/index.js';
import { askFirst, tellMade } from '../../src/guard/made-calls.js';

const USAGE = { inputTokens: 90, outputTokens: 10 };
const READ = { tool: 'read', args: { file: 'a' } };
const BEFORE_DISPATCH: PolicyRecord = {
  capfit: 'policy/v1',
  rules: [{ rule: 'repeat', key: 'request', count: 2, when: 'before_dispatch' }],
};

function pass(guard: Guard): void {
  expect(guard.beforeCall()).toBeNull();
  guard.charge(USAGE);
}

describe('afterPass', () => {
  test('gives the exit that beforeCall would give', () => {
    const guard = createGuard({ capfit: 'policy/v1', caps: { passes: 2 } });
    pass(guard);
    expect(guard.afterPass()).toBeNull();
    pass(guard);
    const exit = guard.afterPass();
    expect(exit).toMatchObject({ reason: 'passes', limit: { cap: 2, counter: 2 } });
    expect(guard.beforeCall()).toBe(exit);
  });

  test('opens no pass: a loop that ends there has made none', () => {
    const guard = createGuard({ capfit: 'policy/v1' });
    expect(guard.afterPass()).toBeNull();
    pass(guard);
    expect(guard.afterPass()).toBeNull();
    expect(guard.finish()).toMatchObject({ passes: 1, tokens: 100, reason: 'no_exit' });
  });
});

describe('an exit inside a pass', () => {
  test('leaves the pass open for what its model call used, at the time of the exit', () => {
    let now = 0;
    const guard = createGuard({ capfit: 'policy/v1' }, { now: () => now });
    expect(guard.beforeCall()).toBeNull();
    now = 2_000;
    guard.cancel();
    now = 9_000;
    expect(guard.report()).toMatchObject({ passes: 1, tokens: null, seconds: 2 });
    guard.charge(USAGE);
    expect(guard.report()).toMatchObject({ passes: 1, tokens: 100, seconds: 2 });
    expect(guard.finish()).toEqual(guard.report());
  });

  test('at a refused call keeps the steps emitted by then', () => {
    const guard = createGuard({ capfit: 'policy/v1', caps: { steps: 4 }, steps_at: 'dispatch' });
    expect(guard.beforeCall()).toBeNull();
    expect(guard.beforeDispatch(READ)).toBeNull();
    expect(guard.beforeDispatch({ tool: 'write' })).toMatchObject({ reason: 'steps' });
    guard.charge(USAGE);
    expect(guard.finish()).toMatchObject({ passes: 1, tokens: 100, steps: 4 });
  });
});

describe('calls that are told after their pass', () => {
  test('a call that nobody asked about does not stand in for one that was asked about', () => {
    const guard = createGuard(BEFORE_DISPATCH);
    pass(guard);
    expect(askFirst(guard, 'asked', READ)).toBeNull();
    tellMade(guard, [
      { id: 'late', call: { tool: 'list', args: {} }, result: 'b', error: false },
      { id: 'asked', call: READ, result: 'a', error: false },
    ]);
    expect(guard.afterPass()).toBeNull();
    pass(guard);
    expect(askFirst(guard, 'again', { tool: 'list', args: {} })).toMatchObject({ reason: 'repeats' });
  });

  test('a call is asked about once: its id in a later pass is that of another call', () => {
    const list = { tool: 'list', args: {} };
    const guard = createGuard(BEFORE_DISPATCH);
    pass(guard);
    askFirst(guard, 'id', READ);
    tellMade(guard, [{ id: 'id', call: READ, result: 'a', error: false }]);
    pass(guard);
    askFirst(guard, 'new', list);
    tellMade(guard, [
      { id: 'id', call: READ, result: 'a', error: false },
      { id: 'new', call: list, result: 'b', error: false },
    ]);
    expect(guard.afterPass()).toBeNull();
  });
});
