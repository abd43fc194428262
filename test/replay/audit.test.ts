import { describe, expect, test } from 'vitest';
import type { Problem } from '../../src/model/problem.js';
import type { Run } from '../../src/model/run.js';
import { createAudit } from '../../src/replay/audit.js';
import type { AuditReading, AuditReport, Finding } from '../../src/replay/audit-result.js';
import { passes, run } from '../builders.js';

const READING: AuditReading = {
  records: 0,
  problems: [],
  unrecognised: [],
  files: [{ path: 'runs.jsonl', format: 'jsonl' }],
};

function audited(
  runs: readonly Run[],
  { by = [], ...reading }: Partial<AuditReading> & { readonly by?: readonly string[] } = {},
): AuditReport {
  const audit = createAudit({ by, today: '2026-05-01' });
  for (const each of runs) audit.see(each);
  return audit.finish({ ...READING, records: runs.length, ...reading });
}

function found(code: string, runs: readonly Run[], reading: Partial<AuditReading> = {}): Finding | null {
  return audited(runs, reading).findings.find((finding) => finding.code === code) ?? null;
}

/** A run whose passes differ from those of all other lines, so that it is nobody's copy. */
function good(line: number, count: number, own: object = {}, pass: object = {}): Run {
  const made = Array.from({ length: count }, (_, index) => ({
    input_tokens: 100 + line,
    output_tokens: 10 + index,
    seconds: 1 + line + index,
    usd: 0.01,
    ...pass,
  }));
  return run({ passes: made, ...own }, line);
}

function several(count: number, make: (line: number) => Run): Run[] {
  return Array.from({ length: count }, (_, index) => make(index + 1));
}

const FAILED = { status: 'done_claimed', check: 'failed' };
const CLAIMED = { status: 'done_claimed', check: 'none' };
const STOPPED = { status: 'stopped_budget', check: 'failed', reason: 'passes' };
const PASSED = 'a program that passed';

/** Runs that show a finding, what is said of them, and runs that come close without showing it. */
interface Case {
  readonly present: readonly Run[];
  readonly finding: Omit<Finding, 'hint'>;
  readonly absent: readonly Run[];
}

