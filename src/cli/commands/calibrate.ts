import { join } from 'node:path';
import { explainCaps } from '../../calibrate/explain.js';
import { stringifyJson } from '../../model/json.js';
import type { RunTable } from '../../model/table.js';
import { type Calibration, calibrate } from '../../replay/calibrate.js';
import type { Action } from '../action.js';
import { commandText } from '../command-text.js';
import { EXIT, usageError } from '../errors.js';
import { tellUnknownTools } from '../exempt-option.js';
import { fingerprintOf } from '../fingerprint.js';
import type { Io } from '../io.js';
import { checkWeighed, jointOption } from '../joint-option.js';
import { checkGrouping, loadRuns } from '../load.js';
import { deriveOptions, type RawOptions, readOptions } from '../options.js';
import { checkTargetFolder, writeAllWhole } from '../output.js';
import { basePolicy } from '../policy-option.js';
import { printBlocks, printJson } from '../print.js';

/** `capfit calibrate`: the main job. */
export const calibrateCommand: Action = async (typed, raw, io) => {
  if (raw.out !== undefined) checkTargetFolder(raw.out);
  const assets = raw.out === undefined ? null : (await import('../page-assets.js')).pageAssets();
  const { runs, calibration } = await calibrateRuns(typed, raw, io);
  const hasCaps = Object.keys(calibration.policy.caps).length > 0;
  if (raw.out !== undefined && assets !== null && hasCaps) {
    const { populationOption, reportPage } = await import('./report-page.js');
    const command = commandText('calibrate', typed, raw);
    const { html } = reportPage(runs, calibration, populationOption(raw), command, assets);
    await writeResults(raw.out, calibration, html);
  }
  const { derive } = calibration.report;
  const explain =
    raw.explain === true ? explainCaps(runs, { sample: calibration.sample, report: derive }, deriveOptions(raw)) : null;
  if (raw.json === true) printJson(io, { ...calibration.report, ...(explain === null ? {} : { explain }) });
  else await printBlocks(io, (await import('./calibrate-view.js')).calibrateView(calibration, explain, raw));
  return hasCaps ? EXIT.done : EXIT.no;
};

/** Reads the runs and calibrates as the flags say; the card and the report stand on the same. */
export async function calibrateRuns(
  typed: readonly string[],
  raw: RawOptions,
  io: Io,
): Promise<{ readonly runs: RunTable; readonly calibration: Calibration }> {
  const options = deriveOptions(raw);
  const joint = jointOption(raw);
  const base = basePolicy(raw);
  const { runs } = await loadRuns(typed, readOptions(raw), io);
  checkGrouping(runs, options.by);
  if (raw.cluster !== undefined) checkGrouping(runs, [raw.cluster], '--cluster');
  tellUnknownTools(runs, raw, io);
  const calibration = calibrate(runs, {
    ...options,
    joint,
    base,
    date: dateOption(raw.date),
    today: io.today(),
    source: raw.source ?? null,
    fingerprint: fingerprintOf(runs),
    cluster: raw.cluster ?? null,
  });
  checkWeighed(calibration.report.derive.joint, joint);
  return { runs, calibration };
}

/** A day as YYYY-MM-DD. */
function dateOption(text: string | undefined): string | null {
  if (text === undefined) return null;
  const parsed = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(text) : null;
  // A 31st of February is read as a day of March.
  if (parsed === null || Number.isNaN(parsed.getTime()) || !parsed.toISOString().startsWith(text)) {
    throw usageError(`--date ${text}: not a day`, 'for instance --date 2026-03-08');
  }
  return text;
}

/** policy.yaml, card.md, replay.json and report.html, all or none. */
async function writeResults(
  folder: string,
  { policy, report, whole, ofPolicy }: Calibration,
  page: string,
): Promise<void> {
  const { buildCard } = await import('../../report/card.js');
  const { renderCardMarkdown } = await import('../../report/card-blocks.js');
  const { writePolicyYaml } = await import('../../formats/policy/policy-file.js');
  await writeAllWhole([
    [join(folder, 'policy.yaml'), writePolicyYaml(policy)],
    [
      join(folder, 'card.md'),
      `${renderCardMarkdown(buildCard(policy, { derive: report.derive, replay: whole })).trimEnd()}\n`,
    ],
    [join(folder, 'replay.json'), `${stringifyJson({ ...whole, warnings: [...whole.warnings, ...ofPolicy] }, 2)}\n`],
    [join(folder, 'report.html'), page],
  ]);
}
