import type { CellAnswer, CellAxis, CellCount, CellQuestion } from '../../calibrate/questions.js';
import { METRICS, type Metric, perMetric } from '../../model/limits.js';
import type { Link, Row, RunsAsked } from './dialect.js';
import { count, rowsOf } from './rows.js';
import { all, any, flag, isGood, plus, sumOf, when, whole, wholeOf, withWhole } from './words.js';

/*
 * The caps of a grid cut the counters into cells: pass k + 1 is made under a policy if and only if every counter is below
 * its cap at boundary k. So each pass, each ending and each recorded stop is counted in one cell, and the sums below a
 * policy's corner are all that it lets through.
 */

/** Counts of the cells of a grid. @param runs the runs with their whole figures */
export async function askCells(
  link: Link,
  asked: RunsAsked,
  runs: string,
  question: CellQuestion,
): Promise<CellAnswer> {
  const { axes, population } = question;
  const cells = new Map<string, Filling>();
  const cellAt = (row: Row): Filling => cellOf(cells, row, axes.length);
  for (const row of await rowsOf(link, passesSql(link, asked, question))) {
    const cell = cellAt(row);
    const [finished, good, ...made] = row.slice(axes.length);
    cell.finished += count(finished);
    cell.goodFinished += count(good);
    for (const [index, metric] of METRICS.entries()) cell.made[metric] += BigInt(made[index] ?? '0');
  }
  for (const row of await rowsOf(link, endsSql(runs, question))) {
    const cell = cellAt(row);
    const [censored, open, empty, goodEmpty] = row.slice(axes.length);
    cell.censored += count(censored);
    cell.censoredOpen += count(open);
    cell.finished += count(empty);
    cell.goodFinished += count(goodEmpty);
  }
  const [together] = await rowsOf(link, wholeSql(link, runs, axes, isGood(population)));
  const reasons = lackingOf(axes);
  const [total = null, verified = null, exact = null, ...rest] = together ?? [];
  const recorded = rest.slice(reasons.length);
  const lacking = reasons.map(([what], index) => [what, count(rest[index] ?? '0')] as const);
  return {
    cells: [...cells.values()],
    runs: count(total),
    verified: count(verified ?? '0'),
    inexact: count(total) - count(exact ?? '0'),
    lacking: Object.fromEntries(lacking.filter(([, runs]) => runs > 0)),
    recorded: perMetric((metric) => {
      const at = 3 * METRICS.indexOf(metric);
      const [sum, known, telling] = recorded.slice(at, at + 3);
      return { sum: BigInt(sum ?? '0'), knownRuns: count(known ?? '0'), tellingRuns: count(telling ?? '0') };
    }),
  };
}

type Filling = { -readonly [key in keyof CellCount]: CellCount[key] } & { made: Record<Metric, bigint> };

function cellOf(cells: Map<string, Filling>, row: Row, axes: number): Filling {
  const reached = row.slice(0, axes).map(count);
  const known = cells.get(reached.join());
  if (known !== undefined) return known;
  const made = { passes: 0n, tokens: 0n, seconds: 0n, usd: 0n };
  const opened: Filling = { reached, made, finished: 0, goodFinished: 0, censored: 0, censoredOpen: 0 };
  cells.set(reached.join(), opened);
  return opened;
}

/** Whether all passes of a run are kept, and tell what the axes count, and no total says more than the passes do. */
function isExact(axes: readonly CellAxis[]): string {
  return all(lackingOf(axes).map(([, lacks]) => `NOT (${lacks})`));
}

/** What runs may lack, each with the condition that one does. */
function lackingOf(axes: readonly CellAxis[]): (readonly [what: keyof CellAnswer['lacking'], lacks: string])[] {
  const summed = axes.flatMap(({ limit }) =>
    limit === 'passes' ? [] : [[limit, `has_all = 1 AND sum_${limit} IS NULL`] as const],
  );
  const totals = (['tokens', 'seconds', 'usd'] as const).map(
    (metric) => `sum_${metric} IS NULL AND stated_${metric} IS NOT NULL`,
  );
  return [['passes', 'has_all = 0'], ...summed, ['totals', `has_all = 1 AND (${any(totals)})`]];
}

/** How many caps of an axis a counter reaches. */
function reachedSql(caps: readonly number[], counter: string): string {
  return sumOf(caps.map((cap) => flag(`${counter} >= ${whole(cap)}`)));
}

function passesSql(link: Link, asked: RunsAsked, { axes, population }: CellQuestion): string {
  const { sum } = link.dialect;
  const passes = `SELECT * FROM (${withWhole(link.dialect.passes(asked))}) WHERE ${isExact(axes)}`;
  const cells = plus(
    passes,
    axes.map(({ limit, caps }, axis) => {
      const before = limit === 'passes' ? '(pass - 1)' : `coalesce(before_${limit}, 0)`;
      return [`c${axis}`, reachedSql(caps, before)] as const;
    }),
  );
  const key = axes.map((_, axis) => `c${axis}`);
  const made = METRICS.map((metric) =>
    metric === 'passes' ? sum('1') : sum(when(`sum_${metric} IS NOT NULL`, `add_${metric}`, 'NULL')),
  );
  const last = flag('pass = kept');
  const goodLast = flag(`pass = kept AND (${isGood(population)})`);
  return `SELECT ${[...key, `sum(${last})`, `sum(${goodLast})`, ...made].join(', ')} FROM (${cells}) GROUP BY ${key.join(', ')}`;
}

/** Recorded stops by what is reached where they end, and runs that made no pass, in which nothing is reached. */
function endsSql(runs: string, { axes, population }: CellQuestion): string {
  const isOpen = `NOT (${isGood(population)})`;
  const ends = plus(
    `SELECT * FROM ${runs} WHERE ${all([isExact(axes), any(["status = 'stopped_budget'", 'kept = 0'])])}`,
    axes.map(({ limit, caps }, axis) => {
      const end = limit === 'passes' ? 'made' : `coalesce(sum_${limit}, 0)`;
      return [`c${axis}`, reachedSql(caps, end)] as const;
    }),
  );
  const key = axes.map((_, axis) => `c${axis}`);
  const counts = [
    "status = 'stopped_budget'",
    `status = 'stopped_budget' AND ${isOpen}`,
    'kept = 0',
    `kept = 0 AND (${isGood(population)})`,
  ].map((condition) => `sum(${flag(condition)})`);
  return `SELECT ${[...key, ...counts].join(', ')} FROM (${ends}) GROUP BY ${key.join(', ')}`;
}

function wholeSql({ dialect }: Link, runs: string, axes: readonly CellAxis[], good: string): string {
  const recorded = METRICS.flatMap((metric) => {
    const { sql, isKnown } = wholeOf(metric);
    const isTelling = metric === 'passes' ? isKnown : `${isKnown} AND zero = 0`;
    return [dialect.sum(when(isKnown, sql, 'NULL')), `sum(${flag(isKnown)})`, `sum(${flag(isTelling)})`];
  });
  const lacking = lackingOf(axes).map(([, lacks]) => `sum(${flag(lacks)})`);
  const counts = ['count(*)', `sum(${flag(good)})`, `sum(${flag(isExact(axes))})`, ...lacking];
  return `SELECT ${[...counts, ...recorded].join(', ')} FROM ${runs}`;
}