const CASES: readonly Case[] = [
  {
    present: [good(1, 4), run({ passes: [] }, 2), run({ ...CLAIMED, passes: null, totals: { passes: 0 } }, 3)],
    finding: {
      severity: 'wrong',
      code: 'zero_pass_successes',
      message: '2 runs made no model call and ended as a success all the same',
      count: 2,
      ids: ['run-2', 'run-3'],
    },
    absent: [good(1, 1), run({ status: 'halted_error', check: 'failed', passes: [] }, 2)],
  },
  {
    present: [good(1, 4), run({ status: 'halted_error', check: 'failed', passes: [] }, 2)],
    finding: {
      severity: 'note',
      code: 'zero_pass_runs',
      message: '1 run made no model call',
      count: 1,
      ids: ['run-2'],
    },
    absent: [good(1, 1), run({ passes: [] }, 2), run({ ...STOPPED, passes: null }, 3)],
  },
  {
    present: several(2, (line) => good(line, 4, CLAIMED)),
    finding: {
      severity: 'wrong',
      code: 'no_check',
      message: 'none of the 2 runs carries the verdict of a check, so no run is a verified success',
      count: 2,
      ids: ['run-1', 'run-2'],
    },
    absent: [good(1, 4, CLAIMED), good(2, 4, FAILED)],
  },
  {
    present: [good(1, 4, CLAIMED), good(2, 4, FAILED)],
    finding: {
      severity: 'note',
      code: 'missing_verdicts',
      message: 'no verdict: 1 of 2 runs; unknown is not failed, and they enter no percentile',
      count: 1,
      ids: ['run-1'],
    },
    absent: [good(1, 4), good(2, 4, FAILED)],
  },
  {
    present: [
      good(1, 6, { recorded_under: { passes: 6 } }),
      good(2, 5, { ...CLAIMED, recorded_under: { passes: 6 } }),
      good(3, 6, { ...STOPPED, recorded_under: { passes: 6 } }),
      good(4, 6),
    ],
    finding: {
      severity: 'doubtful',
      code: 'done_on_own_cap',
      message:
        'exactly as many passes as their own cap allows: 1 of 2 runs recorded as done under a pass cap; stopped may look like done',
      count: 1,
      ids: ['run-1'],
    },
    absent: [good(1, 5, { recorded_under: { passes: 6 } }), good(2, 6, { recorded_under: { tokens: 6 } })],
  },
  {
    present: [...several(4, (line) => good(line, 9, CLAIMED)), good(5, 8), good(6, 3), good(7, 9, STOPPED)],
    finding: {
      severity: 'doubtful',
      code: 'done_at_maximum',
      message:
        '4 runs recorded as done made exactly 9 passes, the most of all, and 1 came close: it looks like a cap that the records do not state, where stopped may look like done',
      count: 4,
      ids: ['run-1', 'run-2', 'run-3', 'run-4'],
    },
    absent: [...several(4, (line) => good(line, 9, CLAIMED)), good(5, 8), good(6, 8)],
  },
  {
    present: [good(1, 7, { recorded_under: { passes: 6 } }), good(2, 6, { recorded_under: { passes: 6 } }), good(3, 9)],
    finding: {
      severity: 'doubtful',
      code: 'above_own_cap_passes',
      message: 'above their own cap on passes: 1 of 2 runs with such a cap; 1 went on after it was reached',
      count: 1,
      ids: ['run-1'],
    },
    absent: [good(1, 6, { recorded_under: { passes: 6 } })],
  },
  {
    present: [
      run({ passes: passes(4), recorded_under: { tokens: 200 } }, 1),
      run({ passes: passes(3), recorded_under: { tokens: 250 } }, 2),
      run({ passes: null, totals: { passes: 3, tokens: 300 }, recorded_under: { tokens: 250 } }, 3),
      run({ passes: passes(2), recorded_under: { tokens: 250 } }, 4),
    ],
    finding: {
      severity: 'doubtful',
      code: 'above_own_cap_tokens',
      message:
        'above their own cap on tokens: 3 of 4 runs with such a cap; 1 went on after it was reached, 1 crossed it at their end, for 1 only the total is known',
      count: 3,
      ids: ['run-1', 'run-2', 'run-3'],
    },
    absent: [run({ passes: passes(2), recorded_under: { tokens: 200 } }, 1)],
  },
  {
    present: [
      run({ ...STOPPED, reason: 'seconds', passes: null, totals: { seconds: 31 }, recorded_under: { seconds: 30 } }, 1),
    ],
    finding: {
      severity: 'note',
      code: 'above_own_cap_seconds',
      message: 'above their own cap on seconds: 1 of 1 run with such a cap; 1 crossed it at their end',
      count: 1,
      ids: ['run-1'],
    },
    absent: [
      run({ ...STOPPED, reason: 'seconds', passes: null, totals: { seconds: 30 }, recorded_under: { seconds: 30 } }, 1),
      run({ passes: null, totals: { passes: 3 }, recorded_under: { seconds: 30 } }, 2),
    ],
  },
  {
    present: [run({ passes: passes(3, { usd: 0.3 }), recorded_under: { usd: 0.6 } }, 1)],
    finding: {
      severity: 'doubtful',
      code: 'above_own_cap_usd',
      message: 'above their own cap on usd: 1 of 1 run with such a cap; 1 went on after it was reached',
      count: 1,
      ids: ['run-1'],
    },
    absent: [run({ passes: passes(3, { usd: 0.2 }), recorded_under: { usd: 0.6 } }, 1)],
  },
  {
    present: [
      good(1, 2, { status: 'running', check: 'none', started_at: '2026-03-01T09:00:00Z' }),
      good(2, 2, { status: 'running', check: 'none', started_at: '2026-03-02T08:59:00+01:00' }),
      good(3, 2, { status: 'running', check: 'none' }),
      good(4, 2, {
        status: 'running',
        check: 'none',
        started_at: '2026-03-02T09:00:00',
        recorded_under: { seconds: 60 },
      }),
      good(5, 2, { started_at: '2026-03-02 09:01:01' }),
    ],
    finding: {
      severity: 'doubtful',
      code: 'still_running',
      message: '4 records were opened and never closed; 2 of them should have ended before the newest run began',
      count: 4,
      ids: ['run-1', 'run-2', 'run-3', 'run-4'],
    },
    absent: [good(1, 2, STOPPED)],
  },
  {
    present: [good(1, 2, FAILED), good(2, 2), good(3, 2, { ...STOPPED, claim: 'completed' }), good(4, 2, CLAIMED)],
    finding: {
      severity: 'note',
      code: 'claims_contradicted',
      message: 'said to be done, and failed by the check: 2 of 3 runs with that word and a verdict',
      count: 2,
      ids: ['run-1', 'run-3'],
    },
    absent: [good(1, 2), good(2, 2, { ...FAILED, claim: 'blocked' }), good(3, 2, STOPPED)],
  },
  {
    present: [good(1, 2, { ...STOPPED, check: 'passed' }), good(2, 2)],
    finding: {
      severity: 'note',
      code: 'passed_unfinished',
      message: '1 verified success ended as stopped, halted or lost, yet the check passed',
      count: 1,
      ids: ['run-1'],
    },
    absent: [good(1, 2, STOPPED), good(2, 2)],
  },
  {
    present: [good(1, 2, { ...STOPPED, reason: null }), good(2, 2, STOPPED)],
    finding: {
      severity: 'note',
      code: 'unknown_reasons',
      message: 'no word on which limit or error it was: 1 of 2 stopped or halted runs',
      count: 1,
      ids: ['run-1'],
    },
    absent: [good(1, 2), good(2, 2, STOPPED)],
  },
  {
    present: [good(1, 3, {}, { seconds: 0 }), good(2, 2, {}, { seconds: 0 }), good(3, 3)],
    finding: {
      severity: 'wrong',
      code: 'zero_times',
      message: '0 seconds in all: 1 of 2 timed runs of 3 passes or more',
      count: 1,
      ids: ['run-1'],
    },
    absent: [good(1, 3, {}, { seconds: null }), good(2, 2, {}, { seconds: 0 }), good(3, 3)],
  },
  {
    present: [good(1, 3, {}, { seconds: 2.5 }), good(2, 3)],
    finding: {
      severity: 'doubtful',
      code: 'constant_times',
      message: 'every pass took the same time: 1 of 2 timed runs of 3 passes or more',
      count: 1,
      ids: ['run-1'],
    },
    absent: [good(1, 2, {}, { seconds: 2.5 }), good(2, 3), good(3, 3, {}, { seconds: 0 })],
  },
  {
    present: [
      good(1, 2, {}, { seconds: 86_401 }),
      run({ passes: null, totals: { passes: 2, seconds: 180_000 } }, 2),
      good(3, 2),
    ],
    finding: {
      severity: 'doubtful',
      code: 'long_passes',
      message: '2 runs with a pass of more than 24 hours',
      count: 2,
      ids: ['run-1', 'run-2'],
    },
    absent: [
      good(1, 2, {}, { seconds: 86_400 }),
      run({ passes: null, totals: { passes: 3, seconds: 180_000 } }, 2),
      run({ passes: null, totals: { seconds: 180_000 } }, 3),
    ],
  },
  {
    present: several(5, (line) => run({ passes: null, totals: { passes: line, seconds: 90.5 } }, line)),
    finding: {
      severity: 'doubtful',
      code: 'same_seconds',
      message: 'all 5 timed runs took the same 90.5 s, whatever their passes',
      count: 5,
      ids: ['run-1', 'run-2', 'run-3', 'run-4', 'run-5'],
    },
    absent: several(5, (line) => run({ passes: null, totals: { passes: line, seconds: line } }, line)),
  },
  {
    present: [
      good(1, 2, { started_at: '1970-01-01T00:00:00Z' }),
      good(2, 2, { started_at: '2031-05-01' }),
      good(3, 2, { started_at: '2026-05-01T23:59:59-11:00' }),
    ],
    finding: {
      severity: 'doubtful',
      code: 'impossible_starts',
      message: '2 runs started at an impossible time: 1 before 2015, 1 after today',
      count: 2,
      ids: ['run-1', 'run-2'],
    },
    absent: [good(1, 2, { started_at: '2026-05-01T23:59:59-11:00' }), good(2, 2)],
  },
  {
    present: [0, 15, 5, 35, 10].map((minutes, index) =>
      good(index + 1, 2, { started_at: new Date(Date.UTC(2026, 2, 1, 9, minutes, 7)).toISOString() }),
    ),
    finding: {
      severity: 'doubtful',
      code: 'even_starts',
      message: 'the starts of all 5 runs lie a multiple of exactly 5 minutes apart: no clock gives that',
      count: 5,
      ids: ['run-1', 'run-2', 'run-3', 'run-4', 'run-5'],
    },
    absent: [0, 15, 5, 35, 10].map((minutes, index) =>
      good(index + 1, 2, { started_at: new Date(Date.UTC(2026, 2, 1, 9, minutes, index)).toISOString() }),
    ),
  },
  {
    present: [
      run({ passes: null, totals: { passes: 28, tokens: 102 } }, 1),
      good(2, 5, {}, { input_tokens: 9, output_tokens: 400 }),
      good(3, 5),
      run({ passes: null, totals: { passes: 4, tokens: 3 } }, 4),
    ],
    finding: {
      severity: 'wrong',
      code: 'last_message_tokens',
      message:
        'too few tokens for their passes (below 20 a pass, or below 10 of prompt): 2 of 3 runs of 5 passes or more',
      count: 2,
      ids: ['run-1', 'run-2'],
    },
    absent: [
      run({ passes: null, totals: { passes: 5, tokens: 100 } }, 1),
      good(2, 5, {}, { input_tokens: 10, output_tokens: 10 }),
      run({ passes: null, totals: { passes: 4, tokens: 3 } }, 3),
    ],
  },
  {
    present: [
      good(1, 2, {}, { cache_read_tokens: 90, cache_write_tokens: 12 }),
      good(2, 2, {}, { cache_read_tokens: 90 }),
      good(3, 2),
    ],
    finding: {
      severity: 'wrong',
      code: 'cache_outside_input',
      message: 'passes with more cached tokens than prompt tokens: in 1 of 2 runs that tell cached tokens',
      count: 1,
      ids: ['run-1'],
    },
    absent: [good(1, 2, {}, { cache_read_tokens: 90, cache_write_tokens: 11 }), good(2, 2)],
  },
  {
    present: [good(1, 2, {}, { usd: 0 }), good(2, 2), good(3, 2, {}, { usd: null })],
    finding: {
      severity: 'doubtful',
      code: 'zero_cost',
      message: 'a cost of $0: 1 of 2 runs with a cost',
      count: 1,
      ids: ['run-1'],
    },
    absent: [good(1, 2, {}, { usd: null }), run({ passes: [] }, 2)],
  },
  {
    present: [
      good(1, 2, { totals: { tokens: 300 } }),
      good(2, 2, { totals: { tokens: 226 } }),
      good(3, 2, { labels: { conflict: 'final_metrics' } }),
      good(4, 2, { totals: { usd: 0.03 } }),
    ],
    finding: {
      severity: 'doubtful',
      code: 'totals_conflict',
      message: '3 runs whose recorded total of tokens or dollars is not what the passes come to',
      count: 3,
      ids: ['run-1', 'run-3', 'run-4'],
    },
    absent: [
      good(1, 2, { totals: { tokens: 225, usd: 0.02, seconds: 99 } }),
      good(2, 2, { totals: { passes: 9, tokens: 9_999 } }),
    ],
  },
  {
    present: [
      good(1, 2, { labels: { subagents_missing: 2 } }),
      good(2, 2, { labels: { subagents_missing: 0, subagents_unrecorded: '1' } }),
    ],
    finding: {
      severity: 'doubtful',
      code: 'subagents_missing',
      message: '2 runs started sub-agents whose recordings are not at hand',
      count: 2,
      ids: ['run-1', 'run-2'],
    },
    absent: [
      good(1, 2, { labels: { subagents: 2, subagents_missing: 'many' } }),
      good(2, 2, { labels: { subagents_unrecorded: '0' } }),
    ],
  },
  {
    present: [
      good(1, 2, { labels: { unfinished_messages: '2' } }),
      good(2, 2),
      good(3, 2, { labels: { unfinished_messages: 1 } }),
    ],
    finding: {
      severity: 'doubtful',
      code: 'unfinished_messages',
      message: '2 runs with streamed messages whose final usage was never written',
      count: 2,
      ids: ['run-1', 'run-3'],
    },
    absent: [good(1, 2, { labels: { unfinished_messages: '0' } }), good(2, 2)],
  },
  {
    present: [good(1, 3), run({ passes: passes(3) }, 2), run({ passes: passes(3) }, 3), run({ passes: passes(4) }, 4)],
    finding: {
      severity: 'doubtful',
      code: 'likely_copies',
      message: 'the same tokens and times pass by pass as an earlier run of another id: 1 run',
      count: 1,
      ids: ['run-3'],
    },
    absent: [
      run({ passes: passes(3) }, 1),
      run({ passes: passes(3, { seconds: 1.000001 }) }, 2),
      run({ passes: passes(3, { input_tokens: 89, output_tokens: 11 }) }, 3),
      run({ passes: passes(2) }, 4),
      run({ passes: passes(2) }, 5),
      run({ passes: passes(3, { seconds: null, input_tokens: null }) }, 6),
      run({ passes: passes(3, { seconds: null, input_tokens: null }) }, 7),
    ],
  },
  {
    present: several(20, (line) => good(line, line > 10 ? 8 : 3, { labels: { task: line > 10 ? 'big' : 'small' } })),
    finding: {
      severity: 'doubtful',
      code: 'mixed_tasks',
      message: 'the pool mixes runs of different size: by task, the median success takes 3 passes (small) to 8 (big)',
      count: 20,
      ids: [],
    },
    absent: [
      ...several(20, (line) => good(line, line > 10 ? 5 : 3, { labels: { task: line > 10 ? 'big' : 'small' } })),
      ...several(20, (line) => good(line + 20, line > 10 ? 8 : 3, { labels: { num_turns: line > 10 ? 8 : 3 } })),
    ],
  },
  {
    present: [run({ passes: null, totals: { passes: 4 } }, 1), good(2, 3)],
    finding: {
      severity: 'note',
      code: 'unrecorded_passes',
      message: 'passes were counted, but not recorded one by one: 1 run',
      count: 1,
      ids: ['run-1'],
    },
    absent: [run({ passes: null }, 1), good(2, 3), run({ passes: [] }, 3)],
  },
  {
    present: [run({ passes: null }, 1), good(2, 3)],
    finding: {
      severity: 'note',
      code: 'unknown_passes',
      message: 'not even the number of passes is known: 1 run',
      count: 1,
      ids: ['run-1'],
    },
    absent: [run({ passes: null, totals: { passes: 4 } }, 1), good(2, 3)],
  },
  {
    present: [good(1, 3, { totals: { passes: 4 } }), good(2, 3)],
    finding: {
      severity: 'note',
      code: 'more_passes_than_kept',
      message: 'more passes made than recorded one by one: 1 of 2 runs',
      count: 1,
      ids: ['run-1'],
    },
    absent: [good(1, 3, { totals: { passes: 2 } }), run({ passes: null, totals: { passes: 4 } }, 2)],
  },
  {
    present: [
      good(1, 2, {}, { calls: [{ tool: 'a', args: 1, result: 0 }, { tool: 'b' }] }),
      good(2, 2, {}, { calls: [{ tool: 'a', args: 1, result_digest: 'x' }] }),
      good(3, 2),
    ],
    finding: {
      severity: 'note',
      code: 'unknown_results',
      message: 'calls without a result: in 1 of 2 runs that made calls',
      count: 1,
      ids: ['run-1'],
    },
    absent: [good(1, 2, {}, { calls: [{ tool: 'a', args: 1, result: '' }] }), good(2, 2)],
  },
  {
    present: [
      good(1, 2, {}, { calls: [{ tool: 'a', result: 0 }] }),
      good(2, 2, {}, { calls: [{ tool: 'a', args_digest: 'x', result: 0 }] }),
      good(3, 2),
    ],
    finding: {
      severity: 'doubtful',
      code: 'arguments_missing',
      message: 'a tool is called again and no arguments are recorded: in 1 of 2 runs that made calls',
      count: 1,
      ids: ['run-1'],
    },
    absent: [
      good(1, 2, {}, { calls: [{ tool: 'a', args: {}, result: 0 }] }),
      good(2, 1, {}, { calls: [{ tool: 'a' }, { tool: 'b' }] }),
    ],
  },
  {
    present: [good(1, 2, {}, { output_tokens: null }), good(2, 2), run({ passes: [] }, 3)],
    finding: {
      severity: 'note',
      code: 'unknown_tokens',
      message: 'tokens: not known for 1 of 2 runs',
      count: 1,
      ids: ['run-1'],
    },
    absent: [good(1, 2), run({ passes: null, totals: { passes: 3, tokens: 900 } }, 2)],
  },
  {
    present: [
      ...several(5, (line) => good(line, 2)),
      ...several(5, (line) => good(line + 5, 2, STOPPED, { seconds: line > 3 ? 4 : null })),
    ],
    finding: {
      severity: 'doubtful',
      code: 'unknown_seconds',
      message: 'seconds: known for 5 of 5 runs that ended as done, but for 2 of 5 others',
      count: 3,
      ids: ['run-6', 'run-7', 'run-8'],
    },
    absent: [good(1, 2), run({ passes: null, totals: { seconds: 9 } }, 2)],
  },
  {
    present: several(2, (line) => good(line, 2, {}, { usd: null })),
    finding: {
      severity: 'note',
      code: 'unknown_usd',
      message: 'usd: known for none of 2 runs',
      count: 2,
      ids: ['run-1', 'run-2'],
    },
    absent: [good(1, 2), run({ passes: [] }, 2)],
  },
];

