import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mappingJsonSchema, readMapping } from '../../src/formats/mapping/mapping.js';
import { FUNCTIONS, freeNames } from '../../src/formats/mapping/mapping-variables.js';

/** Line, reason and hint of each fault, in one text each. */
function faults(text: string): string[] {
  return (readMapping(text, 'm.yaml').problems ?? []).map(
    ({ place, reason, hint }) => `${place.line}: ${reason} | ${hint}`,
  );
}

const HEAD = 'capfit: map/v1\nid: id\n';

describe('readMapping(text)', () => {
  test('id and the version are enough; JSON is YAML; keys without a value are left out', () => {
    expect(readMapping(HEAD, 'm').problems).toBeNull();
    expect(readMapping('{"capfit": "map/v1", "id": "id"}', 'm').problems).toBeNull();
    const { mapping } = readMapping(`${HEAD}check:\nlabels: {a: , b: 5}\nfiles: "*.csv"\n`, 'm');
    expect([mapping?.check, [...(mapping?.labels.keys() ?? [])], mapping?.files]).toEqual([null, ['b'], ['*.csv']]);
  });

  test.each([
    [
      '',
      /^1: the file holds no mapping \| a mapping file holds keys with their values, and begins with "capfit: map\/v1"$/,
    ],
    [`${HEAD}labels:\n  a: b\n  __proto__: c\n`, /^5: __proto__ is no name that can be given \| choose another name$/],
    [`${HEAD}with:\n  __proto__: c\n`, /^4: __proto__ is no name/],
    [`${HEAD}recorded_under: {"__proto__": 3}\n`, /^3: __proto__ is no name/],
    [`${HEAD}__proto__:\n  x: 3\n`, /^[34]: __proto__ is no name/],
    ['- a\n', /^1: the file holds no mapping/],
    ['capfit: policy/v1\nid: id\n', /^1: capfit is "policy\/v1" \| the file must say "capfit: map\/v1"/],
    ['id: id\n', /^1: capfit is missing/],
    ['capfit: map/v1\n', /^1: id is missing \| .*\$file/],
    [`${HEAD}id: x\n`, /^3: not YAML: Map keys must be unique/],
    [`${HEAD}check: a ? b : c\n`, /^3: not YAML: .* \| .*must stand in quotes/],
    [`${HEAD}runs: [a, b]\n`, /^3: runs is \["a","b"\] \| .*must stand in quotes/],
    [`${HEAD}check: ""\n`, /^3: check is ""/],
    [`${HEAD}a: *b\n`, /^1: not YAML: Unresolved alias/],
    [
      `${HEAD}totals:\n  passes: 3\n  token: t\n`,
      /^5: unknown key totals.token \| did you mean tokens\? known here: passes/,
    ],
    [`${HEAD}lables: {}\n`, /^3: unknown key lables \| did you mean labels\?/],
    [`${HEAD}xyzzy: {}\n`, /^3: unknown key xyzzy \| known here: capfit, name, files/],
    [
      `${HEAD}passes: p\npass: {cost: c, calls: x}\ncall: {tool: t}\n`,
      /^4: unknown key pass.cost \| known here: input_tokens/,
    ],
    [`${HEAD}unknown: {usds: 0}\n`, /^3: unknown key unknown.usds \| did you mean usd\?/],
    [`${HEAD}unknown: {usd: {a: 0}}\n`, /^3: unknown.usd is \{"a":0\} \| give one value/],
    [`${HEAD}documents: xml\n`, /^3: documents is "xml" \| /],
    [`${HEAD}files: 5\n`, /^3: files is 5 \| give one glob/],
    [`${HEAD}passes: p\npass: {calls: c}\ncall: {args: a}\n`, /^5: call.tool is missing/],
  ])('%j is refused: %s', (text, expected) => {
    const [first = '', ...others] = faults(text);
    expect(first).toMatch(expected);
    expect(others).toEqual([]);
  });

  test('every bad expression is told with its line, and every variable that nothing is called', () => {
    const text = `capfit: map/v1
id: a.[
with: {orders: orders.json}
let:
  first: $second
  second: $first & $orders.x
check: $passed
labels:
  a: b +
  c: $flie
  d: $tomillis(x)
  e: $now()
passes: turns
pass:
  usd: >
    cost(
    1 +
  seconds: $run.s + $pass.s
  calls: '$map(c, function($v, $i){ $v & $i & $index & $w })'
call:
  tool: $pass.tool
  args: $shuffle(x)
`;
    expect(faults(text).map((fault) => fault.replace(/ known here: .*/, ''))).toEqual([
      expect.stringMatching(/^2: id: a\.\[ is no JSONata expression: .*\(at character \d+\) \| docs\.jsonata\.org/),
      '5: let.first uses $second, which nothing is called |',
      '7: check uses $passed, which nothing is called |',
      expect.stringMatching(/^9: labels\.a: b \+ is no JSONata expression/),
      '10: labels.c uses $flie, which nothing is called | did you mean $file?',
      '11: labels.d uses $tomillis, which nothing is called | did you mean $toMillis?',
      expect.stringMatching(/^12: labels\.e uses \$now, .* the hour and chance are no part$/),
      expect.stringMatching(/^15: pass\.usd: .* is no JSONata expression/),
      '18: pass.seconds uses $pass, which nothing is called |',
      '19: pass.calls uses $w, which nothing is called |',
      expect.stringMatching(/^22: call\.args uses \$shuffle/),
    ]);
  });

  test.each([
    ['passes: p\nevents: e\npass_when: a\n', /^4: passes and events are both given/],
    ['events: e\n', /^3: events and pass_when must be given together/],
    ['pass_when: e\n', /events and pass_when must be given together/],
    ['call_when: x\ncall: {tool: t}\n', /^3: call_when is asked of events, and there are none/],
    ['time: x\n', /^3: time is asked of events/],
    ['passes: p\ntime_is: end\n', /^4: time_is is given without time/],
    ['pass: {usd: c}\n', /^3: pass is given, but not where the passes are/],
    ['events: e\npass_when: a\npass: {time: t}\n', /^5: pass.time is given beside events/],
    ['passes: p\npass: {calls: c}\n', /call must be given together with pass.calls or call_when/],
    ['passes: p\ncall: {tool: c}\n', /^4: call must be given together/],
    ['events: e\npass_when: a\nresult_when: r\n', /result and result_when must be given together/],
    ['check_by: model\n', /^3: check_by is given without check/],
    ['with: {a-b: x.json}\n', /^3: with.a-b is no name for a variable/],
    ['let: {sum: a}\n', /^3: let.sum: \$sum is something else already/],
    ['with: {file: x.json}\n', /^3: with.file: \$file is something else already/],
    ['with: {a: x.json}\nlet: {a: b}\n', /^4: a is named under with and under let/],
  ])('%j: keys that need or exclude one another', (rest, expected) => {
    expect(faults(HEAD + rest).join('\n')).toMatch(expected);
  });

  test('any text gives a mapping or faults, never a crash', () => {
    const key = fc.constantFrom(
      'id',
      'runs',
      'labels',
      'pass',
      'call',
      'totals',
      'let',
      'with',
      '__proto__',
      'unknown',
    );
    const value = fc.constantFrom(
      '$',
      '{a: b}',
      '[1]',
      '.nan',
      '!!binary aGk=',
      '__proto__',
      '{__proto__: 1}',
      '"("',
      '|',
    );
    const lines = fc.array(fc.tuple(key, value).map(([a, b]) => `${a}: ${b}\n`)).map((each) => HEAD + each.join(''));
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), lines), (text) => {
        const { mapping, problems } = readMapping(text, 'm');
        expect(mapping === null).toBe((problems ?? []).length > 0);
      }),
      { seed: 42, numRuns: 600 },
    );
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test('its JSON Schema names the same keys', () => {
    const schema = mappingJsonSchema() as { properties: object; required: string[]; additionalProperties: boolean };
    expect(Object.keys(schema.properties)).toContain('pass_when');
    expect([schema.required, schema.additionalProperties]).toEqual([['capfit'], false]);
  });
});

describe('names behind $', () => {
  test.each([
    ['a.b', []],
    ['$.a & $$.b', []],
    ['$x.y[z = $w]', ['x', 'w']],
    ['($f := function($p){ $p + $q }; $f($r))', ['q', 'r']],
    ['a@$o.b#$n[$o.c = $n]', []],
    ['$sum(a) ~> $round', ['sum', 'round']],
  ])('%s uses %j', (text, expected) => expect([...freeNames(text)].sort()).toEqual([...expected].sort()));

  test('the functions are those of the library, without the ones that depend on the hour or on chance', () => {
    const library = readFileSync(createRequire(import.meta.url).resolve('jsonata'), 'utf8');
    const names = [...library.matchAll(/staticFrame\.bind\('(\w+)'/g)].map((match) => match[1] as string);
    const left = names.filter((name) => !FUNCTIONS.includes(name));
    expect(left.sort()).toEqual(['eval', 'random', 'shuffle']);
    expect(FUNCTIONS.filter((name) => !names.includes(name))).toEqual([]);
  });
});
