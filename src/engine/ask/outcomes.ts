import { LIMITS, type LimitName, METRICS } from '../../model/limits.js';
import { type AskedLimit, askedLimits } from '../../policy/asked-limits.js';
import { judgesDispatch, type Policy } from '../../policy/policy.js';
import { type Dialect, type Mark, NO_PLACE, type RunsAsked, STEP, type SummedLimit } from './dialect.js';
import { all, any, flag, labelColumns, plus, smaller, when, whole, wholeOf, withWhole } from './words.js';

/*
 * What a policy would have done to each run, as one relation made step by step: where each limit is reached (the
 * database's own words), which is first, what the counters stand at there, and what is left open. `replayRun` is the
 * definition; each step here says in SQL what one of its functions says there.
 */

/**
 * One row a run: what `OF_RUNS` names, the labels, and
 *
 * - `stop`: place of what stopped it among the asked limits, -1: the recorded ending stands; `after_passes`
 * - `end_L`, `least_L` for every limit: counters at the ending, and the least they can have been; NULL where not known
 * - `blind_{j}` for each asked limit: 1 where it could not judge; `unjudged`, `perhaps`, `censored`, `approximate`: 0 or 1
 */
export function outcomesSql(dialect: Dialect, asked: RunsAsked, policy: Policy): string {
  const limits = askedLimits(policy);
  const marks = marksOf(policy, limits);
  const found = withWhole(
    dialect.marks(
      { ...asked, calls: true },
      marks.map(({ mark }) => mark),
    ),
  );
  const placed = withStop(dialect, found, policy, limits, marks);
  const judged = withOpen(dialect.withCounters(`(${placed})`), policy, limits, marks);
  const columns = [...labelColumns(asked.by), ...OF_RUNS, ...limits.map((_, index) => `blind_${index}`)];
  return `SELECT ${columns.join(', ')} FROM (${withEnds(judged, policy, limits)})`;
}

/** What is kept of a run: where databases keep the relation, what only led to it would take most of the room. */
const OF_RUNS: readonly string[] = [
  ...['ord', 'id', 'status', 'verdict', 'claim', 'reason', 'kept', 'made', 'zero', 'streak', 'lacks'],
  ...['stop', 'after_passes', 'perhaps', 'censored', 'approximate', 'unjudged'],
  ...['whole_tokens', 'whole_seconds', 'whole_usd'],
  ...METRICS.flatMap((metric) => [`end_${metric}`, `least_${metric}`]),
];

/** One row a run: `stop`, and for each asked limit `alone_{j}`, 1 where it would stop the run were it the only one. */
export function stopsSql(dialect: Dialect, asked: RunsAsked, policy: Policy): string {
  const limits = askedLimits(policy);
  const marks = marksOf(policy, limits);
  const found = withWhole(
    dialect.marks(
      asked,
      marks.map(({ mark }) => mark),
    ),
  );
  const alone = placesOf(limits, marks).map((place, index) => {
    const { limit, cap } = limits[index] as AskedLimit;
    const isStated = limit === 'passes' ? [`has_all = 0 AND made - 1 >= ${whole(cap)}`] : [];
    return [`alone_${index}`, flag(any([`${place} < ${whole(NO_PLACE)}`, ...isStated]))] as const;
  });
  return plus(withStop(dialect, found, policy, limits, marks), alone);
}

interface Marked {
  readonly mark: Mark;
  /** Place among the asked limits. */
  readonly asked: number;
}

/** The limits whose places the database must find: all but the pass cap, which follows from the number of passes. */
function marksOf({ rules, stepsAt }: Policy, limits: readonly AskedLimit[]): Marked[] {
  return limits.flatMap(({ limit, rule, cap }, asked): Marked[] => {
    if (rule !== null) return [{ asked, mark: { kind: 'rule', rule: rules[rule] as Policy['rules'][number] } }];
    if (limit === null || limit === 'passes') return [];
    return [{ asked, mark: { kind: 'cap', limit, cap, atDispatch: limit === 'steps' && stepsAt === 'dispatch' } }];
  });
}