describe('findings', () => {
  test.each(CASES.map((each) => [each.finding.code, each] as const))('%s', (code, { present, finding, absent }) => {
    expect(found(code, present)).toEqual({ ...finding, hint: expect.stringMatching(/^.{20,}$/) });
    expect(found(code, absent)).toBeNull();
  });

  test('of runs in order: none', () => {
    const runs = several(12, (line) =>
      good(line, 2 + (line % 5), {
        started_at: new Date(Date.UTC(2026, 2, 1, 9, line, line * line)).toISOString(),
        reason: null,
        labels: { checked_by: PASSED },
      }),
    );
    expect(audited(runs).findings).toEqual([]);
  });

  test('the worst come first, and one of a kind keeps the order of looking', () => {
    const { findings } = audited([run({ passes: [] }, 1), run({ passes: null }, 2), good(3, 3, {}, { seconds: 2 })]);
    expect(findings.map(({ severity, code }) => `${severity}: ${code}`)).toEqual([
      'wrong: zero_pass_successes',
      'doubtful: constant_times',
      'note: unknown_passes',
      'note: unknown_tokens',
      'note: unknown_seconds',
      'note: unknown_usd',
    ]);
  });

  test('missing results: --key request is no way out where the arguments are missing too', () => {
    const bare = (line: number): Run => good(line, 2, {}, { calls: [{ tool: 'a' }] });
    const half = good(3, 2, {}, { calls: [{ tool: 'a', args: 1 }] });
    const hintOf = (...runs: readonly Run[]): string | undefined => found('unknown_results', runs)?.hint;
    expect([hintOf(half), hintOf(bare(1)), hintOf(bare(1), bare(2), half)]).toEqual([
      expect.stringMatching(/; --key request compares tool and arguments only$/),
      expect.stringMatching(/no way out, as they lack the arguments too: record the results$/),
      expect.stringMatching(/no way out, as 2 of them lack the arguments too: record the results$/),
    ]);
  });

  test('name ten runs at most, and count them all', () => {
    const finding = found(
      'zero_pass_successes',
      several(25, (line) => run({ passes: [] }, line)),
    );
    expect(finding).toMatchObject({ count: 25, ids: several(10, (line) => run({}, line)).map(({ id }) => id) });
  });
});

