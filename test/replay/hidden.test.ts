import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { derive } from '../../src/calibrate/derive.js';
import { DERIVE_DEFAULTS, type DeriveOptions } from '../../src/calibrate/options.js';
import { runOfRecord } from '../../src/formats/record.js';
import { stringifyJson } from '../../src/model/json.js';
import type { Run } from '../../src/model/run.js';
import { createRunTable } from '../../src/model/table.js';
import { calibrate } from '../../src/replay/calibrate.js';
import { hidden, hidesAnything } from '../../src/replay/hidden.js';
import type { HiddenReport } from '../../src/replay/hidden-result.js';
import { hiddenBlocks } from '../../src/report/hidden-blocks.js';
import { renderText } from '../../src/report/render-text.js';
import { nearestRank } from '../../src/stats/quantile.js';
import { runRecords } from '../arbitraries.js';
import { run } from '../builders.js';

function hiddenOf(runs: Iterable<Run>, options: Partial<DeriveOptions> = {}): HiddenReport {
  const resolved = { ...DERIVE_DEFAULTS, ...options };
  return hidden(runs, derive(runs, resolved), resolved);
}

const sized = (id: string, passes: number, fields: object = {}): Run =>
  run({ id, passes: Array.from({ length: passes }, () => ({ seconds: 1 })), ...fields });
const CUT = { status: 'stopped_budget', check: 'none', reason: 'passes' };

const WORKED = readFileSync('datasets/worked-example/runs.jsonl', 'utf8')
  .trim()
  .split('\n')
  .map((line, i) => runOfRecord(JSON.parse(line), { file: 'runs.jsonl', line: i + 1 }));

