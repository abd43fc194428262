import type {
  CutRun,
  OutcomeCount,
  Overshoot,
  ReplayAnswer,
  ReplayQuestion,
  RunCondition,
  StopCount,
} from '../../calibrate/questions.js';
import { METRICS, type Metric, perMetric } from '../../model/limits.js';
import { CHECKS, CLAIMS, STATUSES } from '../../model/status.js';
import { type AskedLimit, askedLimits } from '../../policy/asked-limits.js';
import type { Policy } from '../../policy/policy.js';
import type { Link, Row, RunsAsked } from './dialect.js';
import { outcomesSql, stopsSql } from './outcomes.js';
import { count, isOfGroup, labelsOf, rowsOf, wordOf } from './rows.js';
import { all, flag, isGood, labelColumns, plus } from './words.js';

/** So many limits share one number of bits. */
const BITS = 30;

/** What a policy would have done: classes of runs, the good ones that it cuts, and how far counters stood above caps. */
export async function askReplay(
  link: Link,
  where: readonly RunCondition[],
  question: ReplayQuestion,
): Promise<ReplayAnswer> {
  const { policy, by, within } = question;
  const inGroup = within === null ? [] : Object.keys(within);
  const labels = [...by, ...inGroup.filter((name) => !by.includes(name))];
  const found = outcomesSql(link.dialect, { by: labels, where, calls: true }, policy);
  const kept = await link.keep(
    within === null ? found : `SELECT * FROM (${found}) WHERE ${isOfGroup(link.dialect, labels, within)}`,
  );
  try {
    const limits = askedLimits(policy);
    const classes = await askClasses(link, kept.relation, limits, by);
    if (!question.listed) return { classes, falseStops: [], overshoots: [] };
    return {
      classes,
      falseStops: await askCuts(link, kept.relation, limits, question),
      overshoots: await askOvershoots(link, kept.relation, limits, by, classes),
    };
  } finally {
    await kept.release();
  }
}

/** How many runs each limit stops first, and how many it would stop alone. */
export async function askStops(link: Link, asked: RunsAsked, policy: Policy): Promise<StopCount[]> {
  const limits = askedLimits(policy);
  if (limits.length === 0) return [];
  const sums = limits.flatMap((_, index) => [`sum(${flag(`stop = ${index}`)})`, `sum(alone_${index})`]);
  const [row] = await rowsOf(link, `SELECT ${sums.join(', ')} FROM (${stopsSql(link.dialect, asked, policy)})`);
  return limits.map(({ reason }, index) => ({
    reason,
    first: count(row?.[2 * index] ?? '0'),
    alone: count(row?.[2 * index + 1] ?? '0'),
  }));
}

async function askClasses(
  link: Link,
  outcomes: string,
  limits: readonly AskedLimit[],
  by: readonly string[],
): Promise<OutcomeCount[]> {
  const masks = masksOf(limits.length);
  const told = plus(`SELECT * FROM ${outcomes}`, [
    ['ended_after', 'CASE WHEN stop >= 0 THEN after_passes ELSE -1 END'],
    ['asked', flag('made < 0 OR made > 1')],
    ['is_kept', flag('kept >= 0')],
    ...masks.map((bits, index) => [`mask_${index}`, bits] as const),
    ...METRICS.map((metric) => [`known_${metric}`, flag(isKnown(metric))] as const),
  ]);
  const key = [
    ...labelColumns(by),
    ...['status', 'verdict', 'claim', 'reason', 'zero', 'stop', 'ended_after', 'perhaps', 'censored'],
    ...['approximate', 'unjudged', 'asked', 'is_kept', 'lacks'],
    ...METRICS.map((metric) => `known_${metric}`),
    ...masks.map((_, index) => `mask_${index}`),
  ];
  // Each summand is a column first: a database may say a summand several times over to sum it exactly.
  const summed = plus(
    told,
    METRICS.flatMap((metric) => summands(metric).map((sql, index) => [`${metric}_${index}`, sql] as const)),
  );
  const sums = METRICS.flatMap((metric) => [
    ...[0, 1, 2].map((index) => link.dialect.sum(`${metric}_${index}`)),
    `max(${metric}_3)`,
  ]);
  const columns = [...key, 'count(*)', 'min(ord)', 'max(streak)', ...sums];
  const rows = await rowsOf(link, `SELECT ${columns.join(', ')} FROM (${summed}) GROUP BY ${key.join(', ')}`);
  return rows.map((row) => classOf(row, limits, by, masks.length)).sort((one, other) => one.first - other.first);
}