describe('figures', () => {
  const runs = [
    good(1, 3, { claim: 'completed', started_at: '2026-03-01T09:00:00Z' }, { cache_read_tokens: 5 }),
    good(2, 2, { ...STOPPED, check: 'passed' }, { calls: [{ tool: 'a', result: 1 }, { tool: 'b' }] }),
    good(3, 2, { ...STOPPED, claim: 'blocked' }, { usd: null, calls: [{ tool: 'a', result: 1 }] }),
    good(4, 1, CLAIMED, { output_tokens: null }),
    run({ passes: [] }, 5),
    run({ status: 'halted_error', check: 'none', reason: '__proto__', passes: null }, 6),
  ];

  test('of a whole set', () => {
    const { findings, choices, sources, groups, ...figures } = audited(runs, { records: 9 });
    expect(figures).toEqual({
      schema: 'capfit/audit@1',
      records: 9,
      runs: 6,
      verified: 2,
      passed_unfinished: 1,
      claimed: 1,
      by_status: { done_verified: 2, done_claimed: 1, stopped_budget: 2, halted_error: 1, running: 0 },
      endings: [
        { status: 'done_verified', reason: null, count: 2 },
        { status: 'stopped_budget', reason: 'passes', count: 2 },
        { status: 'done_claimed', reason: null, count: 1 },
        { status: 'halted_error', reason: '__proto__', count: 1 },
      ],
      checks: { passed: 3, failed: 1, none: 2 },
      claims: { completed: 1, blocked: 1, impossible: 0, none: 4 },
      zero_pass: { runs: 1, successes: 1 },
      known: {
        pass_count: { runs: { known: 5, of: 6, share: 5 / 6 }, passes: null },
        passes: { runs: { known: 5, of: 6, share: 5 / 6 }, passes: null },
        tokens: { runs: { known: 3, of: 5, share: 3 / 5 }, passes: { known: 7, of: 8, share: 7 / 8 } },
        cached_tokens: { runs: { known: 1, of: 5, share: 1 / 5 }, passes: { known: 3, of: 8, share: 3 / 8 } },
        seconds: { runs: { known: 4, of: 5, share: 4 / 5 }, passes: { known: 8, of: 8, share: 1 } },
        usd: { runs: { known: 3, of: 5, share: 3 / 5 }, passes: { known: 6, of: 8, share: 6 / 8 } },
        started_at: { runs: { known: 1, of: 6, share: 1 / 6 }, passes: null },
        calls: { runs: { known: 2, of: 6, share: 2 / 6 }, passes: { known: 4, of: 8, share: 4 / 8 } },
        results: { runs: { known: 1, of: 2, share: 1 / 2 }, passes: { known: 2, of: 4, share: 2 / 4 } },
      },
      bad_records: { count: 0, by_kind: [] },
      unrecognised: { count: 0, files: [] },
    });
    expect([findings.length > 0, choices.length > 0, sources.length, groups]).toEqual([true, true, 1, []]);
  });

  test('of nothing: no share, no figure, one finding', () => {
    const report = audited([]);
    expect(report.findings).toEqual([
      {
        severity: 'wrong',
        code: 'no_runs',
        message: 'no run could be read',
        hint: 'see the bad records for what is wrong with them',
        count: 0,
        ids: [],
      },
    ]);
    expect(report.known.tokens).toEqual({
      runs: { known: 0, of: 0, share: null },
      passes: { known: 0, of: 0, share: null },
    });
    expect(found('no_runs', [], { records: 3 })?.message).toBe('none of the 3 runs read meets the conditions');
  });

  test('hold no NaN and no infinity, whatever is unknown', () => {
    for (const report of [audited([]), audited(runs, { by: ['kind', '__proto__'] })]) {
      const numbers = JSON.stringify(report, (_key, value: unknown) =>
        typeof value === 'number' && !Number.isFinite(value) ? 'not finite' : value,
      );
      expect(numbers).not.toContain('not finite');
    }
  });

  test('by label: each combination of values, and runs without them', () => {
    const labelled = [
      good(1, 2, { labels: { kind: 'a', model: 'm' } }),
      good(2, 2, { ...FAILED, labels: { kind: 'a' } }),
      run({ passes: [], labels: { kind: 'a', model: 'm' } }, 3),
    ];
    const { groups } = audited(labelled, { by: ['kind', 'model'] });
    expect(groups.map(({ labels, runs: count, verified }) => ({ labels, count, verified }))).toEqual([
      { labels: { kind: 'a', model: 'm' }, count: 2, verified: 1 },
      { labels: { kind: 'a', model: null }, count: 1, verified: 0 },
    ]);
    expect(groups.map(({ findings }) => findings.map(({ code }) => code))).toEqual([
      ['zero_pass_successes'],
      ['claims_contradicted'],
    ]);
  });
});

