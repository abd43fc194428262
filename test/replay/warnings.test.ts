import { describe, expect, test } from 'vitest';
import type { Warning } from '../../src/model/problem.js';
import type { Run } from '../../src/model/run.js';
import { createRunTable } from '../../src/model/table.js';
import { calibrate } from '../../src/replay/calibrate.js';
import { simulate } from '../../src/replay/simulate.js';
import { policy, run } from '../builders.js';

/** Runs of one call a pass. */
const made = (id: string, calls: readonly object[], rest: object = {}): Run =>
  run({ id, passes: calls.map((call) => ({ calls: [call] })), ...rest });

const warned = (runs: Iterable<Run>, rules: readonly object[], code: string): readonly Warning[] =>
  simulate(runs, policy({ rules })).warnings.filter((each) => each.code === code);

function tableOf(runs: readonly Run[]): Iterable<Run> {
  const table = createRunTable();
  for (const each of runs) table.add(each);
  return table;
}

describe('not_judged says what is lacking', () => {
  const RULES = [{ rule: 'repeat' }, { rule: 'errors' }, { rule: 'idle' }];
  const full = { tool: 'a', args: 1, result: 1, error: false };
  const hidden = run({ id: 'hidden', passes: null, totals: { passes: 4 } });

  test.each([
    [
      'a result',
      [{ tool: 'a', args: 1, error: false }],
      ['repeats could not judge 1 of 2 runs: some calls lack the result it compares'],
    ],
    [
      'an error flag',
      [{ tool: 'a', args: 1, result: 1 }],
      ['errors could not judge 1 of 2 runs: some calls lack whether they failed'],
    ],
    ['nothing', [full], []],
  ])('%s', (_what, calls, messages) => {
    expect(
      warned([made('lacking', calls), made('full', [full])], RULES, 'not_judged').map(({ message }) => message),
    ).toEqual(messages);
  });

  test('whole passes', () => {
    expect(warned([hidden], RULES, 'not_judged').map(({ message }) => message)).toEqual(
      ['repeats', 'errors', 'idle'].map(
        (name) => `${name} could not judge 1 of 1 run: their passes are not recorded one by one`,
      ),
    );
  });

  test('a rule that stopped the run is not among them', () => {
    const stopped = made('stopped', [{ tool: 'a', args: 1 }, full, full, full, full]);
    const { not_judged, by_reason, warnings } = simulate(
      [stopped],
      policy({ rules: [{ rule: 'repeat' }, { rule: 'stale' }] }),
    );
    expect([by_reason.repeats?.count, not_judged, warnings.map(({ message }) => message)]).toEqual([
      1,
      { repeats: 0, stale: 1 },
      ['stale could not judge 1 of 1 run: some calls lack the result it compares'],
    ]);
  });
});

describe('arguments_missing', () => {
  const search = { tool: 'search', result: 'page' };
  const bare = made('bare', [search, search]);
  const others = [
    made('digest', [search, { ...search, args_digest: 'x' }]),
    made('empty', [
      { ...search, args: {} },
      { ...search, args: {} },
    ]),
    made('each once', [search, { tool: 'send', result: 'sent' }]),
    run({ id: 'no calls', passes: [{}] }),
    run({ id: 'hidden', passes: null, totals: { passes: 3 } }),
  ];
  const message = (equal: string): string =>
    `1 of 6 runs calls a tool again and records no arguments at all: there ${equal}`;

  test.each([
    [[{ rule: 'repeat', key: 'request' }], [message('every call of a tool counts as the same request')]],
    [[{ rule: 'repeat' }], [message('calls differ by tool and result alone')]],
    [[{ rule: 'repeat', key: 'result' }, { rule: 'stale' }, { rule: 'errors' }, { rule: 'idle' }], []],
    [[], []],
  ])('under %j', (rules, messages) => {
    const runs = [bare, ...others];
    for (const each of [runs, tableOf(runs)]) {
      expect(warned(each, rules, 'arguments_missing').map((warning) => warning.message)).toEqual(messages);
    }
  });

  test('is part of the diagnosis of a calibration', () => {
    const codes = (runs: readonly Run[]): string[] => calibrate(runs).report.diagnosis.map(({ code }) => code);
    expect([codes([bare]).includes('arguments_missing'), codes(others).includes('arguments_missing')]).toEqual([
      true,
      false,
    ]);
  });
});
