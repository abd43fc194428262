import { textToAtoms } from '../model/atoms.js';
import { EMPTY_POLICY, exempting, type Policy, REPEAT_KEYS, type RepeatRule, type Rule } from '../policy/policy.js';
import { THREE_REPEATS, USUAL_HALTS } from '../replay/calibrate.js';
import { choiceOption } from './choice.js';
import { usageError } from './errors.js';
import { exemptOption } from './exempt-option.js';
import { wholeOption } from './numbers.js';
import { cutAtEqualsSign, type RawOptions } from './options.js';
import { presetOption } from './preset-option.js';
import { faultyFile, readSideFile } from './side-file.js';

/**
 * Reads a policy file; every fault in it is told, each with its line.
 *
 * @throws CommandError with exit code 3
 */
export async function loadPolicy(path: string): Promise<Policy> {
  const { readPolicy } = await import('../formats/policy/policy-file.js');
  const { policy, problems } = readPolicy(await readSideFile(path, 'the policy'), path);
  if (policy === null) throw faultyFile(problems, path);
  return policy;
}

/** The policy that a calibration starts from: rules and words as flagged, no caps. */
export function basePolicy(raw: RawOptions): Policy {
  return {
    ...EMPTY_POLICY,
    name: raw.name ?? null,
    check: raw.check ?? null,
    rules: rulesOption(raw),
    ...(raw.preset === undefined ? {} : orderOf(presetOption(raw.preset).policy)),
    timeouts: timeoutsOption(raw.timeout ?? []),
    haltOn: raw.haltOn ?? USUAL_HALTS,
    wrapUp: raw.wrapUp === true,
  };
}

/** What of a preset stays true under other caps. */
function orderOf({ order, stepsAt }: Policy): Pick<Policy, 'order' | 'stepsAt'> {
  return { order, stepsAt };
}

function timeoutsOption(settings: readonly string[]): Policy['timeouts'] {
  let timeouts: Policy['timeouts'] = { modelCall: null, tool: null };
  for (const setting of settings) {
    const [name, text] = cutAtEqualsSign(setting);
    const micros = textToAtoms('seconds', text);
    if ((name !== 'model_call' && name !== 'tool') || micros === null || micros === 0) {
      throw usageError(
        `--timeout ${setting}: not a time limit for a call`,
        'for instance --timeout model_call=60 --timeout tool=30',
      );
    }
    timeouts = name === 'tool' ? { ...timeouts, tool: micros } : { ...timeouts, modelCall: micros };
  }
  return timeouts;
}

/** As in a policy file. */
export const LARGEST_COUNT = 1_000_000;

function rulesOption(raw: RawOptions): readonly Rule[] {
  if (raw.preset !== undefined) return presetRules(raw, raw.preset);
  if (raw.repeat === false || raw.repeat === 'off') {
    if (raw.exempt !== undefined || raw.key !== undefined) {
      throw usageError('--exempt and --key belong to the repeat rule, and --no-repeat switches it off');
    }
    return [];
  }
  return exempting([plainRepeat(raw)], exemptOption(raw));
}

function presetRules(raw: RawOptions, name: string): readonly Rule[] {
  if (raw.repeat !== undefined || raw.key !== undefined) {
    throw usageError(
      '--repeat, --no-repeat and --key describe one repeat rule, and --preset names others',
      'give one or the other',
    );
  }
  return exempting(presetOption(name).policy.rules, exemptOption(raw));
}

/** The repeat rule as flagged, nothing exempt. */
export function plainRepeat(raw: RawOptions): RepeatRule {
  const key = choiceOption('--key', raw.key ?? THREE_REPEATS.key, REPEAT_KEYS);
  const count =
    typeof raw.repeat === 'string' ? wholeOption('--repeat', raw.repeat, 2, LARGEST_COUNT) : THREE_REPEATS.count;
  return { ...THREE_REPEATS, key, count };
}
