import { deriveSampled } from '../calibrate/derive.js';
import { FEWEST_IN_GROUP } from '../calibrate/group-test.js';
import { createGroups, type GroupLabels } from '../calibrate/groups.js';
import { DERIVE_DEFAULTS, type DeriveOptions } from '../calibrate/options.js';
import { endsInPopulation, type PopulationOptions } from '../calibrate/population.js';
import type { EndingCount, Questions } from '../calibrate/questions.js';
import type { DeriveReport } from '../calibrate/result.js';
import type { Sampled } from '../calibrate/sample.js';
import { type Metric, perMetric } from '../model/limits.js';
import { isPassedUnfinishedEnding } from '../model/measure.js';
import type { Warning } from '../model/problem.js';
import { type Caps, EMPTY_POLICY } from '../policy/policy.js';
import { ascendingOf } from '../stats/ascending.js';
import { labelMap, replayAsked } from './asked-replay.js';
import { type Asking, askUntilKnown } from './asking.js';
import { diagnoseRecorded } from './diagnosis-recorded.js';
import { type GroupReplays, groupCostsOf, ownPolicy } from './group-costs.js';
import type { GroupCosts } from './group-result.js';
import { addHidden, type HiddenCounts, hiddenReport, openHidden } from './hidden.js';
import type { HiddenReport } from './hidden-result.js';
import { createMixedTasks, MOST_LABEL_SIZES, type Split } from './mixed-tasks.js';

/** What `capfit derive` tells, of runs that lie in a database. */
export interface AskedDerivation {
  /** With all warnings, as `derive --json` prints it. */
  readonly report: DeriveReport & { readonly hidden: HiddenReport; readonly group_costs?: GroupCosts };
  readonly caps: Caps;
}

/** Percentiles, caps, and what the recording hid: what deriving in memory gives of the same runs, figure for figure. */
export async function deriveAsked(
  questions: Questions,
  options: Partial<DeriveOptions> = {},
): Promise<AskedDerivation> {
  const resolved: DeriveOptions = { ...DERIVE_DEFAULTS, ...options };
  const { by } = resolved;
  const { whole, groups } = await countEndings(questions, resolved);
  const { derived, hid } = await askUntilKnown(questions, resolved, by, (asking) => {
    const all = { counts: whole.hidden, sample: sampledOf(whole, null, asking) };
    const parts = groups.map(({ labels, counted }) => ({
      labels,
      counts: counted.hidden,
      sample: sampledOf(counted, labels, asking),
    }));
    const made = deriveSampled(all.sample, parts, resolved, asking.rankTest);
    return { derived: made, hid: hiddenReport(all, parts, made.report, resolved) };
  });
  const mixedTasks = await mixedTasksAsked(questions, resolved);
  const found = diagnoseRecorded({ derive: derived.report, hidden: hid, mixedTasks });
  const warnings: Warning[] = [...derived.report.warnings, ...found];
  const costs = by.length === 0 ? {} : { group_costs: await costsAsked(questions, derived, resolved) };
  return { report: { ...derived.report, ...costs, warnings, hidden: hid }, caps: derived.caps };
}

/** The caps alone, and the sample that they were derived from, with further values that are asked of it. */
export async function capsAsked<Answer>(
  questions: Questions,
  options: Partial<DeriveOptions>,
  use: (caps: Caps, sample: Sampled) => Answer,
): Promise<Answer> {
  const resolved: DeriveOptions = { ...DERIVE_DEFAULTS, ...options, by: [] };
  const { whole } = await countEndings(questions, resolved);
  return askUntilKnown(questions, resolved, [], (asking) => {
    const sample = sampledOf(whole, null, asking);
    return use(deriveSampled(sample, [], resolved, asking.rankTest).caps, sample);
  });
}

/** What is counted of the endings of some runs. */
interface Counted {
  runs: number;
  verified: number;
  passedUnfinished: number;
  zeroPass: number;
  checked: number;
  /** Successes by their passes, and how many know each other metric. */
  readonly passes: Map<number, number>;
  readonly known: Record<Exclude<Metric, 'passes'>, number>;
  readonly hidden: HiddenCounts;
}

function openCounted(): Counted {
  const counts = { runs: 0, verified: 0, passedUnfinished: 0, zeroPass: 0, checked: 0 };
  return { ...counts, passes: new Map(), known: { tokens: 0, seconds: 0, usd: 0 }, hidden: openHidden() };
}

async function countEndings(
  questions: Questions,
  options: DeriveOptions,
): Promise<{ whole: Counted; groups: { labels: GroupLabels; counted: Counted }[] }> {
  const whole = openCounted();
  const groups = createGroups(options.by, openCounted);
  for (const ending of await questions.endings(options.by)) {
    addEnding(whole, ending, options);
    const group = groups.of({ labels: labelMap(ending.labels) });
    if (group !== null) addEnding(group, ending, options);
  }
  return { whole, groups: groups.map((labels, counted) => ({ labels, counted })) };
}

function addEnding(counted: Counted, ending: EndingCount, population: PopulationOptions): void {
  const { runs, passes, knows } = ending;
  const whole = { ...ending, isZeroPass: passes === 0 };
  counted.runs += runs;
  if (whole.isZeroPass) counted.zeroPass += runs;
  if (ending.check !== 'none') counted.checked += runs;
  addHidden(counted.hidden, whole, population);
  if (!endsInPopulation(whole, population)) return;
  counted.verified += runs;
  if (isPassedUnfinishedEnding(whole)) counted.passedUnfinished += runs;
  if (passes !== null) counted.passes.set(passes, (counted.passes.get(passes) ?? 0) + runs);
  for (const metric of ['tokens', 'seconds', 'usd'] as const) if (knows[metric]) counted.known[metric] += runs;
}

function sampledOf(counted: Counted, labels: GroupLabels | null, asking: Asking): Sampled {
  const { runs, verified, passedUnfinished, zeroPass, checked } = counted;
  return {
    runs,
    verified,
    passedUnfinished,
    zeroPass,
    checked,
    values: perMetric((metric) =>
      metric === 'passes' ? ascendingOf(counted.passes) : asking.values(metric, labels, counted.known[metric]),
    ),
  };
}

async function mixedTasksAsked(
  questions: Questions,
  population: PopulationOptions,
): Promise<ReadonlyMap<string, Split>> {
  const mixed = createMixedTasks();
  for (const { label, value, passes, runs } of await questions.labelSizes(population, MOST_LABEL_SIZES)) {
    mixed.add(label, value, passes, runs);
  }
  return mixed.splits();
}

async function costsAsked(
  questions: Questions,
  { report, caps }: { readonly report: DeriveReport; readonly caps: Caps },
  options: DeriveOptions,
): Promise<GroupCosts> {
  const { claimed, finishedOnly, by } = options;
  const pooled = await replayAsked(
    questions,
    { ...EMPTY_POLICY, caps },
    { claimed, finishedOnly, by },
    { listed: false },
  );
  const made: GroupReplays[] = [];
  for (const group of report.groups) {
    if (group.verified < FEWEST_IN_GROUP) continue;
    const underPooled = pooled.groups.find(({ labels }) => by.every((name) => labels[name] === group.labels[name]));
    if (underPooled === undefined) continue;
    const underOwn = await replayAsked(
      questions,
      ownPolicy(group),
      { claimed, finishedOnly },
      { within: group.labels, listed: false },
    );
    made.push({ group, underPooled, underOwn });
  }
  return groupCostsOf(made, report, options);
}
