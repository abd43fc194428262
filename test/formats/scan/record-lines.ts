import fc from 'fast-check';

const text = (): fc.Arbitrary<string> =>
  fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.string({ unit: 'grapheme', maxLength: 6 }),
    fc.constantFrom(
      '',
      'null',
      '12',
      '{"b":1,"a":[2]}',
      '"x"',
      ' true',
      '3 hits',
      'a\nb',
      'é',
      '\u0000',
      '\uffff',
      '1e400',
    ),
  );
const number = (): fc.Arbitrary<number | null> =>
  fc.oneof(
    fc.nat({ max: 100_000 }),
    fc.constantFrom(0, 1, 0.1, 5.03, 1.0000005, 1e-7, 1e21, 2 ** 53, 2 ** 53 - 1, -1, 4294967.295, 999999999.5, null),
    fc.double({ min: 0, max: 1e6, noNaN: true }),
  );
const content = (): fc.Arbitrary<unknown> => fc.oneof(text(), fc.jsonValue({ maxDepth: 2 }), fc.constant(null));
const rarely = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.option(value, { nil: undefined });

const CALL = fc.record(
  {
    tool: fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom('search', 'read', 'écrire') },
      { weight: 1, arbitrary: text() },
    ),
    args_digest: fc.oneof(fc.constantFrom('a', 'b', 'sha256:0a1b'), text(), fc.constant(null)),
    result_digest: fc.oneof(fc.constantFrom('a', 'b', 'sha256:0a1b'), fc.constant(null)),
    error: fc.constantFrom(true, false, null),
    args: rarely(content()),
    result: rarely(content()),
    note: rarely(fc.jsonValue({ maxDepth: 1 })),
  },
  { requiredKeys: ['tool'] },
);
const PASS = fc.record(
  {
    input_tokens: number(),
    output_tokens: fc.nat({ max: 5000 }),
    cache_read_tokens: number(),
    cache_write_tokens: fc.constant(0),
    seconds: number(),
    usd: number(),
    calls: fc.oneof(fc.array(CALL, { maxLength: 3 }), fc.constant(null)),
    steps: fc.nat({ max: 9 }),
    model: fc.constantFrom('m-1', null, ''),
    extra: fc.jsonValue({ maxDepth: 1 }),
  },
  { requiredKeys: [] },
);
const RECORD = fc.record(
  {
    id: fc.oneof({ weight: 9, arbitrary: fc.uuid() }, { weight: 1, arbitrary: text() }),
    status: fc.constantFrom('done_verified', 'done_claimed', 'stopped_budget', 'halted_error', 'running', null, 'done'),
    check: fc.constantFrom('passed', 'failed', 'none', null),
    claim: fc.constantFrom('completed', 'blocked', null),
    reason: fc.oneof(fc.constantFrom('passes', 'tool_threw', null), text()),
    labels: fc.oneof(
      fc.dictionary(
        fc.constantFrom('agent', 'task', 'größe'),
        fc.oneof(text(), fc.nat(), fc.boolean(), fc.constant(null)),
      ),
      fc.constant(null),
      fc.constant({ agent: { nested: 1 } }),
    ),
    started_at: fc.constantFrom(
      '1960-01-01T00:00:00Z',
      '2026-02-31T00:00:00.5Z',
      '2026-03-01T23:59:59.123Z',
      '2026-03-01T09:00:00Z',
      '2026-02-31T09:00:00Z',
      '2026-03-01T24:00:00Z',
      '2026-03-01',
      'soon',
      null,
    ),
    recorded_under: fc.constantFrom({ passes: 60 }, { passes: 0 }, {}, null),
    passes: fc.oneof(
      { weight: 8, arbitrary: fc.array(PASS, { maxLength: 4 }) },
      { weight: 1, arbitrary: fc.constant(null) },
    ),
    totals: rarely(fc.record({ passes: fc.nat({ max: 9 }), tokens: number() }, { requiredKeys: [] })),
    project: rarely(fc.jsonValue({ maxDepth: 2 })),
  },
  { requiredKeys: ['id', 'status'] },
);

/** JSON in the layout of some writer: spaces, escapes, other spellings of numbers, a member twice. */
function written(value: unknown, odd: () => number): string {
  const space = odd() % 4 === 0 ? ' ' : '';
  if (typeof value === 'string') {
    const plain = JSON.stringify(value);
    return odd() % 12 === 0 && value !== '' && /^[ -~]*$/.test(value)
      ? `"\\u${value.charCodeAt(0).toString(16).padStart(4, '0')}${JSON.stringify(value.slice(1)).slice(1)}`
      : plain;
  }
  if (typeof value === 'number')
    return odd() % 12 === 0 ? `${value}.0` : odd() % 20 === 0 ? `${value}e0` : String(value);
  if (Array.isArray(value)) return `[${space}${value.map((each) => written(each, odd)).join(`,${space}`)}]`;
  if (value === null || typeof value !== 'object') return String(value);
  const members = Object.entries(value).filter(([, each]) => each !== undefined);
  if (odd() % 8 === 0) members.reverse();
  const [first] = members;
  if (first !== undefined && odd() % 30 === 0) members.push(first);
  return `{${members.map(([key, each]) => `${JSON.stringify(key)}:${space}${written(each, odd)}`).join(`,${space}`)}}`;
}

/** Numbers of a seed, one after the other: the layout must not be shrunk together with the values. */
function numbersOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state >>> 8;
  };
}

/** A few run records in a file, good and bad, in the layout of some writer. */
export const RECORD_LINES = fc
  .tuple(fc.array(RECORD, { minLength: 1, maxLength: 5 }), fc.nat(), fc.constantFrom('\n', '\r\n'))
  .map(([records, seed, end]) => {
    const odd = numbersOf(seed);
    return records.map((record) => written(record, odd)).join(end) + (odd() % 2 === 0 ? end : '');
  });
