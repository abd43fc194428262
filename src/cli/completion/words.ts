import { METHODS } from '../../calibrate/result.js';
import { EXPORTERS } from '../../exporters/index.js';
import { SUBAGENT_MODES } from '../../formats/format.js';
import { LIMITS, METRICS } from '../../model/limits.js';
import { DEFAULT_RULE_NAMES, REPEAT_KEYS } from '../../policy/policy.js';
import { PRESETS } from '../../policy/presets.js';
import { PROFILES } from '../../synth/profiles.js';
import { FORMAT_IDS } from '../all-formats.js';
import { ON_ERROR } from '../options.js';
import { FIELDS } from '../where.js';

const settings = (names: Iterable<string>): string[] => [...names].map((name) => `${name}=`);

/** Values of flags whose choices the flag itself does not know, since their lists take long to load. */
export const WORDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['--from', FORMAT_IDS],
  ['--on-error', ON_ERROR],
  ['--subagents', SUBAGENT_MODES],
  ['--method', METHODS],
  ['--key', REPEAT_KEYS],
  ['--preset', PRESETS.map(({ name }) => name)],
  ['--profile', PROFILES.map(({ name }) => name)],
  ['export --to', EXPORTERS.map(({ id }) => id)],
  ['--spend', METRICS],
  ['--prices', ['builtin']],
  ['--add-rule', Object.keys(DEFAULT_RULE_NAMES)],
  ['--where', settings(FIELDS.keys())],
  ['--round', settings(METRICS)],
  ['--set', settings(LIMITS)],
  ['--candidate', settings(LIMITS)],
  ['--timeout', settings(['model_call', 'tool'])],
]);

/** The words that a flag of a command takes; none where it takes text of any kind. */
export function valueWords(command: string, flag: string): readonly string[] {
  return WORDS.get(`${command} ${flag}`) ?? WORDS.get(flag) ?? [];
}
