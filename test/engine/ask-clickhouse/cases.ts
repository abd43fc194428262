import fc from 'fast-check';
import type { RunCondition } from '../../../src/calibrate/questions.js';
import { type Mark, type RunsAsked, SUMMED_LIMITS } from '../../../src/engine/ask/dialect.js';
import { runOfRecord } from '../../../src/formats/record.js';
import type { Json } from '../../../src/model/json.js';
import type { Run } from '../../../src/model/run.js';
import type { Rule } from '../../../src/policy/policy.js';
import { policyRecords, runRecords } from '../../arbitraries.js';
import { passes, policy, run } from '../../builders.js';

/** Texts that end a literal, a name, a line or a field where somebody forgot to say that they do not. */
export const HOSTILE = [
  "it's",
  'back\\slash',
  '\\',
  "\\' OR 1 = 1 --",
  'tab\tline\nreturn\r',
  'nul\0in it',
  '\\N',
  'NULL',
  '`tick`',
  '"quoted"',
  '😀 né 中',
  '\uD800 half',
  '%d {x} ? $1 @p',
  '); DROP TABLE capfit_passes; --',
  ' ',
];

const hostile = fc.constantFrom(...HOSTILE);
/** Labels that fields of the run are called like as well. */
const labelNames = fc.oneof(fc.constantFrom('kind', 'status', 'claim', 'agent'), hostile);

const extras = fc.record({
  id: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: hostile }),
  labels: fc.dictionary(labelNames, fc.oneof(hostile, fc.constantFrom('x', 'y', '')), { maxKeys: 3 }),
  under: fc.record(
    { passes: fc.integer({ min: 1, max: 9 }), seconds: fc.constantFrom(0.1, 2.5), usd: fc.constantFrom(0.3, 1) },
    { requiredKeys: [] },
  ),
  tool: fc.option(hostile, { nil: null, freq: 5 }),
  totals: fc.option(fc.record({ passes: fc.integer({ min: 0, max: 12 }) }), { nil: undefined, freq: 5 }),
});

/** Runs with names that no SQL would like, known in part, in total, or not at all. */
export const hostileRuns: fc.Arbitrary<Run[]> = runRecords.chain((records) =>
  fc.array(extras, { minLength: records.length, maxLength: records.length }).map((each) =>
    records.map((record, index) => {
      const { id, labels, under, tool } = each[index]!;
      const whole = {
        ...record,
        id: id === null ? record.id : `${id}${index}`,
        labels: { ...(record.labels as object | undefined), ...labels },
        recorded_under: under,
        passes: renamed(record.passes, tool),
      };
      return runOfRecord(JSON.parse(JSON.stringify(whole)) as Json, { file: 'runs.jsonl', line: index + 1 });
    }),
  ),
);

/** Many sets of runs as one, since a question costs a database the same for few of them. */
export const manyRuns: fc.Arbitrary<Run[]> = fc
  .array(hostileRuns, { minLength: 3, maxLength: 6 })
  .map((sets) => sets.flat().map((run, index) => ({ ...run, id: `${run.id}-${index}` })));

type CallRecord = { tool: string };

/** One tool of the run under another name. */
function renamed(passes: unknown, tool: string | null): unknown {
  if (tool === null || !Array.isArray(passes)) return passes;
  return (passes as { calls?: CallRecord[] }[]).map((pass) => ({
    ...pass,
    ...(pass.calls && { calls: pass.calls.map((call) => (call.tool === 'read' ? { ...call, tool } : call)) }),
  }));
}

const conditions: fc.Arbitrary<RunCondition> = fc.record({
  name: fc.oneof(labelNames, fc.constantFrom('id', 'check', 'reason', 'status', 'claim')),
  value: fc.oneof(hostile, fc.constantFrom('x', 'y', '', 'passed', 'done_verified', 'completed', 'passes', 'run-1')),
  negated: fc.boolean(),
});

export const asked: fc.Arbitrary<RunsAsked> = fc.record({
  by: fc.uniqueArray(labelNames, { maxLength: 2 }),
  where: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(conditions, { maxLength: 2 }) },
  ),
  calls: fc.boolean(),
});

