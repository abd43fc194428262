import { LIMITS, type LimitName, METRICS } from '../../model/limits.js';
import type { Policy } from '../../policy/policy.js';
import { policyRecord } from '../../policy/record.js';
import type { Bounds } from '../../replay/result.js';
import type { SweepAdvice } from '../../replay/sweep-advice.js';
import { createRows, type SweepRow } from '../../replay/sweep-rows.js';
import { sweepWarnings } from '../../replay/sweep-warnings.js';
import { adviceText } from '../../report/advice-text.js';
import type { SweepView } from '../../report/sweep-blocks.js';
import { valueText } from '../../report/value-text.js';

/** Every combination as JSON, one a line: a million of them are written as they are made. */
export function* sweepJson(view: SweepView, base: Policy): Generator<string> {
  const { result, frontier, tried, repeat, value, advice } = view;
  const head = {
    schema: 'capfit/sweep@1',
    population: result.population,
    runs: result.runs,
    verified: result.verified,
    base: policyRecord(base),
    tried: { ...tried, ...(repeat === null ? {} : { repeat: repeat.counts }) },
    recorded: result.recorded,
    weighed: frontier.metric,
    ...(advice === null ? {} : { advice: adviceRecord(advice, view) }),
    ...(value === null ? {} : { value: { ...value, text: valueText(value, result) } }),
    warnings: sweepWarnings(result, frontier, cappedIn(view)),
  };
  const row = createRows(result, frontier);
  yield `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "policies": [`;
  for (let policy = 0; policy < result.length; policy++) {
    yield `${policy === 0 ? '' : ','}\n    ${JSON.stringify(row(policy))}`;
  }
  yield '\n  ]\n}\n';
}

/** The combination to take within what is allowed, by its place in the list, and the next cheaper one. */
function adviceRecord({ allowed, pick, further }: SweepAdvice, { result, frontier, advice }: SweepView): object {
  return {
    allowed: { by: allowed.by, false_stops: allowed.stops, rate: allowed.rate },
    policy: pick?.policy ?? null,
    further: further?.policy ?? null,
    text: adviceText(advice, result, frontier),
  };
}

function endsOf(column: string): string[] {
  return [`${column}_least`, `${column}_most`];
}

/**
 * Every combination as CSV; what is not known, or is not there, is empty. Both ends of each figure stand beside it: equal
 * where the record tells, and empty where there is no such end.
 */
export function* sweepCsv(view: SweepView): Generator<string> {
  const { result, frontier, repeat } = view;
  const limits = cappedIn(view);
  const hasRepeat = repeat !== null;
  const row = createRows(result, frontier);
  const columns = [
    ...limits.map((limit) => `cap_${limit}`),
    ...(hasRepeat ? ['repeat'] : []),
    ...['false_stops', 'rate', 'ci95_low', 'ci95_high', 'stops', 'censored'],
    ...METRICS.flatMap((metric) => [`${metric}_replayed`, `${metric}_reduction`]),
    ...['false_stops_least', 'false_stops_most'],
    ...METRICS.flatMap((metric) => ['replayed', 'reduction'].flatMap((what) => endsOf(`${metric}_${what}`))),
    'on_frontier',
    'next_good_run_costs',
  ];
  yield `${columns.join()}\n`;
  for (let policy = 0; policy < result.length; policy++) yield `${cellsOf(row(policy), limits, hasRepeat).join()}\n`;
}

/** Limits whose caps are tried or kept. */
function cappedIn({ tried, fixed }: SweepView): LimitName[] {
  return LIMITS.filter((limit) => tried[limit] !== undefined || fixed[limit] !== undefined);
}

/** The least and the most of a figure: its bounds where it has some, else itself twice. */
function endCells(bounds: Bounds | undefined, figure: number | null): (number | '')[] {
  const [least, most] = bounds ?? [figure, figure];
  return [least ?? '', most ?? ''];
}

function cellsOf(row: SweepRow, limits: readonly LimitName[], hasRepeat: boolean): (string | number | boolean)[] {
  return [
    ...limits.map((limit) => row.caps[limit] ?? 'none'),
    ...(hasRepeat ? [row.repeat ?? 'none'] : []),
    row.false_stops,
    row.rate ?? '',
    row.ci95?.[0] ?? '',
    row.ci95?.[1] ?? '',
    row.stops,
    row.censored,
    ...METRICS.flatMap((metric) => [row.spend[metric]?.replayed ?? '', row.spend[metric]?.reduction ?? '']),
    ...endCells(row.bounds?.false_stops, row.false_stops),
    ...METRICS.flatMap((metric) => [
      ...endCells(row.bounds?.spend[metric]?.replayed, row.spend[metric]?.replayed ?? null),
      ...endCells(row.bounds?.spend[metric]?.reduction, row.spend[metric]?.reduction ?? null),
    ]),
    row.on_frontier,
    row.next_good_run?.costs ?? '',
  ];
}
