import { fromAtoms } from '../model/atoms.js';
import { METRICS, type Metric } from '../model/limits.js';
import type { RunTable } from '../model/table.js';
import { policyOf } from '../policy/of-record.js';
import { frontierOf } from '../replay/frontier.js';
import { prepareSweep, sweepGrid } from '../replay/sweep.js';
import { usualCaps } from '../replay/sweep-default.js';
import type { PageData } from '../report/page-data.js';
import type { State } from './state.js';

/** A combination of caps that no other of the usual ones beats. */
export interface FrontierPoint {
  readonly stopped: number;
  /** In the metric's own unit. */
  readonly spent: number;
  readonly caps: State['caps'];
}

/** The frontier of the usual caps in all combinations, under the rules of today's policy; none without a success. */
export function frontierPoints(table: RunTable, data: PageData, metric: Metric): FrontierPoint[] {
  const policy = policyOf(data.policy);
  const caps = usualCaps(table, data.population, policy.caps);
  if (Object.keys(caps).length === 0) return [];
  const result = sweepGrid(prepareSweep(table, policy.rules, data.population), policy, caps);
  return frontierOf(result, metric).points.map(({ policy: index }) => {
    const swept = result.at(index).caps;
    return {
      stopped: result.falseStops(index),
      spent: fromAtoms(metric, Number(result.replayed(metric, index))),
      // What is not swept is as it is today.
      caps: Object.fromEntries(
        METRICS.map((each) => [each, swept[each] === undefined ? (data.policy.caps?.[each] ?? null) : swept[each]]),
      ) as State['caps'],
    };
  });
}
