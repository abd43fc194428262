import type { PopulationOptions } from '../../calibrate/population.js';
import {
  type AboveAnswer,
  type AboveQuestion,
  type EndingCount,
  type LabelSize,
  NEAR,
  type Questions,
  type RankAnswer,
  type RankQuestion,
  type RankSumAnswer,
  type RankSumQuestion,
  type RunCondition,
  type ToolCount,
} from '../../calibrate/questions.js';
import { LIMITS, type LimitName, type Metric } from '../../model/limits.js';
import { CHECKS, CLAIMS, STATUSES } from '../../model/status.js';
import { PLAIN_REPEAT, type RepeatRule } from '../../policy/policy.js';
import { askCells } from './cells.js';
import { type Link, type Row, type RunsAsked, STEP } from './dialect.js';
import { askReplay, askStops } from './replay.js';
import { count, isOfGroup, labelsOf, rowsOf, wordOf } from './rows.js';
import { all, any, flag, isGood, labelColumns, plus, whole, wholeOf, withWhole } from './words.js';

/** The questions asked of a database. */
export function questionsOf(link: Link, where: readonly RunCondition[] = []): Questions {
  const { dialect } = link;
  const kept = new Map<string, ReturnType<Link['keep']>>();
  /** Asked for more than once: first whether there are any runs at all. */
  const endings = new Map<string, Promise<EndingCount[]>>();
  const asked = (by: readonly string[]): RunsAsked => ({ by, where, calls: false });
  /** Runs with their whole figures, kept for as long as questions are asked. */
  const runs = async (by: readonly string[]): Promise<string> => {
    const key = JSON.stringify(by);
    const known = kept.get(key) ?? link.keep(withWhole(dialect.runs(asked(by))));
    kept.set(key, known);
    return (await known).relation;
  };
  return {
    labelNames: () => askLabelNames(link, asked([])),
    toolNames: () => askToolNames(link, asked([])),
    endings(by) {
      const key = JSON.stringify(by);
      const known = endings.get(key) ?? runs(by).then((relation) => askEndings(link, relation, by));
      endings.set(key, known);
      return known;
    },
    labelSizes: (population, mostValues) => askLabelSizes(link, asked([]), population, mostValues),
    orderStatistics: async (question) => askRanks(link, await runs(question.by), question),
    countsAbove: async (question) => askAbove(link, await runs(question.by), question),
    rankSums: async (question) => askRankSums(link, await runs(question.by), question),
    replay: (question) => askReplay(link, where, question),
    stops: (policy) => askStops(link, asked([]), policy),
    repeatedTools: (rule, population) => askRepeatedTools(link, asked([]), rule, population),
    cells: async (question) => askCells(link, asked([]), await runs([]), question),
    async close() {
      for (const each of kept.values()) await (await each.catch(() => null))?.release();
      await link.close();
    },
  };
}

async function askLabelNames(link: Link, asked: RunsAsked): Promise<string[]> {
  const sql = `SELECT label, min(ord * ${STEP} + place) AS first_met FROM (${link.dialect.labels(asked)}) GROUP BY label`;
  const rows = await rowsOf(link, sql);
  return rows.sort(([, one], [, other]) => count(one) - count(other)).map(([label]) => label ?? '');
}

/** Every call is the first of its kind at least, so that a count of one is reached at all of them. */
const ANY_CALL: RepeatRule = { ...PLAIN_REPEAT, key: 'request', count: 1 };

async function askToolNames(link: Link, asked: RunsAsked): Promise<string[]> {
  const sql = `SELECT tool FROM (${link.dialect.reachedTools(asked, ANY_CALL)}) GROUP BY tool`;
  return (await rowsOf(link, sql)).map(([tool]) => tool ?? '');
}

async function askEndings(link: Link, runs: string, by: readonly string[]): Promise<EndingCount[]> {
  const known = ['tokens', 'seconds', 'usd'].map((metric) => [`knows_${metric}`, flag(`whole_${metric} IS NOT NULL`)]);
  const near = LIMITS.map((limit, bit) => {
    const { sql, isKnown } = wholeOf(limit);
    const isNear = `${isKnown} AND under_${limit} IS NOT NULL AND coalesce(${sql}, 0) * ${NEAR.den} >= coalesce(under_${limit}, 0) * ${NEAR.num}`;
    return `${2 ** bit} * ${flag(isNear)}`;
  });
  const told = plus(`SELECT * FROM ${runs}`, [...(known as [string, string][]), ['near', near.join(' + ')]]);
  const key = [...labelColumns(by), 'status', 'verdict', 'claim', 'made', ...known.map(([name]) => name), 'near'];
  const largest = LIMITS.map((limit) => `max(under_${limit})`);
  const sql = `SELECT ${[...key, ...largest, 'count(*)', 'min(ord)'].join(', ')} FROM (${told}) GROUP BY ${key.join(', ')}`;
  const rows = await rowsOf(link, sql);
  return rows.map((row) => endingOf(row, by)).sort((one, other) => one.first - other.first);
}

