import { acceptedRate } from '../../calibrate/derive.js';
import { toNumber } from '../../model/decimal.js';
import type { Rule } from '../../policy/policy.js';
import { PRESETS } from '../../policy/presets.js';
import { policyRecord } from '../../policy/record.js';
import { benchRules, RULES_DEFAULTS } from '../../replay/rules-bench.js';
import { presetBlocks } from '../../report/preset-blocks.js';
import { rulesBlocks } from '../../report/rules-blocks.js';
import type { Action } from '../action.js';
import { EXIT, usageError } from '../errors.js';
import { exemptOption, tellUnknownTools } from '../exempt-option.js';
import type { Io } from '../io.js';
import { loadRuns } from '../load.js';
import { wholeOption } from '../numbers.js';
import { deriveOptions, type RawOptions, readOptions } from '../options.js';
import { LARGEST_COUNT, plainRepeat } from '../policy-option.js';
import { presetOption } from '../preset-option.js';
import { printBlocks, printJson } from '../print.js';

/** `capfit rules`: the detector bench. */
export const rulesCommand: Action = async (typed, raw, io) => {
  if (raw.list === true) {
    if (typed.length > 0)
      throw usageError('rules --list tells the presets and reads no runs', 'leave --list out to judge runs');
    return listPresets(raw, io);
  }
  if (typed.length === 0)
    throw usageError('rules needs recorded runs, or --list', 'for instance capfit rules runs.jsonl');
  const options = {
    counts: countsOption(raw.counts),
    exempt: exemptOption(raw),
    rules: rulesOption(raw),
    acceptedRate: toNumber(acceptedRate(deriveOptions(raw).p)),
    claimed: raw.claimed === true,
    finishedOnly: raw.finishedOnly === true,
  };
  const { runs } = await loadRuns(typed, readOptions(raw), io);
  tellUnknownTools(runs, raw, io);
  const report = benchRules(runs, options);
  if (raw.json === true) printJson(io, report);
  else await printBlocks(io, rulesBlocks(report));
  return EXIT.done;
};

async function listPresets(raw: RawOptions, io: Io): Promise<number> {
  if (raw.json === true) {
    printJson(
      io,
      PRESETS.map(({ name, standsFor, leavesOut, derivesCaps, policy }) => ({
        preset: name,
        stands_for: standsFor,
        leaves_out: leavesOut,
        derives_caps: derivesCaps,
        policy: policyRecord(policy),
      })),
    );
  } else await printBlocks(io, presetBlocks(PRESETS));
  return EXIT.done;
}

/** More would be a table that nobody reads. */
const MOST_COUNTS = 100;

function countsOption(text: string | undefined): readonly number[] {
  if (text === undefined) return RULES_DEFAULTS.counts;
  if (/^\d+\s*(?:-|\.\.|to)\s*\d+$/.test(text.trim())) {
    throw usageError(`--counts ${text}: a list, not a range`, 'for instance --counts 2,3,4,6');
  }
  const counts = text.split(',').map((each) => wholeOption('--counts', each.trim(), 1, LARGEST_COUNT));
  if (counts.length > MOST_COUNTS) throw usageError(`--counts names ${counts.length} counts`, `at most ${MOST_COUNTS}`);
  return counts;
}

/** The rules for which exemptions are sought: a preset's, or a plain repeat. */
function rulesOption(raw: RawOptions): readonly Rule[] {
  if (raw.preset === undefined) return [plainRepeat(raw)];
  if (raw.repeat !== undefined || raw.key !== undefined) {
    throw usageError('--repeat and --key describe a plain rule, and --preset names others', 'give one or the other');
  }
  const { name, policy } = presetOption(raw.preset);
  if (policy.rules.length === 0) throw usageError(`--preset ${name}: it has no rules, so nothing can be exempt`);
  return policy.rules;
}
