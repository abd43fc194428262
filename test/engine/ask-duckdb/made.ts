import fc from 'fast-check';
import type { Mark } from '../../../src/engine/ask/dialect.js';
import { runOfRecord } from '../../../src/formats/record.js';
import type { Json } from '../../../src/model/json.js';
import type { Run } from '../../../src/model/run.js';
import { policyRecords, type RuleRecord, ruleRecords, runRecords } from '../../arbitraries.js';
import { policy } from '../../builders.js';

const hostile = fc.constantFrom(
  ...[
    "'",
    '"',
    '\\',
    ',',
    '\n',
    '\0',
    '\u202e',
    'a',
    'A',
    '😀',
    'é',
    'e\u0301',
    '\ufffd',
    '{',
    '$1',
    '--',
    ' ',
    'NULL',
  ],
);
/** Texts that SQL could take for something else. */
export const texts = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: hostile }));
const names = fc.oneof(fc.constantFrom('kind', 'status', 'check', 'id'), texts);

const extras = fc.record(
  {
    labels: fc.dictionary(names, fc.oneof(fc.constantFrom('x', 'y', ''), texts), { maxKeys: 3 }),
    reason: texts,
    recorded_under: fc.record(
      {
        passes: fc.integer({ min: 1, max: 9 }),
        tokens: fc.constantFrom(250, 1.5),
        seconds: fc.constantFrom(0.0000015, 2.5, 1e30),
        usd: fc.constantFrom(0.1, 2.4),
        steps: fc.integer({ min: 1, max: 30 }),
        other: fc.constant(3),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);

/** Runs of every kind, with texts of every kind. */
export const runs: fc.Arbitrary<Run[]> = fc
  .tuple(
    runRecords,
    fc.array(extras, { maxLength: 12 }),
    fc.uniqueArray(
      texts.filter((text) => text !== ''),
      { maxLength: 12 },
    ),
  )
  .map(([records, others, ids]) =>
    records.map((record, at) => {
      const whole = { ...record, ...others[at], id: ids[at] ?? record.id };
      return runOfRecord(JSON.parse(JSON.stringify(whole)) as Json, { file: 'made', line: at + 1 });
    }),
  );

/** The marks of a policy: all its caps but that of passes, and its rules. */
export const marks: fc.Arbitrary<Mark[]> = fc
  .tuple(policyRecords, fc.array(ruleRecords, { maxLength: 2 }))
  .map(([record, more]) => {
    const { caps, stepsAt, rules } = policy(record);
    const others = more.flatMap((rule) => policy({ caps: {}, rules: [rule as RuleRecord] }).rules);
    return [
      ...(['tokens', 'seconds', 'usd', 'steps'] as const).flatMap((limit): Mark[] => {
        const cap = caps[limit];
        const atDispatch = limit === 'steps' && stepsAt === 'dispatch';
        return cap === undefined ? [] : [{ kind: 'cap', limit, cap, atDispatch }];
      }),
      ...[...rules, ...others].map((rule): Mark => ({ kind: 'rule', rule })),
    ];
  });