function endingOf(row: Row, by: readonly string[]): EndingCount {
  const [status, check, claim, made, tokens, seconds, usd, near, ...rest] = row.slice(by.length);
  const under = LIMITS.flatMap((limit, index): [LimitName, number][] => {
    const cap = rest[index] ?? null;
    return cap === null ? [] : [[limit, count(cap)]];
  });
  return {
    labels: labelsOf(row, by),
    status: wordOf(STATUSES, status, 'status'),
    check: wordOf(CHECKS, check, 'check'),
    claim: claim === '' ? null : wordOf(CLAIMS, claim, 'claim'),
    passes: count(made) < 0 ? null : count(made),
    knows: { tokens: tokens === '1', seconds: seconds === '1', usd: usd === '1' },
    near: LIMITS.filter((_, bit) => (count(near) & (2 ** bit)) !== 0),
    under: Object.fromEntries(under),
    runs: count(rest[LIMITS.length]),
    first: count(rest[LIMITS.length + 1]),
  };
}

async function askLabelSizes(
  link: Link,
  asked: RunsAsked,
  population: PopulationOptions,
  mostValues: number,
): Promise<LabelSize[]> {
  const good = `SELECT * FROM (${withWhole(link.dialect.labels(asked))}) WHERE ${all([isGood(population), 'made >= 0'])}`;
  const few = `SELECT label FROM (${good}) GROUP BY label HAVING count(DISTINCT value) <= ${mostValues}`;
  const sql = `SELECT label, value, made, count(*), min(ord * ${STEP} + place) FROM (${good}) WHERE label IN (${few}) GROUP BY label, value, made`;
  const rows = await rowsOf(link, sql);
  return rows
    .map(([label, value, made, runs, first]) => ({
      label: label ?? '',
      value: value ?? '',
      passes: count(made),
      runs: count(runs),
      first: count(first),
    }))
    .sort((one, other) => one.first - other.first);
}

/** The values of a metric over the population that knows it, as the column `value`, beside the labels. */
function valuesSql(runs: string, { metric, population, by }: ValuesAsked): string {
  const { sql, isKnown } = wholeOf(metric);
  const columns = [...labelColumns(by), `${sql} AS value`].join(', ');
  return `SELECT ${columns} FROM ${runs} WHERE ${all([isGood(population), isKnown])}`;
}

interface ValuesAsked {
  readonly metric: Metric;
  readonly population: PopulationOptions;
  readonly by: readonly string[];
}

async function askRanks(link: Link, runs: string, question: RankQuestion): Promise<RankAnswer[]> {
  if (question.ranks.length === 0) return [];
  const { by, ranks } = question;
  const rows = await rowsOf(
    link,
    link.dialect.ranks(`(${valuesSql(runs, question)})`, 'value', labelColumns(by), ranks),
  );
  return rows.map((row) => {
    const [rank, value] = row.slice(by.length);
    return { labels: labelsOf(row, by), rank: count(rank), value: count(value) };
  });
}

async function askAbove(link: Link, runs: string, question: AboveQuestion): Promise<AboveAnswer[]> {
  const { by, thresholds } = question;
  if (thresholds.length === 0) return [];
  const columns = labelColumns(by);
  const counts = thresholds.map((threshold) => `sum(${flag(`value > ${whole(threshold)}`)})`);
  const grouped = columns.length === 0 ? '' : ` GROUP BY ${columns.join(', ')}`;
  const sql = `SELECT ${[...columns, ...counts].join(', ')} FROM (${valuesSql(runs, question)})${grouped}`;
  const rows = await rowsOf(link, sql);
  return rows.flatMap((row) =>
    thresholds.map((threshold, index) => ({
      labels: labelsOf(row, by),
      threshold,
      // A sum of nothing is NULL in one database and 0 in another.
      runs: count(row[by.length + index] ?? '0'),
    })),
  );
}

async function askRankSums(link: Link, runs: string, question: RankSumQuestion): Promise<RankSumAnswer> {
  const { by, groups } = question;
  const isAsked = any(groups.map((labels) => isOfGroup(link.dialect, by, labels)));
  const values = `SELECT * FROM (${valuesSql(runs, question)}) WHERE ${isAsked}`;
  const rows = await rowsOf(link, link.dialect.rankSums(`(${values})`, labelColumns(by)));
  const answers = rows.map((row) => {
    const [n, doubled] = row.slice(by.length);
    return { labels: labelsOf(row, by), n: count(n), doubled: BigInt(doubled ?? '0') };
  });
  return { groups: answers, ties: BigInt(rows[0]?.[by.length + 2] ?? '0') };
}

async function askRepeatedTools(
  link: Link,
  asked: RunsAsked,
  rule: RepeatRule,
  population: PopulationOptions,
): Promise<ToolCount[]> {
  const reached = withWhole(link.dialect.reachedTools(asked, rule));
  const sql = `SELECT tool, count(*), min(ord * ${STEP} + place) FROM (${reached}) WHERE ${isGood(population)} GROUP BY tool`;
  const rows = await rowsOf(link, sql);
  return rows
    .sort(([, , one], [, , other]) => count(one) - count(other))
    .map(([tool, runs]) => ({ tool: tool ?? '', runs: count(runs) }));
}
