import { describe, expect, test } from 'vitest';
import { createGuard, type Guard, type PolicyRecord, type Usage } from '../../src/guard/index.js';
import { policyOf } from '../../src/policy/of-record.js';

const USAGE: Usage = { inputTokens: 90, outputTokens: 10, usd: 0.01 };

function guardOf(fields: Omit<PolicyRecord, 'capfit'> = {}): { guard: Guard; wait(millis: number): void } {
  let millis = 5_000;
  const guard = createGuard({ capfit: 'policy/v1', ...fields }, { now: () => millis, transcriptId: 't-1' });
  return {
    guard,
    wait(more) {
      millis += more;
    },
  };
}

/** One pass that makes one call. */
function turn(guard: Guard, args: unknown = {}, result: unknown = 'ok', error: boolean | null = false): void {
  expect(guard.beforeCall()).toBeNull();
  guard.charge(USAGE);
  expect(guard.beforeDispatch({ tool: 'search', args })).toBeNull();
  guard.observe({ tool: 'search', args }, result, { error });
}

describe('exits', () => {
  test('a verified answer is done_verified, with everything a report carries', () => {
    const { guard, wait } = guardOf({ check: 'pytest' });
    turn(guard);
    wait(1_500);
    expect(guard.beforeCall()).toBeNull();
    guard.charge(USAGE);
    wait(500);
    expect(guard.claim('answer', '42')).toEqual({ exit: null, feedBack: null, needsCheck: true });
    guard.keep({ files: ['a.txt'] });
    const exit = { status: 'done_verified', reason: null, message: 'the check passed', limit: null };
    expect(guard.verify({ passed: true, output: '3 passed' })).toEqual({ exit, feedBack: null, needsCheck: false });
    expect(guard.finish()).toEqual({
      schema: 'capfit/report@1',
      ...exit,
      check: 'passed',
      claim: 'completed',
      passes: 2,
      tokens: 200,
      seconds: 2,
      usd: 0.02,
      steps: 5,
      transcript_id: 't-1',
      answer: '42',
      evidence: null,
      check_output: '3 passed',
      partial_work: { files: ['a.txt'] },
      wrap_up: null,
      warnings: [],
      not_judged: [],
    });
  });

  test('a claim without a check is done_claimed', () => {
    const { guard } = guardOf();
    turn(guard);
    expect(guard.claim('answer', 'done').exit?.status).toBe('done_claimed');
    expect(guard.finish()).toMatchObject({ status: 'done_claimed', check: 'none', claim: 'completed', answer: 'done' });
  });

  test.each(['blocked', 'impossible'] as const)('%s is a claim of its own', (kind) => {
    const { guard } = guardOf({ check: 'pytest' });
    turn(guard);
    expect(guard.claim(kind, 'no access to the account').exit?.status).toBe('done_claimed');
    const report = guard.finish();
    expect(report).toMatchObject({ status: 'done_claimed', claim: kind, evidence: 'no access to the account' });
    expect(report.answer).toBeNull();
  });

  test.each([
    ['passes', { passes: 2 }, { cap: 2, counter: 2 }],
    ['tokens', { tokens: 150 }, { cap: 150, counter: 200 }],
    ['seconds', { seconds: 1.5 }, { cap: 1.5, counter: 2 }],
    ['usd', { usd: 0.02 }, { cap: 0.02, counter: 0.02 }],
    ['steps', { steps: 6 }, { cap: 6, counter: 6 }],
  ])('the %s cap stops at the boundary where it is reached', (reason, caps, limit) => {
    const { guard, wait } = guardOf({ caps });
    for (let pass = 0; pass < 2; pass++) {
      turn(guard);
      wait(1_000);
    }
    expect(guard.beforeCall()).toMatchObject({ status: 'stopped_budget', reason, limit });
    expect(guard.finish()).toMatchObject({ status: 'stopped_budget', reason, passes: 2, limit });
  });

  test('of two limits reached at once the first in order is the reason', () => {
    const reason = (order: PolicyRecord['order']): string | null => {
      const { guard } = guardOf({ caps: { passes: 1, tokens: 100 }, order });
      turn(guard);
      return guard.beforeCall()?.reason ?? null;
    };
    expect([reason(undefined), reason(['tokens', 'passes'])]).toEqual(['passes', 'tokens']);
  });

  test('an error of the halt list halts, any other is fed back', () => {
    const { guard } = guardOf({ halt_on: ['permission_denied'] });
    turn(guard);
    expect(guard.fail('rate_limited', new Error('try later'))).toEqual({
      exit: null,
      feedBack: 'Error: rate_limited. try later',
      needsCheck: false,
    });
    expect(guard.fail('permission_denied').exit).toMatchObject({ status: 'halted_error', reason: 'permission_denied' });
  });

  test('cancel and halt are exits at once, and what ends first stands', () => {
    const { guard } = guardOf({ caps: { passes: 1 } });
    turn(guard);
    const canceled = guard.cancel();
    expect(canceled).toMatchObject({ status: 'halted_error', reason: 'canceled' });
    expect([guard.halt('provider_error'), guard.beforeCall(), guard.beforeDispatch({ tool: 'a' })]).toEqual([
      canceled,
      canceled,
      canceled,
    ]);
    expect(guard.verify({ passed: true }).exit).toEqual(canceled);
    expect(guard.finish()).toMatchObject({ status: 'halted_error', reason: 'canceled', check: 'passed' });
    guard.verify({ passed: false });
    expect(guard.finish()).toMatchObject({ check: 'passed' });
  });

  test('a loop that just ends is halted without an exit, and a record before that is running', () => {
    const { guard } = guardOf();
    expect(guard.report()).toMatchObject({ status: 'running', passes: 0, tokens: 0, seconds: 0 });
    turn(guard);
    expect(guard.report()).toMatchObject({ status: 'running', reason: null, passes: 1, tokens: 100 });
    guard.beforeCall();
    expect(guard.report()).toMatchObject({ status: 'running', passes: 1, tokens: 100 });
    guard.charge(USAGE);
    expect(guard.finish()).toMatchObject({ status: 'halted_error', reason: 'no_exit', passes: 2 });
    expect(guard.finish()).toEqual(guard.report());
  });
});

