import { findPreset, PRESETS, type Preset } from '../policy/presets.js';
import { choiceHint } from './choice.js';
import { usageError } from './errors.js';

/**
 * The preset that was asked for by name.
 *
 * @throws CommandError with the nearest name, or all of them
 */
export function presetOption(name: string): Preset {
  const preset = findPreset(name);
  if (preset !== null) return preset;
  const names = PRESETS.map((each) => each.name);
  throw usageError(
    `--preset ${name}: unknown`,
    `${choiceHint(name, names)}; capfit rules --list tells what each stands for`,
  );
}