/** The place of the first limit, who it is, and the passes made there. */
function withStop(
  dialect: Dialect,
  relation: string,
  policy: Policy,
  limits: readonly AskedLimit[],
  marks: readonly Marked[],
): string {
  const none = whole(NO_PLACE);
  const places = placesOf(limits, marks);
  const place = plus(relation, [['place', places.reduce((least, each) => smallerOf(least, each), none)]]);
  const who = places.map((each, index) => `WHEN ${each} = place THEN ${index}`).join(' ');
  const walked = plus(place, [
    ['walked', places.length === 0 ? '-1' : `CASE WHEN place = ${none} THEN -1 ${who} ELSE -1 END`],
    ['after', when(`place = ${none}`, '0', dialect.divide(`place + ${2 * STEP - 1}`, String(2 * STEP)))],
    ['inside', dialect.remainder('place', String(2 * STEP))],
  ]);
  const statedAt = limits.findIndex(({ limit }) => limit === 'passes');
  const cap = policy.caps.passes ?? 0;
  const isStated = statedAt < 0 ? '1 = 0' : `walked < 0 AND has_all = 0 AND made - 1 >= ${whole(cap)}`;
  return plus(walked, [
    ['stop', when(isStated, String(statedAt), 'walked')],
    ['after_passes', when(isStated, whole(cap), 'after')],
  ]);
}

/** Where each limit is reached, in the order asked. */
function placesOf(limits: readonly AskedLimit[], marks: readonly Marked[]): string[] {
  return limits.map(({ cap }, index) => {
    const mark = marks.findIndex(({ asked }) => asked === index);
    if (mark >= 0) return `p${mark}`;
    const boundary = whole(2 * STEP * Math.min(cap, MOST_PASSES));
    return when(`kept - 1 >= ${whole(cap)}`, boundary, whole(NO_PLACE));
  });
}

/** No run has more, and a higher cap on passes is not reached either. */
const MOST_PASSES = 2 ** 31;

function smallerOf(one: string, other: string): string {
  return `least(${one}, ${other})`;
}

/** Which limits could not judge, which may have stopped the run unseen, and whether a recorded stop is lifted. */
function withOpen(relation: string, policy: Policy, limits: readonly AskedLimit[], marks: readonly Marked[]): string {
  const walk = plus(
    relation,
    limits.map((limit, index) => [`walk_${index}`, flag(blindInWalk(limit, index, marks))] as const),
  );
  const judged = plus(
    walk,
    limits.flatMap(({ limit, cap }, index) => {
      if (limit === null)
        return [
          [`blind_${index}`, `walk_${index}`],
          [`maybe_${index}`, '0'],
        ] as const;
      const { sql, isKnown } = wholeOf(limit);
      const isAsked = `(has_all = 0 OR walk_${index} = 1)`;
      const mayStop = limit === 'passes' ? '1 = 0' : `(made < 0 OR made > 1) AND ${sql} >= ${whole(cap)}`;
      return [
        [`blind_${index}`, flag(`${isAsked} AND NOT (${isKnown}) AND (made <> 0 OR walk_${index} = 1)`)],
        [`maybe_${index}`, when(`${isAsked} AND ${isKnown}`, flag(mayStop), '0')],
      ] as const;
    }),
  );
  const maybe = limits.map((_, index) => `maybe_${index}`);
  return plus(judged, [
    ['perhaps_limits', maybe.length === 0 ? '0' : maybe.join(' + ')],
    ['unjudged', flag(mayStopUnseen(policy, limits))],
    ['censored', flag(`stop < 0 AND status = 'stopped_budget' AND NOT (${stopsAtItsEnd(limits, marks)})`)],
  ]);
}

/** Whether a limit could not judge at some place up to which the run was asked. */
function blindInWalk({ limit, rule }: AskedLimit, index: number, marks: readonly Marked[]): string {
  const mark = marks.findIndex(({ asked }) => asked === index);
  if (mark < 0) return '1 = 0';
  const from = `b${mark}`;
  if (rule !== null) {
    return any([`${from} < place AND stop <> ${index}`, `kept < 0 AND made <> 0 AND stop <> ${index}`]);
  }
  if (limit === null) return '1 = 0';
  const isBeforeStop = `${from} = place AND inside = 0 AND ${index} < walked`;
  return all([`kept > 0`, `${from} <= (kept - 1) * ${2 * STEP}`, any([`${from} < place`, isBeforeStop])]);
}