describe('what is no exit', () => {
  test.each([undefined, null, '', '  \n', '\u200b', {}, [], [''], { answer: null }, new Map(), Number.NaN])(
    'the empty answer %j',
    (answer) => {
      const { guard } = guardOf();
      turn(guard);
      expect(guard.claim('answer', answer)).toEqual({
        exit: null,
        feedBack: 'The answer is empty. Give the answer, or go on with the task.',
        needsCheck: false,
      });
      expect(guard.verify({ passed: true }).exit).toBeNull();
      expect(guard.report()).toMatchObject({ claim: null, answer: null, check: 'none' });
      turn(guard);
      guard.claim('answer', 'done');
      expect(guard.finish()).toMatchObject({ status: 'done_claimed' });
    },
  );

  test.each([0, false, 'no', [0], new Date(0), new Map([[1, 2]])])('but the short answer %j is one', (answer) => {
    const { guard } = guardOf();
    turn(guard);
    expect(guard.claim('answer', answer).exit?.status).toBe('done_claimed');
  });

  test('a check that fails: its output is fed back, and a later one may pass', () => {
    const { guard } = guardOf({ check: 'pytest' });
    turn(guard);
    guard.claim('answer', 'done');
    expect(guard.verify({ passed: false, output: '1 failed' })).toEqual({
      exit: null,
      feedBack: 'The check failed. 1 failed',
      needsCheck: false,
    });
    turn(guard);
    guard.claim('answer', 'really done');
    guard.verify({ passed: true });
    expect(guard.finish()).toMatchObject({
      status: 'done_verified',
      answer: 'really done',
      passes: 2,
      check_output: null,
    });
  });

  test('a cap that is crossed in the pass that gives the answer', () => {
    const { guard } = guardOf({ caps: { tokens: 100, passes: 1 }, check: 'pytest' });
    turn(guard);
    guard.claim('answer', 'done');
    guard.verify({ passed: true });
    expect(guard.finish()).toMatchObject({ status: 'done_verified', tokens: 100 });
  });
});

