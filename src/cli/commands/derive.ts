import { derive } from '../../calibrate/derive.js';
import { deriveBlocks } from '../../report/derive-blocks.js';
import type { Action } from '../action.js';
import { capDistributions } from '../distributions.js';
import { EXIT } from '../errors.js';
import { checkGrouping, loadRuns } from '../load.js';
import { deriveOptions, readOptions } from '../options.js';
import { printBlocks, printJson } from '../print.js';

/** `capfit derive`: percentiles and caps only. */
export const deriveCommand: Action = async (typed, raw, io) => {
  const options = deriveOptions(raw);
  const { runs } = await loadRuns(typed, readOptions(raw), io, 'figures');
  checkGrouping(runs, options.by);
  const { report, sample, caps } = derive(runs, options);
  if (raw.json === true) printJson(io, report);
  else printBlocks(io, [...deriveBlocks(report), ...capDistributions(report, sample)]);
  return Object.keys(caps).length === 0 ? EXIT.no : EXIT.done;
};
