import fc from 'fast-check';

/** Run records and policies as plain JSON, small enough that limits meet and repeats happen. */

const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null | undefined> =>
  fc.oneof(
    { weight: 8, arbitrary },
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );

/** Few distinct values, so that sums of seconds and dollars meet caps exactly; some with too many places. */
export const decimals: fc.Arbitrary<number> = fc.oneof(
  fc.constantFrom(0, 0.1, 0.2, 0.3, 0.7, 1, 1.1, 2.5, 10),
  fc.constantFrom(0.0000005, 0.0000015, 0.00000249, 1e-9, 5e-10, 1.5e-9, 123.4567891234),
  fc.integer({ min: 0, max: 5_000 }).map((n) => n / 1000),
);

const content = fc.oneof(
  fc.constantFrom('a', 'b', 1, true, '{"x":1,"y":2}', '{"y":2, "x":1}', '[1, 2]'),
  fc.constantFrom({ x: 1, y: 2 }, { y: 2, x: 1 }, [1, 2], {}, ''),
);

const call = fc.record(
  {
    tool: fc.constantFrom('search', 'read', 'poll'),
    args: maybe(content),
    result: fc.oneof({ weight: 5, arbitrary: content }, { weight: 1, arbitrary: fc.constant(null) }),
    result_digest: fc.constantFrom('d1', 'd2'),
    args_digest: fc.constantFrom('d1', 'd2'),
    error: maybe(fc.boolean()),
  },
  { requiredKeys: ['tool'] },
);

/** A few calls that come again and again, so that repeats, alternations and stale results happen. */
const steadyCall = fc.constantFrom(
  { tool: 'poll', args: { job: 7 }, result: 'pending' },
  { tool: 'poll', args: { job: 7 }, result: 'pending', error: true },
  { tool: 'search', args: { q: 1 }, result: 'none', error: true },
  { tool: 'read', args: { q: 1 }, result: 'none' },
);

const tokens = fc.integer({ min: 0, max: 40 });

export const passRecords: fc.Arbitrary<{ [key: string]: unknown }> = fc.record(
  {
    input_tokens: fc.oneof(
      { weight: 14, arbitrary: tokens as fc.Arbitrary<number | null> },
      { weight: 1, arbitrary: fc.constant(null) },
    ),
    output_tokens: tokens,
    seconds: fc.oneof(
      { weight: 14, arbitrary: decimals as fc.Arbitrary<number | null> },
      { weight: 1, arbitrary: fc.constant(null) },
    ),
    usd: decimals,
    steps: fc.integer({ min: 0, max: 5 }),
    calls: fc.array(fc.oneof(steadyCall, call), { maxLength: 3 }),
  },
  { requiredKeys: ['input_tokens', 'output_tokens', 'seconds'] },
);

const totals = fc.record(
  {
    passes: maybe(fc.integer({ min: 0, max: 12 })),
    tokens: maybe(fc.integer({ min: 0, max: 300 })),
    seconds: maybe(decimals),
    usd: maybe(decimals),
  },
  { requiredKeys: [] },
);

const ending = fc.constantFrom(
  { status: 'done_verified', check: 'passed', claim: 'completed' },
  { status: 'done_verified', check: 'passed' },
  { status: 'done_claimed', check: 'none', claim: 'completed' },
  { status: 'done_claimed', check: 'failed', claim: 'blocked' },
  { status: 'done_claimed', claim: 'impossible' },
  { status: 'stopped_budget', check: 'none', reason: 'passes' },
  { status: 'stopped_budget', check: 'passed', reason: 'tokens' },
  { status: 'stopped_budget', check: 'failed' },
  { status: 'halted_error', check: 'passed', reason: 'provider_error' },
  { status: 'halted_error', check: 'none', reason: 'canceled' },
  { status: 'running' },
);

/** A run record without id; ids are given by position so that they are unique. */
const body = fc.tuple(
  ending,
  fc.record(
    {
      labels: fc.record({ kind: fc.constantFrom('x', 'y') }, { requiredKeys: [] }),
      passes: fc.oneof(
        { weight: 12, arbitrary: fc.array(passRecords, { maxLength: 9 }) as fc.Arbitrary<unknown> },
        { weight: 1, arbitrary: fc.constant(null) as fc.Arbitrary<unknown> },
      ),
      totals,
    },
    { requiredKeys: ['passes'] },
  ),
);