function from(file: string, line: number): Run {
  return { ...good(line, 2), origin: { file, line } };
}

function fault(file: string, line: number, reason: string): Problem {
  return { kind: 'problem', place: { file, line }, reason, hint: 'mend it', raw: null };
}

describe('sources', () => {
  test('are the files where there are few', () => {
    const files = [
      { path: 'a.jsonl', format: 'jsonl' },
      { path: 'b.csv', format: 'csv' },
    ];
    const problems = [fault('b.csv', 4, 'a row without an id'), fault('lost.jsonl', 1, 'the file is empty')];
    const report = audited([from('a.jsonl', 1), from('a.jsonl', 2), from('else.zip', 3)], { files, problems });
    expect(
      report.sources.map(({ source, format, files: count, runs, bad_records }) => [
        source,
        format,
        count,
        runs,
        bad_records,
      ]),
    ).toEqual([
      ['a.jsonl', 'jsonl', 1, 2, 0],
      ['b.csv', 'csv', 1, 0, 1],
      ['else.zip', 'unknown', 1, 1, 0],
      ['lost.jsonl', 'unknown', 1, 0, 1],
    ]);
  });

  test('are the deepest folders that leave twelve or fewer, each format apart', () => {
    const paths = ['x/1', 'x/2', 'y/1'].flatMap((folder) =>
      several(6, (line) => from(`in/${folder}/${line}.json`, line)),
    );
    const runs = paths.map((each, index) => ({ ...each, id: `run-${index}` }));
    const files = runs.map(({ origin }) => ({
      path: origin.file,
      format: origin.file.includes('/2/') ? 'atif' : 'tau2',
    }));
    const extra = { path: 'in/x/1/part.json', format: 'tau2' };
    const report = audited(runs, { files: [...files, extra] });
    expect(report.sources.map(({ source, format, files: count, runs: of }) => [source, format, count, of])).toEqual([
      ['in/x/1', 'tau2', 7, 6],
      ['in/x/2', 'atif', 6, 6],
      ['in/y/1', 'tau2', 6, 6],
    ]);
  });

  test('climb to the whole where nothing is shared', () => {
    const runs = several(30, (line) => from(`${line}/a.json`, line));
    const { sources } = audited(runs, { files: [] });
    expect(sources.map(({ source, format, files, runs: of }) => [source, format, files, of])).toEqual([
      ['', 'unknown', 30, 30],
    ]);
  });
});

