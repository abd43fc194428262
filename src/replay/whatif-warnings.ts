import type { Warning } from '../model/problem.js';
import { plural } from '../model/words.js';
import type { Policy } from '../policy/policy.js';
import { diagnosePolicy } from './diagnosis-policy.js';
import type { WhatIfReport } from './whatif-result.js';
import { FEWEST_CLUSTERS } from './whatif-spend.js';

/**
 * Below so many runs that change, and so many clusters, a bootstrap interval is too narrow: scripts/simulate-bootstrap.mjs
 * measures by how much.
 */
const FEW_CHANGED = 10;
const FEW_DRAWN = 50;

/**
 * What a reader of the comparison must know: its own doubts, then those of the replays, each once.
 *
 * @param policies today's, then the candidates
 */
export function whatIfWarnings(report: WhatIfReport, policies: readonly Policy[]): Warning[] {
  return [...clusterWarnings(report), ...roughIntervals(report), ...replayWarnings(report, policies)];
}

function clusterWarnings({ resampling: { clustered_by, clusters }, runs }: WhatIfReport): Warning[] {
  if (clustered_by === null || clusters >= FEWEST_CLUSTERS || runs < FEWEST_CLUSTERS) return [];
  return [
    {
      code: 'few_clusters',
      message: `the runs fall into ${plural(clusters, 'cluster')} by ${clustered_by}: too few to tell how another set of tasks would come out, so there is no interval of spend`,
      hint: 'record more tasks; --cluster none resamples single runs, which is right only where runs of one task are no more alike than others',
    },
  ];
}

function roughIntervals({ candidates, resampling: { clustered_by, clusters } }: WhatIfReport): Warning[] {
  const made = candidates.filter(({ spend_interval }) => spend_interval.no_interval === null);
  const few = made.filter(({ spend_interval }) => spend_interval.changed_runs < FEW_CHANGED);
  const drawn = clustered_by === null ? plural(clusters, 'run') : `${plural(clusters, 'cluster')} by ${clustered_by}`;
  const reasons = [
    ...(made.length > 0 && clusters < FEW_DRAWN ? [`there are ${drawn} to draw from`] : []),
    ...few.map(
      ({ name, spend_interval }) => `${name} changes the spend of ${plural(spend_interval.changed_runs, 'run')}`,
    ),
  ];
  if (reasons.length === 0) return [];
  return [
    {
      code: 'rough_interval',
      message: `an interval of spend is rough, and rather too narrow: ${reasons.join('; ')}`,
      hint: `it wants ${FEW_CHANGED} runs that change and ${FEW_DRAWN} to draw from; with fewer, simulated 95 % intervals held the truth in 70 % to 93 % of cases`,
    },
  ];
}

/** A doubt that all policies share is told once; any other says whose it is. */
function replayWarnings({ today, candidates }: WhatIfReport, policies: readonly Policy[]): Warning[] {
  const told = new Map<string, { warning: Warning; names: string[] }>();
  for (const [index, { name, replay }] of [today, ...candidates].entries()) {
    // Which caps are beaten is told limit by limit, and which tools poll is no question of the caps.
    const [beatenCaps, repeatedInSuccesses] = [new Map(), new Map()];
    const policy = policies[index] as Policy;
    // What a candidate stops often is what was asked of it.
    const often = index > 0 ? [] : diagnosePolicy({ policy, replay, beatenCaps, repeatedInSuccesses });
    for (const warning of [...replay.warnings, ...often]) {
      const key = JSON.stringify(warning);
      const entry = told.get(key) ?? { warning, names: [] };
      told.set(key, entry);
      entry.names.push(index === 0 ? 'today' : name);
    }
  }
  return [...told.values()].map(({ warning, names }) =>
    names.length === policies.length ? warning : { ...warning, message: `${names.join('; ')}: ${warning.message}` },
  );
}
