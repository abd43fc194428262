import type { Metric } from '../../model/limits.js';
import type { Run } from '../../model/run.js';
import { type NamedPolicy, survey, WHATIF_DEFAULTS, type WhatIfOptions, whatIf } from '../../replay/whatif.js';
import { whatIfBlocks } from '../../report/whatif-blocks.js';
import type { Action } from '../action.js';
import { type CandidateFlags, readCandidates } from '../candidates.js';
import { type ChosenPolicy, choosePolicy, tellDerivedCaps } from '../chosen-policy.js';
import { CommandError, EXIT, usageError } from '../errors.js';
import { tellUnknownTools } from '../exempt-option.js';
import type { Io } from '../io.js';
import { checkGrouping, loadRuns } from '../load.js';
import { wholeOption } from '../numbers.js';
import { type RawOptions, readOptions } from '../options.js';
import { printBlocks, printJson } from '../print.js';
import { spendOption } from '../spend-option.js';

/** What was typed of this command alone. */
interface WhatIfFlags extends RawOptions, CandidateFlags {
  readonly resamples?: string;
}

/** The policy in force where none is named: caps from these runs, and the third identical call stops. */
const USUAL_PRESET = 'three-exits';

/** `capfit whatif`: today's policy beside candidates. */
export const whatIfCommand: Action = async (typed, raw: WhatIfFlags, io) => {
  const [today, ...others] = policyFiles(raw);
  const one = withoutPolicy(raw, today);
  const candidates = await readCandidates({ ...raw, with: [...others, ...(raw.with ?? [])] });
  if (candidates.count === 0) {
    throw usageError(
      'whatif needs something to hold beside the policy',
      'for instance --set passes=20, --candidate tokens=none, --scale 0.8, --add-rule stale:count=4, or --with other.yaml',
    );
  }
  const options = drawingOptions(raw);
  if (raw.exempt !== undefined && today !== undefined) {
    throw usageError('--exempt is for presets', 'a policy file names the exempt tools of each rule itself');
  }
  const chosen = (await choosePolicy(one)) ?? ((await choosePolicy({ ...one, preset: USUAL_PRESET })) as ChosenPolicy);
  const { runs } = await loadRuns(typed, readOptions(raw), io);
  tellUnknownTools(runs, raw, io);
  if (typeof options.cluster === 'string') checkGrouping(runs, [options.cluster], '--cluster');
  checkSpend(runs, options.spend);
  const base = todayOf(chosen, runs, raw, io);
  const report = whatIf(runs, base, candidates.of(base.policy), options);
  if (raw.json === true) printJson(io, report);
  else await printBlocks(io, whatIfBlocks(report));
  return EXIT.done;
};

/** `--policy` may come again here, and is then a list, unlike in any other command. */
function policyFiles({ policy }: RawOptions): readonly string[] {
  return (policy as unknown as readonly string[] | undefined) ?? [];
}

function withoutPolicy({ policy: _, ...rest }: RawOptions, today: string | undefined): RawOptions {
  return today === undefined ? rest : { ...rest, policy: today };
}

function todayOf(chosen: ChosenPolicy, runs: Iterable<Run>, raw: RawOptions, io: Io): NamedPolicy {
  const { policy, derived } = chosen.for(runs);
  if (derived !== null && raw.quiet !== true) tellDerivedCaps(policy, io);
  return { name: policy.name ?? 'today', policy };
}

/** Fewer have no value far enough out for a 95 % interval to be told well; more take long and tell no more. */
const FEWEST_RESAMPLES = 100;
const MOST_RESAMPLES = 1_000_000;

function drawingOptions(raw: WhatIfFlags): WhatIfOptions {
  return {
    claimed: raw.claimed === true,
    finishedOnly: raw.finishedOnly === true,
    spend: spendOption(raw.spend),
    seed: raw.seed === undefined ? WHATIF_DEFAULTS.seed : wholeOption('--seed', raw.seed, 0),
    resamples:
      raw.resamples === undefined
        ? WHATIF_DEFAULTS.resamples
        : wholeOption('--resamples', raw.resamples, FEWEST_RESAMPLES, MOST_RESAMPLES),
    ...(raw.cluster === undefined ? {} : { cluster: raw.cluster === 'none' ? null : raw.cluster }),
  };
}

function checkSpend(runs: Iterable<Run>, metric: Metric | null): void {
  if (metric === null || metric === 'passes' || survey(runs).told.has(metric)) return;
  throw new CommandError(
    `--spend ${metric}: no run tells its ${metric}`,
    'leave --spend out to weigh what the runs tell',
    EXIT.no,
  );
}
