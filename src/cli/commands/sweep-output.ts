import { LIMITS, type LimitName, METRICS } from '../../model/limits.js';
import type { Policy } from '../../policy/policy.js';
import { policyRecord } from '../../policy/record.js';
import { createRows, type SweepRow } from '../../replay/sweep-rows.js';
import type { SweepView } from '../../report/sweep-blocks.js';

/** Every combination as JSON, one a line: a million of them are written as they are made. */
export function* sweepJson({ result, frontier, tried }: SweepView, base: Policy): Generator<string> {
  const head = {
    schema: 'capfit/sweep@1',
    population: result.population,
    runs: result.runs,
    verified: result.verified,
    base: policyRecord(base),
    tried,
    recorded: result.recorded,
    weighed: frontier.metric,
  };
  const row = createRows(result, frontier);
  yield `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "policies": [`;
  for (let policy = 0; policy < result.length; policy++) {
    yield `${policy === 0 ? '' : ','}\n    ${JSON.stringify(row(policy))}`;
  }
  yield '\n  ]\n}\n';
}

/** Every combination as CSV; what is not known is empty. */
export function* sweepCsv({ result, frontier, tried, fixed }: SweepView): Generator<string> {
  const limits = LIMITS.filter((limit) => tried[limit] !== undefined || fixed[limit] !== undefined);
  const row = createRows(result, frontier);
  const figures = ['false_stops', 'rate', 'ci95_low', 'ci95_high', 'stops', 'censored'];
  const spend = METRICS.flatMap((metric) => [`${metric}_replayed`, `${metric}_reduction`]);
  yield `${[...limits.map((limit) => `cap_${limit}`), ...figures, ...spend, 'on_frontier'].join()}\n`;
  for (let policy = 0; policy < result.length; policy++) yield `${cellsOf(row(policy), limits).join()}\n`;
}

function cellsOf(row: SweepRow, limits: readonly LimitName[]): (string | number | boolean)[] {
  return [
    ...limits.map((limit) => row.caps[limit] ?? 'none'),
    row.false_stops,
    row.rate ?? '',
    row.ci95?.[0] ?? '',
    row.ci95?.[1] ?? '',
    row.stops,
    row.censored,
    ...METRICS.flatMap((metric) => [row.spend[metric]?.replayed ?? '', row.spend[metric]?.reduction ?? '']),
    row.on_frontier,
  ];
}