describe('hidden', () => {
  test('of the worked example', () => {
    const report = hiddenOf(WORKED);
    expect(report).toMatchObject({
      runs: 400,
      verified: 310,
      censored: { runs: 79, stopped_budget: 79, running: 0 },
      near_cap: { runs: 0, by: {} },
      recorded_under: { passes: 60 },
      incidence: { successes: 310, failures: 11, censored: 79, left_out: 0 },
    });
    const passes = report.percentiles.passes;
    expect(passes?.map(({ name, recorded, best, worst }) => [name, recorded, best, worst])).toEqual([
      ['p50', 8, 8, 9],
      ['p90', 14, 14, null],
      ['p95', 16, 16, null],
      ['p99', 21, 21, null],
    ]);
    expect(passes?.[3]?.not_identified).toBe('rank 386 of 389 falls among the 79 runs whose size is not known');
    expect(report.percentiles.usd).toBeNull();
    expect(report.caps).toEqual({
      passes: { cap: 26, above: 2, n: 310, share: [2 / 310, 81 / 389], holds_up_to: 1 },
      tokens: { cap: 460_000, above: 3, n: 310, share: [3 / 310, 82 / 389], holds_up_to: 0 },
      seconds: { cap: 270, above: 1, n: 310, share: [1 / 310, 80 / 389], holds_up_to: 2 },
      usd: null,
    });
    expect(report.incidence.points.map(({ passes: at, where, at_risk }) => [at, where, at_risk])).toEqual([
      [15, ['25 % of provisional cap'], 104],
      [26, ['derived cap'], 82],
      [30, ['50 % of provisional cap'], 80],
      [45, ['75 % of provisional cap'], 79],
      [60, ['provisional cap', 'longest run'], 79],
    ]);
    // Nobody was cut short before pass 60, so that it is the plain share up to there.
    const counted = (passCount: number): number =>
      WORKED.filter(({ check, passes: made }) => check === 'passed' && (made?.length ?? 0) <= passCount).length / 400;
    for (const point of report.incidence.points) expect(point.incidence).toBeCloseTo(counted(point.passes), 12);
    expect(report.incidence.last_success).toEqual({ passes: 33, went_on: 79 });
  });

  test('in words, within 80 columns', () => {
    const text = renderText(hiddenBlocks(hiddenOf(WORKED), 0.01, { verbose: false }), { width: 80, color: false });
    expect(text.replace(/\s+/g, ' ')).toContain(
      'Each cap cuts no more than the accepted 1 % of the good runs as long as at most this many of the 79 were good runs in the making: 1 (passes), 0 (tokens), 2 (seconds).',
    );
    expect(text).toContain('passes          p99                      21  not identified [3]');
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  test('the worst percentile is that of the sizes with so many beyond the largest; the best is the recorded one', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 60 }),
        fc.nat(20),
        fc.integer({ min: 1, max: 999 }),
        (sizes, cut, thousandth) => {
          const p = { num: BigInt(thousandth), den: 1000n };
          const runs = [
            ...sizes.map((size, i) => sized(`r-${i}`, size)),
            ...Array.from({ length: cut }, (_, i) => sized(`c-${i}`, 1, CUT)),
          ];
          const found = hiddenOf(runs, { p }).percentiles.passes?.find(
            ({ name }) => name === `p${Number((thousandth / 10).toPrecision(12))}`,
          );
          const sorted = [...sizes].sort((a, b) => a - b);
          const widened = nearestRank([...sorted, ...Array.from({ length: cut }, () => Number.POSITIVE_INFINITY)], p);
          expect(found?.best).toBe(nearestRank(sorted, p));
          expect(found?.worst).toBe(widened === Number.POSITIVE_INFINITY ? null : widened);
          expect(found?.not_identified === null).toBe(found?.worst !== null);
        },
      ),
    );
  });

  test('a cap holds up to the last good run in the making that keeps the accepted rate', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 300 }),
        fc.nat(30),
        fc.constantFrom(1n, 5n, 20n, 50n),
        (n, cut, percent) => {
          const p = { num: 100n - percent, den: 100n };
          const runs = [
            ...Array.from({ length: n }, (_, i) => sized(`r-${i}`, 1 + (i % 17))),
            ...Array.from({ length: cut }, (_, i) => sized(`c-${i}`, 1, CUT)),
          ];
          const cap = hiddenOf(runs, { p, padding: { num: 1n, den: 1n } }).caps.passes;
          const within = (k: number): boolean =>
            100n * BigInt((cap?.above as number) + k) <= percent * BigInt((cap?.n as number) + k);
          const most = Array.from({ length: cut + 1 }, (_, k) => k).findLast(within);
          expect(cap?.holds_up_to).toBe(most ?? null);
        },
      ),
      { numRuns: 40 },
    );
  });

  test('linear percentiles: identified as long as no neighbour is beyond', () => {
    const runs = [sized('a', 10), sized('b', 20), sized('c', 1, CUT)];
    const worst = (p: bigint): unknown =>
      hiddenOf(runs, { method: 'linear', p: { num: p, den: 100n } }).percentiles.passes?.find(
        ({ name }) => name === `p${p}`,
      )?.worst;
    expect([worst(25n), worst(50n), worst(51n)]).toEqual([15, 20, null]);
  });

  test('near a cap of the recording: from 80 % of it on, by any of them, each run once', () => {
    const under = { recorded_under: { passes: 10, seconds: 5 } };
    const report = hiddenOf([
      sized('a', 7, { recorded_under: { passes: 10 } }),
      sized('b', 8, { recorded_under: { passes: 10 } }),
      sized('c', 8, under),
      sized('d', 4, under),
      sized('e', 9, { ...under, ...CUT }),
    ]);
    expect(report.near_cap).toEqual({ runs: 3, by: { passes: 2, seconds: 2 } });
    expect(report.recorded_under).toEqual({ passes: 10, seconds: 5 });
  });

  test('what is cut short, what has failed, and what is left out', () => {
    const running = { status: 'running', check: 'none' };
    const passed = { status: 'stopped_budget', check: 'passed', reason: 'passes' };
    const runs = [
      sized('good', 3),
      sized('cut', 5, CUT),
      sized('cut after a failed check', 5, { ...CUT, check: 'failed' }),
      sized('open', 2, running),
      sized('open before any call', 0, running),
      sized('passed, and stopped', 4, passed),
      sized('claimed', 4, { status: 'done_claimed', check: 'none' }),
      sized('halted', 1, { status: 'halted_error', check: 'failed', reason: 'x' }),
      run({ id: 'size unknown', passes: null }),
    ];
    expect(hiddenOf(runs)).toMatchObject({
      censored: { runs: 3, stopped_budget: 2, running: 1 },
      incidence: { successes: 2, failures: 2, censored: 3, left_out: 2 },
    });
    expect(hiddenOf(runs, { finishedOnly: true })).toMatchObject({
      censored: { runs: 3 },
      incidence: { successes: 1, failures: 2, censored: 3, left_out: 3 },
    });
    expect(hiddenOf(runs, { claimed: true }).incidence).toMatchObject({ successes: 3, failures: 1 });
  });

  test('nothing hidden: no section, or one line where all is listed', () => {
    const report = hiddenOf([sized('a', 3), sized('b', 4)]);
    expect(hidesAnything(report)).toBe(false);
    expect(hiddenBlocks(report, 0.01, { verbose: false })).toEqual([]);
    expect(hiddenBlocks(report, 0.01, { verbose: true })).toHaveLength(1);
  });

  test.each([
    ['no run', []],
    ['one run', [sized('a', 3)]],
    ['one run, cut short', [sized('a', 3, CUT)]],
    ['two, one of them cut short', [sized('a', 3), sized('b', 2, CUT)]],
    ['all alike', Array.from({ length: 20 }, (_, i) => sized(`r-${i}`, 4))],
    ['none verified', [sized('a', 3, { status: 'halted_error', check: 'failed', reason: 'x' }), sized('b', 3, CUT)]],
    ['no pass at all', [sized('a', 0), sized('b', 0, CUT)]],
  ])('%s: answered in words', (_what, runs) => {
    const report = hiddenOf(runs);
    const text = renderText(hiddenBlocks(report, 0.01, { verbose: true }), { width: 80, color: false });
    for (const answer of [text, stringifyJson(report, 2)]) expect(answer).not.toMatch(/NaN|Infinity|undefined|-0\b/);
    expect(text.length).toBeGreaterThan(20);
  });

  test('a table gives the same as the runs, for the whole and for each group', () => {
    fc.assert(
      fc.property(fc.array(runRecords, { maxLength: 12 }), (records) => {
        const runs = records.map((record, i) => run({ ...record, id: `run-${i}` }, i + 1));
        const table = createRunTable();
        for (const each of runs) table.add(each);
        const options = { by: ['kind'] };
        expect(hiddenOf(table, options)).toEqual(hiddenOf(runs, options));
      }),
    );
  });
});

