import { derive } from '../calibrate/derive.js';
import type { PopulationOptions } from '../calibrate/population.js';
import type { Run } from '../model/run.js';
import type { Policy } from '../policy/policy.js';
import type { Preset } from '../policy/presets.js';
import { usageError } from './errors.js';
import type { RawOptions } from './options.js';
import { loadPolicy } from './policy-option.js';
import { presetOption } from './preset-option.js';

/** A policy to hold against runs; a preset may take its caps from them. */
export type PolicyFor = (runs: Iterable<Run>, population: PopulationOptions) => Policy;

/**
 * The policy of a file, or a preset's; `null` where neither is named.
 *
 * @throws CommandError where both are named, or the file cannot be read
 */
export async function policyOrPreset(raw: RawOptions): Promise<PolicyFor | null> {
  if (raw.policy !== undefined && raw.preset !== undefined) {
    throw usageError('--policy and --preset both name a policy', 'give one of them');
  }
  if (raw.policy !== undefined) {
    const policy = await loadPolicy(raw.policy);
    return () => policy;
  }
  if (raw.preset === undefined) return null;
  const preset = presetOption(raw.preset);
  return (runs, population) => presetFor(preset, runs, population);
}

/** The preset's policy; caps that it leaves open are derived from the runs, with the usual rate and padding. */
export function presetFor({ policy, derivesCaps }: Preset, runs: Iterable<Run>, population: PopulationOptions): Policy {
  return derivesCaps ? { ...policy, caps: derive(runs, population).caps } : policy;
}