describe('what comes too late or is no word of ours', () => {
  test('a claim after a stop is none of the run; a check that passes then is kept, the status stands', () => {
    const { guard } = guardOf({ caps: { passes: 1 } });
    turn(guard);
    const exit = guard.beforeCall();
    expect(guard.claim('answer', 'late').exit).toEqual(exit);
    guard.verify({ passed: true, output: 'ok' });
    const report = guard.finish();
    expect(report).toMatchObject({ status: 'stopped_budget', answer: null, claim: null, check: 'passed' });
    guard.keep('more');
    guard.cancel();
    expect(guard.finish()).toBe(report);
    expect(() => guard.charge(USAGE)).toThrow('after the end');
  });

  test.each([
    ['claim', (guard: Guard) => guard.claim('done' as never, 'x')],
    ['verify with a text', (guard: Guard) => guard.verify({ passed: 'false' } as never)],
    ['verify with a promise', (guard: Guard) => guard.verify(Promise.resolve({ passed: true }) as never)],
    ['halt', (guard: Guard) => guard.halt(undefined as never)],
  ])('%s is refused', (_name, act) => {
    const { guard } = guardOf();
    turn(guard);
    expect(() => act(guard)).toThrow(TypeError);
  });

  test('an output that JSON cannot hold is fed back all the same', () => {
    const cycle: { self?: unknown } = {};
    cycle.self = cycle;
    const { guard } = guardOf({ check: 'pytest' });
    turn(guard);
    expect(guard.verify({ passed: false, output: cycle }).feedBack).toBe('The check failed. [object Object]');
    expect(guard.fail('tool_threw', { n: 1n }).feedBack).toBe('Error: tool_threw. [object Object]');
    guard.keep(undefined);
    expect(guard.finish().partial_work).toBeNull();
  });
});

