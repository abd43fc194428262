import { createGroups, type GroupLabels } from '../calibrate/groups.js';
import { endsInPopulation, type PopulationOptions, VERIFIED } from '../calibrate/population.js';
import type { CutRun, OutcomeCount, Overshoot, Questions, ReplayQuestion } from '../calibrate/questions.js';
import { LIMITS, type LimitName } from '../model/limits.js';
import type { Policy } from '../policy/policy.js';
import { policyRecord } from '../policy/record.js';
import { tallyOfClasses } from './asked-tally.js';
import type { FalseStop, ReplayReport } from './result.js';
import { type Overshoots, reportOf, type SimulateOptions } from './simulate.js';

/**
 * What a policy would have done to runs that lie in a database: the report of `simulate`, figure for figure.
 *
 * @param within only the runs of this group
 * @param listed whether the runs that are cut are told one by one, and overshoots with them
 */
export async function replayAsked(
  questions: Questions,
  policy: Policy,
  options: Partial<SimulateOptions> = {},
  { within = null, listed = true }: Partial<Pick<ReplayQuestion, 'within' | 'listed'>> = {},
): Promise<ReplayReport> {
  const { by, ...population }: SimulateOptions = { ...VERIFIED, by: [], ...options };
  const answer = await questions.replay({ policy, population, by, within, listed });
  const groups = createGroups(by, (): OutcomeCount[] => []);
  for (const each of answer.classes) groups.of({ labels: labelMap(each.labels) })?.push(each);
  const figures = (
    classes: readonly OutcomeCount[],
    labels: GroupLabels | null,
  ): Omit<ReplayReport, 'schema' | 'policy' | 'groups'> => {
    const tally = tallyOfClasses(classes, policy, population, by);
    tally.falseStops.push(...(listed ? stopsOf(answer.falseStops, by, labels) : unlisted(classes, population)));
    return reportOf(tally, policy, population, overshootsOf(answer.overshoots, by, labels));
  };
  return {
    schema: 'capfit/replay@1',
    policy: policyRecord(policy),
    ...figures(answer.classes, null),
    groups: groups.map((labels, classes) => ({ labels, ...figures(classes, labels) })),
  };
}

/** Labels of a group as a run has them. */
export function labelMap(labels: GroupLabels): Map<string, string> {
  const known = Object.entries(labels).filter((entry): entry is [string, string] => entry[1] !== null);
  return new Map(known);
}

function stopsOf(
  cuts: readonly CutRun[],
  by: readonly string[],
  labels: GroupLabels | null,
): ReplayReport['false_stops']['runs'] {
  return cuts
    .filter((cut) => labels === null || by.every((name) => cut.labels[name] === labels[name]))
    .map(({ id, reason, afterPasses }) => ({ id, reason, after_passes: afterPasses }));
}

/** As many stops of good runs as there are, none of them named. */
function unlisted(classes: readonly OutcomeCount[], population: PopulationOptions): FalseStop[] {
  const cut = classes.filter((each) => each.stop !== null && endsInPopulation(each, population));
  const stops = cut.reduce((sum, { runs }) => sum + runs, 0);
  return new Array<FalseStop>(stops).fill({ id: '', reason: '', after_passes: 0 });
}

function overshootsOf(answers: readonly Overshoot[], by: readonly string[], labels: GroupLabels | null): Overshoots {
  return (metric) => {
    const found = answers.find(
      (each) =>
        each.metric === metric &&
        (labels === null
          ? each.labels === null
          : each.labels !== null && by.every((name) => each.labels?.[name] === labels[name])),
    );
    return found === undefined ? null : { max: found.max, median: (found.middle[0] + found.middle[1]) / 2 };
  };
}

/** The same as `beatenCapsOf`: caps that stop no run first, with how many runs each would stop alone. */
export async function beatenCapsAsked(
  questions: Questions,
  policy: Policy,
  replay: ReplayReport,
): Promise<Map<LimitName, number>> {
  const capped = LIMITS.filter((limit) => policy.caps[limit] !== undefined);
  if (!capped.some((limit) => replay.by_reason[limit]?.count === 0)) return new Map();
  const stops = new Map((await questions.stops({ ...policy, rules: [] })).map((each) => [each.reason, each]));
  const idle = capped.filter((limit) => stops.get(limit)?.first === 0);
  return new Map(idle.map((limit) => [limit, stops.get(limit)?.alone ?? 0]));
}