/** Sums of powers of two, so that few columns tell which limits could not judge. */
function masksOf(limits: number): string[] {
  const masks: string[] = [];
  for (let from = 0; from < limits; from += BITS) {
    const bits = Array.from({ length: Math.min(BITS, limits - from) }, (_, bit) => `${2 ** bit} * blind_${from + bit}`);
    masks.push(bits.join(' + '));
  }
  return masks;
}

function isKnown(metric: Metric): string {
  const recorded = metric === 'passes' ? 'made >= 0' : `whole_${metric} IS NOT NULL`;
  return `${recorded} AND end_${metric} IS NOT NULL`;
}

/** What is summed of a metric, and what the largest is taken of. */
function summands(metric: Metric): string[] {
  const recorded = metric === 'passes' ? 'made' : `whole_${metric}`;
  const ofKnown = (sql: string): string => `CASE WHEN known_${metric} = 1 THEN ${sql} ELSE NULL END`;
  const isTelling = metric === 'passes' ? '' : ' AND zero = 0';
  return [
    ofKnown(recorded),
    ofKnown(`end_${metric}`),
    ofKnown(`coalesce(least_${metric}, end_${metric})`),
    `CASE WHEN end_${metric} IS NOT NULL${isTelling} THEN end_${metric} ELSE NULL END`,
  ];
}

const SUMS = 4;

function classOf(row: Row, limits: readonly AskedLimit[], by: readonly string[], masks: number): OutcomeCount {
  const at = row.slice(by.length);
  const [
    status,
    check,
    claim,
    reason,
    zero,
    stop,
    after,
    perhaps,
    censored,
    approximate,
    unjudged,
    asked,
    kept,
    lacks,
  ] = at;
  const known = at.slice(14, 14 + METRICS.length);
  const bits = at.slice(14 + METRICS.length, 14 + METRICS.length + masks).map(count);
  const [runs, first, streak, ...sums] = at.slice(14 + METRICS.length + masks);
  const sumOf = (metric: Metric, which: number): string | null => sums[SUMS * METRICS.indexOf(metric) + which] ?? null;
  const total = (which: number): OutcomeCount['recorded'] => perMetric((metric) => BigInt(sumOf(metric, which) ?? '0'));
  const isBlind = (index: number): boolean => ((bits[Math.floor(index / BITS)] ?? 0) & (2 ** (index % BITS))) !== 0;
  return {
    labels: labelsOf(row, by),
    status: wordOf(STATUSES, status, 'status'),
    check: wordOf(CHECKS, check, 'check'),
    claim: claim === '' ? null : wordOf(CLAIMS, claim, 'claim'),
    reason: reason === '' ? null : (reason ?? null),
    isZeroPass: zero === '1',
    stop: count(stop) < 0 ? null : { reason: (limits[count(stop)] as AskedLimit).reason, afterPasses: count(after) },
    isPerhaps: perhaps === '1',
    isCensored: censored === '1',
    isApproximate: approximate === '1',
    notJudged: limits.filter((_, index) => isBlind(index)).map((limit) => limit.reason),
    isUnjudged: unjudged === '1',
    isAsked: asked === '1',
    hasPasses: kept === '1',
    lacksArguments: lacks === '1',
    knows: perMetric((metric) => known[METRICS.indexOf(metric)] === '1'),
    runs: count(runs),
    first: count(first),
    recorded: total(0),
    replayed: total(1),
    replayedAtLeast: total(2),
    maxBill: perMetric((metric) => {
      const most = sumOf(metric, 3);
      return most === null ? null : count(most);
    }),
    longestStreak: streak === null || streak === undefined ? null : count(streak),
  };
}

