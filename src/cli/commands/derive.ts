import { explainCaps } from '../../calibrate/explain.js';
import type { DeriveOptions } from '../../calibrate/options.js';
import type { Run } from '../../model/run.js';
import type { CrossValidated } from '../../replay/cross-validate-result.js';
import { deriveReplayed } from '../../replay/derive-replayed.js';
import { diagnoseRecorded } from '../../replay/diagnosis-recorded.js';
import { mixedTasksIn } from '../../replay/evidence.js';
import { hidden } from '../../replay/hidden.js';
import type { JointOptions } from '../../replay/joint-result.js';
import { optimismWarnings } from '../../replay/optimism.js';
import type { Action } from '../action.js';
import { engineOption } from '../engine-option.js';
import { EXIT, usageError } from '../errors.js';
import { checkWeighed, jointOption } from '../joint-option.js';
import { checkGrouping, loadRuns } from '../load.js';
import { deriveOptions, type RawOptions, readOptions } from '../options.js';
import { printBlocks, printJson } from '../print.js';

/** `capfit derive`: percentiles and caps only. */
export const deriveCommand: Action = async (typed, raw, io) => {
  const engine = engineOption(raw);
  if (engine !== null) return (await import('./derive-engine.js')).deriveByEngine(typed, raw, engine, io);
  const options = deriveOptions(raw);
  const joint = jointOption(raw);
  if (raw.cluster !== undefined && raw.crossValidate !== true) {
    throw usageError('--cluster says which runs stay together in cross-validation', 'add --cross-validate');
  }
  // Only a replay needs the passes.
  const isReplayed = joint !== null || options.by.length > 0 || raw.crossValidate === true;
  const { runs } = await loadRuns(typed, readOptions(raw), io, isReplayed ? 'passes' : 'figures');
  checkGrouping(runs, options.by);
  const { report: derived, sample, caps } = deriveReplayed(runs, { ...options, joint });
  checkWeighed(derived.joint, joint);
  const hid = hidden(runs, { report: derived, sample }, options);
  const mixedTasks = mixedTasksIn(runs, options);
  const sure = raw.crossValidate === true ? await crossValidated(runs, raw, options, joint) : null;
  const found = diagnoseRecorded({ derive: derived, hidden: hid, mixedTasks });
  const warnings = [...derived.warnings, ...found, ...(sure === null ? [] : optimismWarnings(sure))];
  const explain = raw.explain === true ? explainCaps(runs, { sample, report: derived }, options) : null;
  const report = {
    ...derived,
    warnings,
    ...(explain === null ? {} : { explain }),
    ...(sure === null ? {} : { cross_validated: sure }),
    hidden: hid,
  };
  if (raw.json === true) printJson(io, report);
  else {
    const { deriveView } = await import('./derive-view.js');
    await printBlocks(io, deriveView({ report, sample, explain, sure }, raw));
  }
  return Object.keys(caps).length === 0 ? EXIT.no : EXIT.done;
};

async function crossValidated(
  runs: Iterable<Run>,
  raw: RawOptions,
  options: DeriveOptions,
  joint: JointOptions | null,
): Promise<CrossValidated> {
  if (raw.cluster !== undefined) checkGrouping(runs, [raw.cluster], '--cluster');
  const { CROSS_VALIDATE_DEFAULTS, crossValidate } = await import('../../replay/cross-validate.js');
  return crossValidate(runs, { ...CROSS_VALIDATE_DEFAULTS, ...options, joint, cluster: raw.cluster ?? null });
}