export type RunRecord = { id: string; status: string; [key: string]: unknown };

export const runRecords: fc.Arbitrary<RunRecord[]> = fc
  .array(body, { minLength: 1, maxLength: 12 })
  .map((bodies) =>
    bodies.map(([end, rest], index) => stripUndefined({ id: `run-${index}`, ...end, ...rest }) as RunRecord),
  );

/** What JSON would keep of it. */
function stripUndefined(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

const orders = fc.uniqueArray(fc.constantFrom('passes', 'tokens', 'seconds', 'usd', 'steps', 'rules'), {
  maxLength: 6,
});

const count = fc.integer({ min: 1, max: 4 });
const exempt = fc.subarray(['search', 'read', 'poll']);
const name = fc.constantFrom('r1', 'r2', 'r3');
const named = ['rule', 'name', 'count'] as const;

const repeatInRow = fc
  .record(
    {
      rule: fc.constant('repeat'),
      name,
      key: fc.constantFrom('call', 'request', 'result'),
      scope: fc.constant('consecutive'),
      count,
      period: fc.integer({ min: 1, max: 4 }),
      min_period: fc.integer({ min: 1, max: 4 }),
      exempt,
    },
    { requiredKeys: [...named] },
  )
  .map(({ min_period, ...rule }) =>
    min_period === undefined ? rule : { ...rule, min_period: Math.min(min_period, rule.period ?? 1) },
  );

const repeatAnywhere = fc.record(
  {
    rule: fc.constant('repeat'),
    name,
    key: fc.constantFrom('call', 'request', 'result'),
    scope: fc.constant('run'),
    count,
    exempt,
  },
  { requiredKeys: [...named, 'scope'] },
);

const repeatInWindow = fc
  .record(
    { rule: fc.constant('repeat'), name, key: fc.constantFrom('call', 'request', 'result'), count, exempt },
    { requiredKeys: [...named] },
  )
  .chain((rule) => fc.integer({ min: rule.count, max: 6 }).map((window) => ({ ...rule, window })));

/** Any repeat by request may be judged before the tool is run. */
const repeatRule = fc
  .tuple(fc.oneof(repeatInRow, repeatAnywhere, repeatInWindow), fc.boolean())
  .map(([rule, early]) => (early ? { ...rule, key: 'request', when: 'before_dispatch' } : rule));

const streakRule = fc.record(
  { rule: fc.constantFrom('stale', 'errors', 'idle'), name, count, exempt },
  { requiredKeys: [...named] },
);

export type RuleRecord = { rule: string; name: string; count: number; [setting: string]: unknown };

/** One rule of any kind. */
export const ruleRecords = fc.oneof(
  { weight: 3, arbitrary: repeatRule },
  { weight: 2, arbitrary: streakRule },
) as fc.Arbitrary<RuleRecord>;

const rules = fc.uniqueArray(ruleRecords, { maxLength: 3, selector: (rule) => rule.name });

export type PolicyRecord = {
  capfit: 'policy/v1';
  caps: { [limit: string]: number };
  order?: string[];
  rules?: { [key: string]: unknown }[];
  steps_at?: string;
};

export const policyRecords: fc.Arbitrary<PolicyRecord> = fc.record(
  {
    capfit: fc.constant('policy/v1' as const),
    caps: fc.record(
      {
        passes: fc.integer({ min: 1, max: 9 }),
        tokens: fc.integer({ min: 1, max: 250 }),
        seconds: fc.constantFrom(0.1, 0.3, 0.5, 1, 2.5, 6, 0.000001),
        usd: fc.constantFrom(0.1, 0.3, 0.000000001, 1, 2.4),
        steps: fc.integer({ min: 1, max: 30 }),
      },
      { requiredKeys: [] },
    ) as fc.Arbitrary<{ [limit: string]: number }>,
    order: orders as fc.Arbitrary<string[]>,
    rules: rules as fc.Arbitrary<{ [key: string]: unknown }[]>,
    steps_at: fc.constantFrom('boundary', 'dispatch'),
  },
  { requiredKeys: ['capfit', 'caps'] },
) as fc.Arbitrary<PolicyRecord>;