/** `mayStopUnseen` of a run. */
function mayStopUnseen(policy: Policy, limits: readonly AskedLimit[]): string {
  const caps = limits.flatMap(({ limit }, index) => (limit === null ? [] : [{ limit, blind: `blind_${index} = 1` }]));
  const steps = caps.filter(({ limit }) => limit === 'steps' && policy.stepsAt === 'dispatch');
  return any([
    all([any(caps.map(({ blind }) => blind)), '(made < 0 OR made > 1)']),
    all([any(steps.map(({ blind }) => blind)), 'made = 1']),
  ]);
}

/** Whether any limit is reached where the recording ends. */
function stopsAtItsEnd(limits: readonly AskedLimit[], marks: readonly Marked[]): string {
  return any(
    limits.map(({ limit, cap }, index) => {
      if (limit === null) return `e${marks.findIndex(({ asked }) => asked === index)} = 1`;
      const { sql, isKnown } = wholeOf(limit);
      return when(isKnown, flag(`${sql} >= ${whole(cap)}`), '0').concat(' = 1');
    }),
  );
}

/** Counters at the ending: what the walk gives, else what the whole run bounds; and the least they can have been. */
function withEnds(relation: string, policy: Policy, limits: readonly AskedLimit[]): string {
  const dispatches = judgesDispatch(policy);
  const ends = plus(
    relation,
    LIMITS.flatMap((limit) => {
      const counted = countedAt(limit, dispatches);
      return [
        [`end_${limit}`, endSql(limit, counted, wholeOrNull(limit))],
        [`low_${limit}`, endSql(limit, counted, when(wholeOf(limit).isKnown, '0', 'NULL'))],
      ] as const;
    }),
  );
  const least = plus(
    ends,
    LIMITS.map((limit) => [`count_${limit}`, leastSql(limit, limits)] as const),
  );
  const differs = LIMITS.map((limit) => `coalesce(end_${limit}, -1) <> coalesce(count_${limit}, -1)`);
  return plus(least, [
    ['perhaps', flag('perhaps_limits > 0')],
    ['approximate', flag(any(['has_all = 0', 'perhaps_limits > 0', ...differs]))],
    ...LIMITS.map((limit) => [`least_${limit}`, afterFirst(limit)] as const),
  ]);
}

function wholeOrNull(limit: LimitName): string {
  return limit === 'passes' ? when('made >= 0', 'made', 'NULL') : `whole_${limit}`;
}

/** The counter where the walk stopped; inside a pass, steps stand at the call that was refused. */
function countedAt(limit: LimitName, dispatches: boolean): string {
  if (limit !== 'steps' || !dispatches) return `at_${limit}`;
  return when(`inside > ${STEP}`, `before_steps + 2 * (inside - ${STEP})`, 'at_steps');
}

function endSql(limit: LimitName, counted: string, bound: string): string {
  if (limit === 'passes') return when('stop >= 0', 'after_passes', wholeOrNull('passes'));
  return `CASE WHEN stop < 0 THEN ${wholeOrNull(limit)} WHEN walked >= 0 THEN coalesce(${counted}, ${bound}) ELSE ${bound} END`;
}

/** `lowestEnd`: where a limit known only in total may have stopped the run, its cap, and nothing of the others. */
function leastSql(limit: LimitName, limits: readonly AskedLimit[]): string {
  const low = `low_${limit}`;
  const index = limits.findIndex((asked) => asked.limit === limit);
  const most =
    limit === 'passes'
      ? '1'
      : index < 0
        ? '0'
        : when(`perhaps_limits = 1 AND maybe_${index} = 1`, whole(limits[index]?.cap ?? 0), '0');
  return when(`perhaps_limits > 0 AND ${low} IS NOT NULL`, smaller(`coalesce(${low}, 0)`, most), low);
}

/** `firstPassAtMost`: where a cap could not judge, no more than the first pass used is sure. */
function afterFirst(limit: LimitName): string {
  const least = `count_${limit}`;
  const first = limit === 'passes' ? '1' : `coalesce(first_${limit satisfies SummedLimit}, 0)`;
  return when(`unjudged = 1 AND ${least} IS NOT NULL`, smaller(`coalesce(${least}, 0)`, first), least);
}