const caps: fc.Arbitrary<Mark> = fc.record({
  kind: fc.constant('cap' as const),
  limit: fc.constantFrom(...SUMMED_LIMITS),
  cap: fc.constantFrom(1, 2, 3, 5, 8, 20, 60, 100_000, 300_000, 1_000_000, 100_000_000, 2_500_000_000),
  atDispatch: fc.boolean(),
});

/** Steps alone are asked before a call as well. */
const capMarks = caps.map(
  (mark): Mark => (mark.kind === 'cap' ? { ...mark, atDispatch: mark.atDispatch && mark.limit === 'steps' } : mark),
);

const ruleMarks: fc.Arbitrary<Mark[]> = fc
  .tuple(policyRecords, fc.option(hostile, { nil: null, freq: 4 }))
  .map(([record, tool]) =>
    policy(record).rules.map((rule): Mark => ({ kind: 'rule', rule: tool === null ? rule : leavingOut(rule, tool) })),
  );

function leavingOut(rule: Rule, tool: string): Rule {
  return { ...rule, exempt: [...rule.exempt, tool] };
}

export const marks: fc.Arbitrary<Mark[]> = fc
  .tuple(fc.array(capMarks, { maxLength: 4 }), ruleMarks, ruleMarks)
  .map((parts) => parts.flat());

const call = (tool: string, result: string | undefined, error?: boolean): object => ({
  tool,
  args: { q: 1 },
  result,
  error,
});
const FEW_CALLS = [call('poll', 'a', true), call('poll', 'b', true), call('read', 'a', false), call('read', undefined)];

/** Long runs of few different calls, so that every rule is reached late in some and not in others. */
export const repeatingRuns: fc.Arbitrary<Run[]> = fc
  .array(
    fc.array(fc.array(fc.constantFrom(...FEW_CALLS), { maxLength: 3, size: 'max' }), {
      minLength: 3,
      maxLength: 14,
      size: 'max',
    }),
    {
      minLength: 40,
      maxLength: 40,
    },
  )
  .map((each) =>
    each.map((calls, index) =>
      run({ id: `r${index}`, passes: calls.map((made) => passes(1, { calls: made })[0]) }, index + 1),
    ),
  );

/** Rules of every kind, with every setting that changes what they count. */
export const EVERY_RULE: readonly Rule[] = policy({
  rules: [
    ...(['call', 'request', 'result'] as const).flatMap((key) => [
      { rule: 'repeat', key, count: 3 },
      { rule: 'repeat', key, count: 4, scope: 'run', exempt: ['read'] },
      { rule: 'repeat', key, count: 3, window: 4 },
      { rule: 'repeat', key, count: 2, period: 4, min_period: 2 },
      { rule: 'repeat', key, count: 3, period: 2, min_period: 2, exempt: ['nobody'] },
    ]),
    { rule: 'repeat', key: 'request', count: 4, window: 6, when: 'before_dispatch' },
    { rule: 'repeat', key: 'request', count: 5, when: 'before_dispatch', exempt: ['read'] },
    { rule: 'repeat', count: 1, period: 5, min_period: 4 },
    { rule: 'stale', count: 3 },
    { rule: 'stale', count: 2, exempt: ['poll'] },
    { rule: 'errors', count: 4 },
    { rule: 'errors', count: 3, exempt: ['read'] },
    { rule: 'idle', count: 2 },
  ].map((rule, index) => ({ name: `r${index}`, ...rule })),
}).rules;

/** Rules that leave out whole catalogues of tools: each its own, and the last the same as the first. */
export const longExempt = (padding: string): readonly Rule[] =>
  policy({
    rules: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0].map((own, index) => ({
      name: `r${index}`,
      rule: index % 3 === 2 ? 'errors' : 'repeat',
      count: 3 + (index % 2),
      exempt: ['read', ...Array.from({ length: 200 }, (_, at) => `${own} it's tool ${at} `.padEnd(60, padding))],
    })),
  }).rules;