describe('the diagnosis', () => {
  const codes = (runs: readonly Run[]): string[] => calibrate(runs).report.diagnosis.map(({ code }) => code);

  test('runs cut short speak where a few good ones among them would break the caps', () => {
    const good = Array.from({ length: 310 }, (_, i) => sized(`r-${i}`, 5 + (i % 9)));
    expect(codes(good)).not.toContain('stopped_while_recording');
    expect(codes([...good, sized('c-1', 9, CUT)])).not.toContain('stopped_while_recording');
    const cut = Array.from({ length: 9 }, (_, i) => sized(`c-${i}`, 9, CUT));
    const found = calibrate([...good, ...cut]).report.diagnosis.find(({ code }) => code === 'stopped_while_recording');
    expect(found?.message).toBe(
      '9 runs were stopped or lost while recording, and what they would have come to is not known: each cap cuts no more than 1 % only as long as no more of them than this were good runs in the making: passes 3, seconds 3',
    );
  });

  test('successes near the caps of the recording', () => {
    const near = Array.from({ length: 12 }, (_, i) => sized(`r-${i}`, 9, { recorded_under: { passes: 10 } }));
    const [found] = calibrate(near).report.diagnosis.filter(({ code }) => code === 'provisional_cap_near');
    expect(found?.message).toBe(
      '12 of 12 successes used 80 % or more of a cap of the recording (passes): longer successes may be missing',
    );
  });
});
