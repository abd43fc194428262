import { acceptedRate } from '../../calibrate/derive.js';
import type { PopulationOptions } from '../../calibrate/population.js';
import { type Fraction, toNumber } from '../../model/decimal.js';
import { LIMITS, type Metric } from '../../model/limits.js';
import type { Run } from '../../model/run.js';
import { EMPTY_POLICY, exempting, PLAIN_REPEAT, type Policy } from '../../policy/policy.js';
import { frontierOf, weighedIn } from '../../replay/frontier.js';
import {
  type GridCaps,
  type PreparedRuns,
  prepareSweep,
  type SweepResult,
  sweep,
  sweepGrid,
} from '../../replay/sweep.js';
import { type Allowed, adviceOf } from '../../replay/sweep-advice.js';
import { usualCaps } from '../../replay/sweep-default.js';
import { valueAnswer } from '../../replay/value-result.js';
import type { Action } from '../action.js';
import { capLists, checkCombinations, countList } from '../cap-lists.js';
import { type ChosenPolicy, choosePolicy, tellDerivedCaps } from '../chosen-policy.js';
import { engineOption } from '../engine-option.js';
import { CommandError, EXIT, usageError } from '../errors.js';
import { exemptOption, tellUnknownTools } from '../exempt-option.js';
import type { Io } from '../io.js';
import { loadRuns } from '../load.js';
import { deriveOptions, type RawOptions, readOptions } from '../options.js';
import { batched } from '../output.js';
import { loadPolicy } from '../policy-option.js';
import { printBlocks } from '../print.js';
import { checkCounts } from '../repeat-counts.js';
import { spendOption } from '../spend-option.js';
import { type GoodRunValue, valueOption } from '../value-option.js';
import { sweepCsv, sweepJson } from './sweep-output.js';
import { type Made, sweepView } from './sweep-view.js';

/** What was typed of this command alone. */
interface SweepFlags extends RawOptions {
  readonly passes?: string;
  readonly tokens?: string;
  readonly seconds?: string;
  readonly usd?: string;
  readonly steps?: string;
  readonly spend?: string;
  readonly value?: string;
  readonly csv?: boolean;
}

/** `capfit sweep`: a grid of caps, and of counts of a repeat rule. */
export const sweepCommand: Action = async (typed, raw: SweepFlags, io) => {
  if (raw.csv === true && raw.json === true) throw usageError('--csv and --json both say how to print', 'give one');
  const named = capLists(raw);
  const counts = countList(raw.repeat);
  checkCombinations(named, counts);
  const worth = raw.value === undefined ? null : valueOption(raw.value);
  const metric = weighedMetric(raw.spend, worth);
  checkExempt(raw);
  const accepted = acceptedRate(deriveOptions(raw).p);
  const engine = engineOption(raw);
  if (engine !== null) {
    const { sweepByEngine } = await import('./sweep-engine.js');
    const policy = raw.policy === undefined ? null : await loadPolicy(raw.policy);
    const { result, caps, today } = await sweepByEngine(typed, raw, engine, { named, policy }, io);
    const allowed = (by: Metric): Allowed =>
      today === null ? allowedByRate(result.verified, accepted) : allowedByPolicy(today, by);
    return tell({ result, caps, base: policy ?? EMPTY_POLICY, counts }, { metric, worth, allowed }, raw, io);
  }
  const chosen = await choosePolicy(raw);
  const isBare = chosen === null && counts.length === 0;
  const { runs } = await loadRuns(typed, readOptions(raw), io, isBare ? 'passes' : 'calls');
  tellUnknownTools(runs, raw, io);
  const population = { claimed: raw.claimed === true, finishedOnly: raw.finishedOnly === true };
  const today = baseOf(chosen, runs, raw, io);
  const base = withRule(today, counts, raw);
  const caps = Object.keys(named).length > 0 ? named : capsOf(runs, population, base);
  checkCombinations(caps, counts);
  const prepared = prepareSweep(runs, [], population);
  const result = sweepGrid(prepared, base, caps, counts);
  const allowed = (by: Metric): Allowed => allowedUnder(chosen === null ? null : today, prepared, by, accepted);
  return tell({ result, caps, base, counts }, { metric, worth, allowed }, raw, io);
};

/** What is weighed, and how many good runs may be stopped. */
interface Weighing {
  readonly metric: Metric | null;
  readonly worth: GoodRunValue | null;
  allowed(weighed: Metric): Allowed;
}