describe('unknown amounts', () => {
  test('a call that nothing was charged for makes tokens unknown from then on, and a token cap silent', () => {
    const { guard } = guardOf({ caps: { tokens: 1 } });
    guard.beforeCall();
    expect(guard.beforeCall()).toBeNull();
    guard.charge(USAGE);
    expect(guard.finish()).toMatchObject({ passes: 2, tokens: null, usd: null });
  });

  test('usage charged twice in a pass adds up; one unknown part makes it unknown', () => {
    const { guard } = guardOf();
    guard.beforeCall();
    guard.charge({ inputTokens: 1, outputTokens: 2, usd: 0.1 });
    guard.charge({ inputTokens: 3, outputTokens: 4 });
    expect(guard.finish()).toMatchObject({ passes: 1, tokens: 10, usd: null });
  });

  test('no usage at all is unknown, a key that is none is refused', () => {
    const { guard } = guardOf();
    guard.beforeCall();
    guard.charge(undefined);
    expect(() => guard.charge({ input_tokens: 1 } as Usage)).toThrow('unknown key input_tokens');
    expect(guard.finish()).toMatchObject({ tokens: null });
  });

  test('limits and rules that could not judge are named in the report', () => {
    const { guard } = guardOf({ caps: { tokens: 9, passes: 9 }, rules: [{ rule: 'errors' }, { rule: 'repeat' }] });
    guard.beforeCall();
    guard.observe({ tool: 'search', args: {} }, 'ok');
    expect(guard.finish().not_judged).toEqual(['tokens', 'errors']);
  });

  test('a rule that fired has judged, whatever earlier calls lacked', () => {
    const { guard } = guardOf({ rules: [{ rule: 'repeat', count: 2 }] });
    guard.beforeCall();
    for (const result of [undefined, 'pending', 'pending']) guard.observe({ tool: 'status' }, result);
    expect(guard.report().not_judged).toEqual(['repeats']);
    guard.beforeCall();
    expect(guard.finish()).toMatchObject({ reason: 'repeats', not_judged: [] });
  });

  test('a clock that goes back stands still, one that tells nothing makes seconds unknown', () => {
    let millis = 10_000;
    const guard = createGuard({ capfit: 'policy/v1' }, { now: () => millis });
    guard.beforeCall();
    millis = 4_000;
    guard.beforeCall();
    millis = 11_000;
    expect(guard.finish()).toMatchObject({ seconds: 1 });
    const blind = createGuard({ capfit: 'policy/v1' }, { now: () => Number.NaN });
    blind.beforeCall();
    expect(blind.finish()).toMatchObject({ passes: 1, seconds: null });
  });

  test.each([-1, Number.NaN, Number.POSITIVE_INFINITY, 0.5])('%d tokens are refused', (inputTokens) => {
    const { guard } = guardOf();
    guard.beforeCall();
    expect(() => guard.charge({ inputTokens, outputTokens: 1 })).toThrow(RangeError);
  });

  test('charging before asking is told', () => {
    expect(() => guardOf().guard.charge(USAGE)).toThrow('ask before every model call');
  });

  test.each([
    ['capfit: policy/v1', 'a policy must be an object'],
    [null, 'a policy must be an object'],
    [{ caps: { passes: 1 } }, 'it must say capfit'],
    [{ capfit: 'policy/v2' }, 'capfit is "policy/v2"'],
    [{ capfit: 'policy/v1', cap: {} }, 'unknown key cap'],
    [{ capfit: 'policy/v1', caps: { passe: 3 } }, 'unknown key caps.passe'],
    [{ capfit: 'policy/v1', caps: { passes: 0 } }, 'caps.passes is 0'],
    [{ capfit: 'policy/v1', caps: { passes: 1.5 } }, 'caps.passes is 1.5'],
    [{ capfit: 'policy/v1', caps: { tokens: Number.NaN } }, 'caps.tokens'],
    [{ capfit: 'policy/v1', order: ['passes', 'passes'] }, 'order names passes twice'],
    [{ capfit: 'policy/v1', rules: [{ rule: 'boredom' }] }, 'rules[0].rule is "boredom"'],
    [{ capfit: 'policy/v1', rules: [{ rule: 'constructor' }] }, 'rules[0].rule'],
    [{ capfit: 'policy/v1', rules: [{ rule: 'repeat', count: 0 }] }, 'rules[0].count is 0'],
    [{ capfit: 'policy/v1', rules: [{ rule: 'repeat', cuont: 3 }] }, 'unknown key rules[0].cuont'],
    [{ capfit: 'policy/v1', rules: [{ rule: 'stale', key: 'call' }] }, 'unknown key rules[0].key'],
    [{ capfit: 'policy/v1', rules: [{ rule: 'repeat', exempt: 'a' }] }, 'rules[0].exempt'],
    [{ capfit: 'policy/v1', rules: [{ rule: 'repeat', count: 5, window: 3 }] }, '3 calls cannot hold 5 events'],
    [
      { capfit: 'policy/v1', rules: [{ rule: 'repeat', when: 'before_dispatch' }] },
      'before_dispatch cannot compare call',
    ],
    [{ capfit: 'policy/v1', rules: [{ rule: 'idle' }, { rule: 'idle' }] }, 'two rules are named "idle"'],
    [{ capfit: 'policy/v1', rules: [{ rule: 'idle', name: 'usd' }] }, 'like a cap'],
  ])('a policy with a limit that would never fire is refused: %j', (policy, message) => {
    expect(() => createGuard(policy as unknown as PolicyRecord)).toThrow(message);
  });

  test('a guard takes a policy as the library holds it, too', () => {
    const guard = createGuard(policyOf({ capfit: 'policy/v1', caps: { passes: 1 } }), { now: () => 0 });
    turn(guard);
    expect(guard.beforeCall()?.reason).toBe('passes');
  });
});