describe('what was read beside the runs', () => {
  const problems = [
    fault('a.jsonl', 3, 'run id "x \\"y\\"" was already read at a.jsonl:1'),
    fault('a.jsonl', 4, 'passes[12].seconds is "many"'),
    fault('a.jsonl', 5, 'passes[3].seconds is "few'),
  ];

  test('bad records are counted by kind, repeated ids apart', () => {
    const { bad_records, findings } = audited([good(1, 2)], { problems });
    expect(bad_records).toEqual({
      count: 3,
      by_kind: [
        { kind: 'passes[N].seconds is "…"', count: 2, first: 'a.jsonl:4' },
        { kind: 'run id was already read', count: 1, first: 'a.jsonl:3' },
      ],
    });
    expect(findings).toEqual([
      {
        severity: 'doubtful',
        code: 'repeated_ids',
        message: '1 record left out because another record has the same id',
        hint: 'the first was kept: give every run an id of its own, or name each file once',
        count: 1,
        ids: ['a.jsonl:3'],
      },
      {
        severity: 'doubtful',
        code: 'bad_records',
        message: '2 bad records left out',
        hint: 'a run that breaks its recorder may be a long one: mend them before you trust the high percentiles',
        count: 2,
        ids: ['a.jsonl:4', 'a.jsonl:5'],
      },
    ]);
  });

  test('files that no reader knows', () => {
    const report = audited([good(1, 2)], { unrecognised: ['notes.txt', 'x.bin'] });
    expect(report.unrecognised).toEqual({ count: 2, files: ['notes.txt', 'x.bin'] });
    expect(report.findings).toEqual([
      {
        severity: 'doubtful',
        code: 'unrecognised_files',
        message: '2 files not recognised as recorded runs',
        hint: 'runs may be hidden there: --from names a format',
        count: 2,
        ids: ['notes.txt', 'x.bin'],
      },
    ]);
  });
});

