import type { PopulationOptions } from '../../calibrate/population.js';
import { fromAtoms } from '../../model/atoms.js';
import { LIMITS, type LimitName, METRICS, type Metric } from '../../model/limits.js';
import type { Run } from '../../model/run.js';
import { EMPTY_POLICY, type Policy } from '../../policy/policy.js';
import { frontierOf, weighedIn } from '../../replay/frontier.js';
import { type GridCaps, prepareSweep, type SweepResult, sweepGrid } from '../../replay/sweep.js';
import { usualCaps } from '../../replay/sweep-default.js';
import { type SweepView, sweepBlocks, type Tried } from '../../report/sweep-blocks.js';
import type { Action } from '../action.js';
import { capLists, checkCombinations } from '../cap-lists.js';
import { type ChosenPolicy, choosePolicy, tellDerivedCaps } from '../chosen-policy.js';
import { CommandError, EXIT, usageError } from '../errors.js';
import { tellUnknownTools } from '../exempt-option.js';
import type { Io } from '../io.js';
import { loadRuns } from '../load.js';
import { type RawOptions, readOptions } from '../options.js';
import { batched } from '../output.js';
import { printBlocks } from '../print.js';
import { sweepCsv, sweepJson } from './sweep-output.js';

/** What was typed of this command alone. */
interface SweepFlags extends RawOptions {
  readonly passes?: string;
  readonly tokens?: string;
  readonly seconds?: string;
  readonly usd?: string;
  readonly steps?: string;
  readonly spend?: string;
  readonly csv?: boolean;
}

/** `capfit sweep`: a grid of caps. */
export const sweepCommand: Action = async (typed, raw: SweepFlags, io) => {
  if (raw.csv === true && raw.json === true) throw usageError('--csv and --json both say how to print', 'give one');
  const named = capLists(raw);
  checkCombinations(named);
  const metric = spendOption(raw.spend);
  const chosen = await choosePolicy(raw);
  if (raw.exempt !== undefined && raw.preset === undefined) {
    throw usageError('--exempt is for --preset', 'a policy file names the exempt tools of each rule itself');
  }
  const { runs } = await loadRuns(typed, readOptions(raw), io, chosen === null ? 'passes' : 'calls');
  tellUnknownTools(runs, raw, io);
  const population = { claimed: raw.claimed === true, finishedOnly: raw.finishedOnly === true };
  const base = baseOf(chosen, runs, raw, io);
  const caps = Object.keys(named).length > 0 ? named : capsOf(runs, population, base);
  const result = sweepGrid(prepareSweep(runs, base.rules, population), base, caps);
  const view = viewOf(result, weighed(result, metric), caps, base);
  if (raw.json === true) await print(io, sweepJson(view, base));
  else if (raw.csv === true) await print(io, sweepCsv(view));
  else printBlocks(io, sweepBlocks(view));
  return EXIT.done;
};

function spendOption(name: string | undefined): Metric | null {
  if (name === undefined) return null;
  const metric = METRICS.find((each) => each === name);
  if (metric === undefined) throw usageError(`--spend ${name}: unknown`, `one of: ${METRICS.join(', ')}`);
  return metric;
}

function weighed(result: SweepResult, metric: Metric | null): Metric {
  if (metric !== null && result.recorded[metric] === null) {
    throw new CommandError(
      `--spend ${metric}: no run tells its ${metric}`,
      `leave --spend out to weigh ${weighedIn(result)}`,
      EXIT.no,
    );
  }
  return metric ?? weighedIn(result);
}

function baseOf(chosen: ChosenPolicy | null, runs: Iterable<Run>, raw: RawOptions, io: Io): Policy {
  if (chosen === null) return EMPTY_POLICY;
  const { policy, derived } = chosen.for(runs);
  if (derived !== null && raw.quiet !== true) tellDerivedCaps(policy, io);
  return policy;
}

function capsOf(runs: Iterable<Run>, population: PopulationOptions, base: Policy): GridCaps {
  const caps = usualCaps(runs, population, base.caps);
  if (Object.keys(caps).length > 0) return caps;
  throw new CommandError(
    'no caps to try: without a success there are no percentiles to take them from',
    'name them, for instance --passes 10,20,40',
    EXIT.no,
  );
}

function viewOf(result: SweepResult, metric: Metric, caps: GridCaps, base: Policy): SweepView {
  const isSwept = (limit: LimitName): boolean => caps[limit] !== undefined;
  return {
    result,
    frontier: frontierOf(result, metric),
    tried: Object.fromEntries(
      LIMITS.filter(isSwept).map((limit) => [limit, ascending(limit, caps[limit] ?? [])]),
    ) satisfies Tried,
    rules: base.rules.map(({ name }) => name),
    fixed: Object.fromEntries(
      LIMITS.flatMap((limit) => {
        const cap = base.caps[limit];
        return cap === undefined || isSwept(limit) ? [] : [[limit, fromAtoms(limit, cap)]];
      }),
    ),
  };
}

/** Each cap once, in the limit's own unit, none last. */
function ascending(limit: LimitName, caps: readonly (number | null)[]): (number | null)[] {
  const ordered = [...new Set(caps)].sort((a, b) => (a ?? Number.POSITIVE_INFINITY) - (b ?? Number.POSITIVE_INFINITY));
  return ordered.map((cap) => (cap === null ? null : fromAtoms(limit, cap)));
}

async function print(io: Io, chunks: Iterable<string>): Promise<void> {
  for await (const text of batched(chunks)) await io.out(text);
}
