import { drift } from '../../replay/drift.js';
import { driftBlocks } from '../../report/drift-blocks.js';
import type { Action } from '../action.js';
import { EXIT, usageError } from '../errors.js';
import { alarmRateOption, type GateOptions } from '../gate-options.js';
import { deriveOptions, readOptions } from '../options.js';
import { printBlocks, printJson } from '../print.js';
import { loadOtherRuns } from '../two-sets.js';

/** `capfit drift`: whether the verified successes have moved. */
export const driftCommand: Action = async (typed, raw: GateOptions, io) => {
  const [old, fresh] = typed;
  if (old === undefined || fresh === undefined || typed.length > 2) {
    throw usageError(
      `drift compares two sets of runs, and ${typed.length === 1 ? 'one was' : `${typed.length} were`} named`,
      "for instance capfit drift old/ new/, or a glob in quotes: capfit drift 'old/*.jsonl' 'new/*.jsonl'",
    );
  }
  const { p, claimed, finishedOnly } = deriveOptions(raw);
  const alarmRate = alarmRateOption(raw.alarmRate);
  if (alarmRate === null) throw usageError('--alarm-rate off: drift is all that is asked here', 'for instance 5%');
  const options = readOptions(raw);
  const [before, after] = [await loadOtherRuns(old, options, io), await loadOtherRuns(fresh, options, io)];
  const report = drift(before.runs, after.runs, { p, claimed, finishedOnly, alarmRate });
  if (raw.json === true) printJson(io, report);
  else printBlocks(io, driftBlocks(report));
  // A gate that cannot tell has not passed.
  return raw.failOnDrift === true && report.moved !== false ? EXIT.no : EXIT.done;
};