describe('repeats', () => {
  test('warns one step before the stop, and stops at the count', () => {
    const { guard } = guardOf({ rules: [{ rule: 'repeat', count: 3 }] });
    const observed = [1, 2, 3].map(() => {
      guard.beforeCall();
      guard.charge(USAGE);
      return guard.observe({ tool: 'status', args: { job: 7 } }, 'pending');
    });
    const warning = {
      rule: 'repeats',
      count: 2,
      stops_at: 3,
      message: 'repeats: 2 of 3; at 3 the run is stopped. Try something else.',
    };
    expect(observed).toEqual([null, warning, null]);
    expect(guard.beforeCall()).toMatchObject({ reason: 'repeats', limit: { cap: 3, counter: 3 } });
    expect(guard.finish().warnings).toEqual([warning]);
  });

  test('two alternations of three warn once, when the second is whole', () => {
    const { guard } = guardOf({ rules: [{ rule: 'repeat', count: 3, period: 2 }] });
    guard.beforeCall();
    const warned = ['a', 'b', 'a', 'b', 'a'].map((tool) => guard.observe({ tool }, 'ok') !== null);
    expect(warned).toEqual([false, false, false, true, false]);
  });

  test('different errors are different results, the same error is the same', () => {
    const { guard } = guardOf({ rules: [{ rule: 'repeat', count: 2 }] });
    turn(guard, {}, new Error('a'), true);
    turn(guard, {}, { cause: new Error('b') }, true);
    turn(guard, {}, { cause: new Error('c') }, true);
    turn(guard, {}, new Map([['a', 1]]));
    turn(guard, {}, new Map([['a', 2]]));
    expect(guard.beforeCall()).toBeNull();
    turn(guard, {}, new Error('d'), true);
    turn(guard, {}, new Error('d'), true);
    expect(guard.beforeCall()?.reason).toBe('repeats');
  });

  test.each([
    [undefined, 'a call must be an object'],
    [{ name: 'search' }, 'a call must be an object'],
    [{ tool: 'search', input: { q: 1 } }, 'in args, not in input'],
  ])('what is no call is refused: %j', (call, message) => {
    const { guard } = guardOf();
    guard.beforeCall();
    expect(() => guard.beforeDispatch(call as never)).toThrow(message);
    expect(() => guard.observe(call as never, 'ok')).toThrow(message);
  });

  test('a call that was asked for and never observed is no idle pass', () => {
    const { guard } = guardOf({ rules: [{ rule: 'idle', count: 1 }] });
    guard.beforeCall();
    guard.beforeDispatch({ tool: 'search', args: {} });
    expect(guard.beforeCall()).toBeNull();
  });

  test('an exempt tool neither counts nor warns', () => {
    const { guard } = guardOf({ rules: [{ rule: 'repeat', count: 3, exempt: ['search'] }] });
    for (let pass = 0; pass < 5; pass++) turn(guard);
    expect(guard.finish().warnings).toEqual([]);
  });

  test('key order, layout and the holder of a text do not hide a repeat', () => {
    const { guard } = guardOf({ rules: [{ rule: 'repeat', count: 3 }] });
    turn(guard, { a: 1, b: [2] }, '{"x": 1, "y": 2}');
    turn(guard, { b: [2], a: 1 }, { y: 2, x: 1 });
    turn(guard, '{"b":[2],"a":1}', '{"y":2,"x":1}');
    expect(guard.beforeCall()?.reason).toBe('repeats');
  });

  test('what JSON cannot hold never equals anything', () => {
    const cycle: { self?: unknown } = {};
    cycle.self = cycle;
    const { guard } = guardOf({ rules: [{ rule: 'repeat', key: 'request', count: 2 }] });
    turn(guard, cycle);
    turn(guard, cycle);
    turn(guard, { n: 1n });
    turn(guard, { n: 1n });
    expect(guard.beforeCall()).toBeNull();
  });

  test.each([undefined, null])('a call whose result is %s never equals another', (result) => {
    const { guard } = guardOf({ rules: [{ rule: 'repeat', count: 2 }] });
    for (const _ of [1, 2]) {
      guard.beforeCall();
      guard.observe({ tool: 'search', args: {} }, result);
    }
    expect(guard.beforeCall()).toBeNull();
  });

  test('before_dispatch refuses the call that would be the count-th, and bills the pass', () => {
    const { guard } = guardOf({ rules: [{ rule: 'repeat', key: 'request', count: 3, when: 'before_dispatch' }] });
    turn(guard);
    turn(guard);
    guard.beforeCall();
    guard.charge(USAGE);
    expect(guard.beforeDispatch({ tool: 'search', args: {} })).toMatchObject({ reason: 'repeats' });
    expect(guard.finish()).toMatchObject({ passes: 3, tokens: 300 });
  });

  test('a loop that never asks before dispatch is told at the next boundary', () => {
    const { guard } = guardOf({ rules: [{ rule: 'repeat', key: 'request', count: 2, when: 'before_dispatch' }] });
    for (const _ of [1, 2]) {
      guard.beforeCall();
      guard.observe({ tool: 'search', args: {} }, 'ok');
    }
    expect(guard.beforeCall()).toMatchObject({ reason: 'repeats' });
  });

  test('steps at dispatch count the calls asked for in this pass, parallel ones too', () => {
    const { guard } = guardOf({ caps: { steps: 6 }, steps_at: 'dispatch' });
    guard.beforeCall();
    guard.charge(USAGE);
    const asked = [1, 2, 3].map((n) => guard.beforeDispatch({ tool: 'search', args: { n } })?.reason ?? null);
    expect(asked).toEqual([null, null, 'steps']);
    expect(guard.finish()).toMatchObject({ steps: 6, passes: 1 });
  });
});