async function askCuts(
  link: Link,
  outcomes: string,
  limits: readonly AskedLimit[],
  { by, population }: ReplayQuestion,
): Promise<CutRun[]> {
  const columns = [...labelColumns(by), 'id', 'stop', 'after_passes', 'ord'].join(', ');
  const sql = `SELECT ${columns} FROM ${outcomes} WHERE ${all([isGood(population), 'stop >= 0'])}`;
  const rows = await rowsOf(link, sql);
  return rows
    .map((row): CutRun => {
      const [id, stop, after, ord] = row.slice(by.length);
      const { reason } = limits[count(stop)] as AskedLimit;
      return { labels: labelsOf(row, by), id: id ?? '', reason, afterPasses: count(after), first: count(ord) };
    })
    .sort((one, other) => one.first - other.first || (one.id < other.id ? -1 : 1));
}

const MEASURED = ['tokens', 'seconds', 'usd'] as const;

async function askOvershoots(
  link: Link,
  outcomes: string,
  limits: readonly AskedLimit[],
  by: readonly string[],
  classes: readonly OutcomeCount[],
): Promise<Overshoot[]> {
  const answers: Overshoot[] = [];
  for (const metric of MEASURED) {
    const index = limits.findIndex(({ limit }) => limit === metric);
    const stopped = classes.filter(({ stop }) => stop?.reason === metric);
    if (index < 0 || stopped.length === 0) continue;
    const { cap } = limits[index] as AskedLimit;
    const values = `SELECT ${[...labelColumns(by), `end_${metric} - ${cap} AS value`].join(', ')} FROM ${outcomes} WHERE stop = ${index}`;
    answers.push(...(await askMiddles(link, values, metric, [], stopped)));
    if (by.length > 0) answers.push(...(await askMiddles(link, values, metric, by, stopped)));
  }
  return answers;
}

/** The two middle values and the largest, of all or of each group. */
async function askMiddles(
  link: Link,
  values: string,
  metric: Overshoot['metric'],
  by: readonly string[],
  stopped: readonly OutcomeCount[],
): Promise<Overshoot[]> {
  const sizes = new Map<string, number>();
  const keyOf = (labels: OutcomeCount['labels']): string => JSON.stringify(by.map((name) => labels[name] ?? null));
  for (const { labels, runs } of stopped) sizes.set(keyOf(labels), (sizes.get(keyOf(labels)) ?? 0) + runs);
  const ranks = [...sizes.values()].flatMap((n) => [Math.ceil(n / 2), Math.floor(n / 2) + 1, n]);
  const wanted = [...new Set(ranks)].sort((one, other) => one - other);
  const rows = await rowsOf(link, link.dialect.ranks(`(${values})`, 'value', labelColumns(by), wanted));
  const found = new Map<string, number>();
  const groups = new Map<string, OutcomeCount['labels']>();
  for (const row of rows) {
    const labels = labelsOf(row, by);
    const [rank, value] = row.slice(by.length);
    groups.set(keyOf(labels), labels);
    found.set(`${keyOf(labels)} ${count(rank)}`, count(value));
  }
  return [...sizes].map(([key, n]): Overshoot => {
    const at = (rank: number): number => found.get(`${key} ${rank}`) as number;
    const labels = by.length === 0 ? null : (groups.get(key) ?? null);
    return { labels, metric, stops: n, max: at(n), middle: [at(Math.ceil(n / 2)), at(Math.floor(n / 2) + 1)] };
  });
}