describe('choices in counting', () => {
  const effect = (runs: readonly Run[], choice: string, metric: string | null = 'tokens') =>
    audited(runs).choices.find((each) => each.choice === choice && each.metric === metric) ?? null;

  test('cached tokens, over the successes that tell them', () => {
    const runs = [
      good(1, 2, {}, { input_tokens: 90, output_tokens: 10, cache_read_tokens: 60 }),
      good(2, 2),
      good(3, 9, STOPPED, { cache_read_tokens: 60 }),
    ];
    expect(effect(runs, 'cache')).toEqual({
      choice: 'cache',
      metric: 'tokens',
      p99: 200,
      n: 1,
      other: 80,
      other_n: 1,
      change: 80 / 200 - 1,
      reason: null,
    });
    expect(effect([good(1, 2)], 'cache', null)).toMatchObject({
      p99: null,
      other: null,
      change: null,
      reason: 'not told by the records: no success gives the cached tokens of every pass',
    });
  });

  test('copies, finished runs only, claimed runs too', () => {
    const runs = [
      run({ passes: passes(3) }, 1),
      run({ passes: passes(3) }, 2),
      run({ ...STOPPED, check: 'passed', passes: passes(5) }, 3),
      run({ ...CLAIMED, passes: passes(9) }, 4),
    ];
    const report = audited(runs);
    expect(
      report.choices
        .filter(({ metric }) => metric === 'passes')
        .map(({ choice, p99, n, other, other_n, change }) => [choice, p99, n, other, other_n, change]),
    ).toEqual([
      ['copies', 5, 3, 5, 2, 0],
      ['finished_only', 5, 3, 3, 2, 3 / 5 - 1],
      ['claimed', 5, 3, 9, 4, 9 / 5 - 1],
    ]);
  });

  test('with no verified success there is nothing to compare with', () => {
    expect(effect([run({ ...CLAIMED, passes: passes(9) }, 1)], 'claimed', 'passes')).toEqual({
      choice: 'claimed',
      metric: 'passes',
      p99: null,
      n: 0,
      other: 9,
      other_n: 1,
      change: null,
      reason: null,
    });
    expect(effect([good(1, 2, STOPPED)], 'copies', null)?.reason).toBe('no success gives a figure');
  });

  test('sub-agents: out of the population, or folded into the run that started them', () => {
    const runs = [
      run({ id: 'root', passes: passes(2) }),
      run({ id: 'child', passes: passes(3), labels: { parent: 'root' } }),
      run({ id: 'grandchild', ...CLAIMED, passes: passes(1), labels: { parent_run: 'child' } }),
      run({ id: 'stray', passes: passes(1), labels: { parent: 'not recorded' } }),
    ];
    expect([effect(runs, 'subagents_out'), effect(runs, 'subagents_folded')]).toEqual([
      {
        choice: 'subagents_out',
        metric: 'tokens',
        p99: 300,
        n: 3,
        other: 200,
        other_n: 2,
        change: 200 / 300 - 1,
        reason: null,
      },
      {
        choice: 'subagents_folded',
        metric: 'tokens',
        p99: 300,
        n: 3,
        other: 600,
        other_n: 2,
        change: 1,
        reason: null,
      },
    ]);
  });

  test('sub-agents: what the records cannot tell is said', () => {
    expect(effect([good(1, 2, { labels: { subagents: 2 } })], 'subagents_out', null)?.reason).toBe(
      'not told by the records: 1 of them holds the spend of sub-agents within its own; read again with --subagents separate',
    );
    expect(effect([good(1, 2)], 'subagents_folded', null)?.reason).toBe(
      'not told by the records: none names a sub-agent',
    );
  });

  test('records that name each other as the one that started them end nowhere', () => {
    const runs = [
      run({ id: 'a', passes: passes(2), labels: { parent: 'b' } }),
      run({ id: 'b', passes: passes(2), labels: { parent: 'a' } }),
      run({ id: 'self', passes: passes(2), labels: { parent: 'self' } }),
    ];
    expect(effect(runs, 'subagents_out')).toMatchObject({ n: 3, other_n: 1 });
  });
});
