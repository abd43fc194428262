import { derive } from '../calibrate/derive.js';
import type { DeriveOptions } from '../calibrate/options.js';
import type { DeriveReport } from '../calibrate/result.js';
import { fromAtoms } from '../model/atoms.js';
import { LIMITS } from '../model/limits.js';
import type { Run } from '../model/run.js';
import { type Caps, exempting, type Policy } from '../policy/policy.js';
import { formatLimit } from '../report/format.js';
import { usageError } from './errors.js';
import { exemptOption } from './exempt-option.js';
import type { Io } from './io.js';
import { deriveOptions, type RawOptions } from './options.js';
import { loadPolicy } from './policy-option.js';
import { presetOption } from './preset-option.js';

/** A policy that was named, rather than calibrated. */
export interface ChosenPolicy {
  /** Whether its caps are taken from the runs it is held against. */
  readonly derivesCaps: boolean;
  /** The policy for these runs, and where its caps came from if they were derived. */
  for(runs: Iterable<Run>): { readonly policy: Policy; readonly derived: DeriveReport | null };
  /** The same for runs that lie elsewhere. @param deriveCaps derives caps from them */
  whenAsked(deriveCaps: (options: DeriveOptions) => Promise<Caps>): Promise<Policy>;
}

/**
 * The policy of a file, or a preset's; `null` where neither is named.
 *
 * @throws CommandError where both are named, or the file cannot be read
 */
export async function choosePolicy(raw: RawOptions): Promise<ChosenPolicy | null> {
  if (raw.policy !== undefined && raw.preset !== undefined) {
    throw usageError('--policy and --preset both name a policy', 'give one of them');
  }
  if (raw.preset !== undefined) return chosenPreset(raw, raw.preset);
  if (raw.policy === undefined) return null;
  const policy = await loadPolicy(raw.policy);
  return fixed(policy);
}

function fixed(policy: Policy): ChosenPolicy {
  return { derivesCaps: false, for: () => ({ policy, derived: null }), whenAsked: async () => policy };
}

/** A preset; caps that it leaves open are derived as the flags say, by default with the usual rate and padding. */
function chosenPreset(raw: RawOptions, name: string): ChosenPolicy {
  const { policy: published, derivesCaps } = presetOption(name);
  const policy = { ...published, rules: exempting(published.rules, exemptOption(raw)) };
  if (!derivesCaps) return fixed(policy);
  const options = { ...deriveOptions(raw), by: [] };
  return {
    derivesCaps,
    for(runs) {
      const { caps, report } = derive(runs, options);
      return { policy: { ...policy, caps }, derived: report };
    },
    whenAsked: async (deriveCaps) => ({ ...policy, caps: await deriveCaps(options) }),
  };
}

/** Says on standard error which caps a preset took from the runs: its name does not tell. */
export function tellDerivedCaps({ name, caps }: Policy, io: Io): void {
  const words = LIMITS.flatMap((limit) => {
    const atoms = caps[limit];
    return atoms === undefined ? [] : [formatLimit(limit, fromAtoms(limit, atoms))];
  });
  const told = words.length === 0 ? 'none; capfit derive says why' : words.join(', ');
  io.err(`caps of ${name} derived from these runs: ${told}\n`);
}
