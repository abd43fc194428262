import { plural } from '../../model/words.js';
import { heldInstead } from '../../replay/calibrate-held.js';
import type { Action } from '../action.js';
import { commandText } from '../command-text.js';
import { CommandError, EXIT, usageError } from '../errors.js';
import { checkTarget, folderTold, writeWhole } from '../output.js';
import { pageAssets } from '../page-assets.js';
import { loadPolicy } from '../policy-option.js';
import { printJson } from '../print.js';
import { calibrateRuns } from './calibrate.js';
import { populationOption, reportPage } from './report-page.js';

/** `capfit report`: the page. */
export const reportCommand: Action = async (typed, raw, io) => {
  const { output } = raw;
  if (output === undefined) throw usageError('report needs -o FILE', 'for instance -o report.html');
  checkTarget(output);
  if (raw.policy !== undefined && raw.preset !== undefined) {
    throw usageError('--policy and --preset both name a policy', 'give one of them');
  }
  const assets = pageAssets();
  const own = raw.policy === undefined ? null : await loadPolicy(raw.policy);
  const { runs, calibration } = await calibrateRuns(typed, raw, io);
  const population = populationOption(raw);
  const shown = own === null ? calibration : heldInstead(calibration, runs, own, population);
  if (own === null && Object.keys(shown.policy.caps).length === 0) {
    throw new CommandError('no cap could be derived, so there is nothing to report', 'capfit derive says why', EXIT.no);
  }
  const { html, held } = reportPage(runs, shown, population, commandText('report', typed, raw), assets);
  await writeWhole(output, [html], folderTold(raw, io));
  if (raw.json === true) {
    printJson(io, { schema: 'capfit/report@1', output, runs: runs.length, held, bytes: Buffer.byteLength(html) });
  } else if (raw.quiet !== true) {
    const sample = held < runs.length ? `, which holds a sample of ${plural(held, 'run')}` : '';
    io.err(`report on ${plural(runs.length, 'run')} written to ${output}${sample}\n`);
  }
  return EXIT.done;
};