describe('the wrap-up call', () => {
  test('is allowed once, after a stop, where the policy says so; its text and tokens stay apart', () => {
    const { guard } = guardOf({ caps: { passes: 1 }, wrap_up: true });
    expect(guard.mayWrapUp()).toBe(false);
    turn(guard);
    guard.beforeCall();
    expect(guard.mayWrapUp()).toBe(true);
    guard.wrapUp('so far …', { inputTokens: 5, outputTokens: 6 });
    expect(guard.mayWrapUp()).toBe(false);
    expect(guard.finish()).toMatchObject({
      tokens: 100,
      answer: null,
      wrap_up: { text: 'so far …', verified: false, tokens: 11 },
    });
  });

  test('with usage that is none, or without leave, is refused', () => {
    const { guard } = guardOf({ caps: { passes: 1 }, wrap_up: true });
    expect(() => guard.wrapUp('early')).toThrow('mayWrapUp');
    turn(guard);
    guard.beforeCall();
    expect(() => guard.wrapUp('x', { inputTokens: Number.NaN, outputTokens: 1 })).toThrow(RangeError);
    guard.wrapUp('x');
    expect(guard.finish()).toMatchObject({ wrap_up: { text: 'x', verified: false, tokens: null } });
    const { guard: late } = guardOf({ caps: { passes: 1 }, wrap_up: true });
    turn(late);
    late.beforeCall();
    late.finish();
    expect(late.mayWrapUp()).toBe(false);
    expect(() => late.wrapUp('late')).toThrow('before finish()');
  });

  test('is not allowed where the policy does not say so, nor after another exit', () => {
    const { guard } = guardOf({ caps: { passes: 1 } });
    turn(guard);
    guard.beforeCall();
    expect(guard.mayWrapUp()).toBe(false);
    const { guard: canceled } = guardOf({ wrap_up: true });
    canceled.cancel();
    expect(canceled.mayWrapUp()).toBe(false);
  });
});