async function tell(
  swept: Pick<Made, 'result' | 'caps' | 'base' | 'counts'>,
  { metric, worth, allowed }: Weighing,
  raw: SweepFlags,
  io: Io,
): Promise<number> {
  const { result, base } = swept;
  const weighed = weigh(result, metric, worth);
  const advice = adviceOf(result, weighed.frontier, allowed(weighed.frontier.metric));
  const view = sweepView({ ...weighed, ...swept, advice });
  if (raw.json === true) await print(io, sweepJson(view, base));
  else if (raw.csv === true) await print(io, sweepCsv(view));
  else await printBlocks(io, (await import('../../report/sweep-blocks.js')).sweepBlocks(view));
  return view.value !== null && view.value.policy === null ? EXIT.no : EXIT.done;
}

/** The metric that was asked for: by name, or as what a good run is worth. */
function weighedMetric(name: string | undefined, worth: GoodRunValue | null): Metric | null {
  const metric = spendOption(name);
  if (metric === null) return worth?.metric ?? null;
  if (worth !== null && worth.metric !== metric) {
    throw usageError(
      `--spend ${name} and --value ${worth.typed} weigh different things`,
      `leave --spend out: what a good run is worth in ${worth.metric} is weighed against the ${worth.metric} that are spent`,
    );
  }
  return metric;
}

function checkExempt({ exempt, preset, policy, repeat }: SweepFlags): void {
  if (exempt === undefined || preset !== undefined || (repeat !== undefined && policy === undefined)) return;
  throw usageError('--exempt is for --preset and --repeat', 'a policy file names the exempt tools of each rule itself');
}

/** The frontier in what is weighed, and what costs least in all where it was said what a good run is worth. */
function weigh(
  result: SweepResult,
  metric: Metric | null,
  worth: GoodRunValue | null,
): Pick<Made, 'frontier' | 'value'> {
  if (metric !== null && result.recorded[metric] === null) {
    throw new CommandError(
      `${worth === null ? `--spend ${metric}` : `--value ${worth.typed}`}: no run tells its ${metric}`,
      `${metric === 'usd' ? 'price the runs with --prices, or ' : ''}${worth === null ? 'leave --spend out to weigh' : 'say what a good run is worth in'} ${weighedIn(result)}`,
      EXIT.no,
    );
  }
  const frontier = frontierOf(result, metric ?? weighedIn(result));
  return { frontier, value: worth === null ? null : valueAnswer(result, frontier, worth.value) };
}

/** As many good runs as today's policy stops may be stopped, or the accepted share of them where none was named. */
function allowedUnder(today: Policy | null, prepared: PreparedRuns, metric: Metric, accepted: Fraction): Allowed {
  if (today !== null) {
    return allowedByPolicy(sweep(prepared, [today]), metric);
  }
  return allowedByRate(prepared.verified, accepted);
}

/** @param today a sweep of today's policy alone */
function allowedByPolicy(today: SweepResult, metric: Metric): Allowed {
  const { falseStops, spend } = today.extentOf(metric, 0);
  return { by: 'today', stops: falseStops[1], rate: null, spend: spend[1] };
}

function allowedByRate(verified: number, accepted: Fraction): Allowed {
  const stops = (BigInt(verified) * accepted.num) / accepted.den;
  return { by: 'accepted', stops: Number(stops), rate: toNumber(accepted), spend: null };
}

function baseOf(chosen: ChosenPolicy | null, runs: Iterable<Run>, raw: RawOptions, io: Io): Policy {
  if (chosen === null) return EMPTY_POLICY;
  const { policy, derived } = chosen.for(runs);
  if (derived !== null && raw.quiet !== true) tellDerivedCaps(policy, io);
  return policy;
}

/** The policy with a rule whose counts can be tried, where any are. */
function withRule(base: Policy, counts: readonly (number | null)[], raw: RawOptions): Policy {
  if (counts.length === 0) return base;
  const hasRepeat = base.rules.some(({ rule }) => rule === 'repeat');
  const usual = hasRepeat ? [] : exempting([PLAIN_REPEAT], exemptOption(raw));
  const policy = { ...base, rules: [...base.rules, ...usual] };
  checkCounts(policy, counts);
  return policy;
}

function capsOf(runs: Iterable<Run>, population: PopulationOptions, base: Policy): GridCaps {
  const caps = usualCaps(runs, population, base.caps);
  if (LIMITS.some((limit) => caps[limit] !== undefined)) return caps;
  throw new CommandError(
    'no caps to try: without a success there are no percentiles to take them from',
    'name them, for instance --passes 10,20,40',
    EXIT.no,
  );
}

async function print(io: Io, chunks: Iterable<string>): Promise<void> {
  for await (const text of batched(chunks)) await io.out(text);
}
