import { endsInPopulation, type PopulationOptions } from '../../calibrate/population.js';
import { figuresIn } from '../../model/figures.js';
import type { RunTable } from '../../model/table.js';
import { plural } from '../../model/words.js';
import type { Policy } from '../../policy/policy.js';
import { plan } from '../../replay/plan.js';
import { askedClaim, claimsNothing } from '../../replay/plan-words.js';
import { planBlocks } from '../../report/plan-blocks.js';
import type { Action } from '../action.js';
import { EXIT, usageError } from '../errors.js';
import { fingerprintOf } from '../fingerprint.js';
import { shareOption } from '../gate-options.js';
import { loadRuns } from '../load.js';
import { wholeOption } from '../numbers.js';
import { deriveOptions, type RawOptions, readOptions } from '../options.js';
import { loadPolicy } from '../policy-option.js';
import { printBlocks, printJson } from '../print.js';

/** What the user typed of the flags that only plan has. */
interface PlanFlags extends RawOptions {
  readonly target?: string;
  readonly confidence?: string;
  readonly above?: string;
}

/** Claims beyond these are not made of recorded runs. */
const SMALLEST_TARGET = 1e-5;
const MOST_ABOVE = 1000;

/** `capfit plan`: how many more verified runs a claim needs. */
export const planCommand: Action = async (typed, raw: PlanFlags, io) => {
  const target = insideOption('--target', raw.target ?? '1%', SMALLEST_TARGET, '1%');
  const confidence = insideOption('--confidence', raw.confidence ?? '95%', 0.5, '95%');
  const above = raw.above === undefined ? null : wholeOption('--above', raw.above, 0, MOST_ABOVE);
  const options = { ...deriveOptions(raw), target, confidence, above };
  if (typed.length === 0 && raw.policy !== undefined) {
    throw usageError('--policy is claimed for on recorded runs, and none are named', 'capfit plan RUNS --policy FILE');
  }
  const policy = raw.policy === undefined ? null : await loadPolicy(raw.policy);
  // Rules of a policy look at the calls.
  const runs =
    typed.length === 0
      ? null
      : (await loadRuns(typed, readOptions(raw), io, policy === null ? 'passes' : 'calls')).runs;
  checkAbove(above, runs, options);
  const report = plan(runs, { ...options, policy, ofTheseRuns: policy !== null && isMeasuredOn(policy, runs) });
  if (raw.json === true) printJson(io, report);
  else await printBlocks(io, planBlocks(report));
  return report.verified !== null && claimsNothing(askedClaim(report.claims)?.at_most ?? null) ? EXIT.no : EXIT.done;
};

/** No more runs can lie above a cap than there are. */
function checkAbove(above: number | null, runs: RunTable | null, population: PopulationOptions): void {
  if (above === null || runs === null) return;
  let verified = 0;
  for (const run of figuresIn(runs)) if (endsInPopulation(run, population)) verified++;
  if (verified === 0 || above <= verified) return;
  throw usageError(
    `--above ${above}: these are ${plural(verified, 'verified run')}, and no more than all of them can lie above a cap`,
    'give how many do, or name no runs',
  );
}

function isMeasuredOn({ measured }: Policy, runs: RunTable | null): boolean {
  return runs !== null && measured?.fingerprint !== undefined && measured.fingerprint === fingerprintOf(runs);
}

/** A share from the least that makes sense up to, but not including, all. */
function insideOption(flag: string, text: string, least: number, example: string): number {
  const share = shareOption(flag, text);
  if (share >= least && share < 1) return share;
  throw usageError(
    `${flag} ${text}: not a share from ${100 * least} % to below 100 %`,
    `for instance ${flag} ${example}`,
  );
}
