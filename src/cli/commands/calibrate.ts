import { join } from 'node:path';
import { stringifyJson } from '../../model/json.js';
import { type Calibration, calibrate } from '../../replay/calibrate.js';
import type { Block } from '../../report/blocks.js';
import { buildCard } from '../../report/card.js';
import { cardBlocks, renderCardMarkdown } from '../../report/card-blocks.js';
import { deriveBlocks } from '../../report/derive-blocks.js';
import { diagnosisBlocks } from '../../report/diagnosis-blocks.js';
import { ladderBlocks } from '../../report/ladder-blocks.js';
import { replayBlocks } from '../../report/replay-blocks.js';
import type { Action } from '../action.js';
import { capDistributions } from '../distributions.js';
import { EXIT, usageError } from '../errors.js';
import { tellUnknownTools } from '../exempt-option.js';
import { fingerprintOf } from '../fingerprint.js';
import type { Io } from '../io.js';
import { checkGrouping, loadRuns } from '../load.js';
import { deriveOptions, type RawOptions, readOptions } from '../options.js';
import { checkTargetFolder, writeAllWhole } from '../output.js';
import { basePolicy } from '../policy-option.js';
import { printBlocks, printJson } from '../print.js';

/** `capfit calibrate`: the main job. */
export const calibrateCommand: Action = async (typed, raw, io) => {
  if (raw.out !== undefined) checkTargetFolder(raw.out);
  const calibration = await calibrateRuns(typed, raw, io);
  const hasCaps = Object.keys(calibration.policy.caps).length > 0;
  if (raw.out !== undefined && hasCaps) await writeResults(raw.out, calibration);
  if (raw.json === true) printJson(io, calibration.report);
  else printBlocks(io, hasCaps ? wholeReport(calibration) : withoutCaps(calibration));
  return hasCaps ? EXIT.done : EXIT.no;
};

/** Reads the runs and calibrates as the flags say; the card stands on the same. */
export async function calibrateRuns(typed: readonly string[], raw: RawOptions, io: Io): Promise<Calibration> {
  const options = deriveOptions(raw);
  const base = basePolicy(raw);
  const { runs } = await loadRuns(typed, readOptions(raw), io);
  checkGrouping(runs, options.by);
  tellUnknownTools(runs, raw, io);
  return calibrate(runs, {
    ...options,
    base,
    date: dateOption(raw.date),
    today: io.today(),
    source: raw.source ?? null,
    fingerprint: fingerprintOf(runs),
  });
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

function wholeReport(calibration: Calibration): Block[] {
  const { report, sample, recorded, caps, whole, policy } = calibration;
  const rules = policy.rules.length > 0;
  return [
    ...deriveBlocks(report.derive, { warnings: false }),
    ...capDistributions(report.derive, sample),
    ...ladderBlocks([
      { step: 'as recorded', replay: recorded },
      { step: 'caps alone', replay: caps },
      ...(rules ? [{ step: 'caps and rules', replay: whole }] : []),
    ]),
    ...replayBlocks(whole, { warnings: true }),
    ...diagnosisBlocks(report.diagnosis),
    ...cardBlocks(buildCard(policy, { derive: report.derive, replay: whole })),
  ];
}

function withoutCaps({ report }: Calibration): Block[] {
  return [...deriveBlocks(report.derive, { warnings: false }), ...diagnosisBlocks(report.diagnosis)];
}

/** policy.yaml, card.md and replay.json, all or none. */
async function writeResults(folder: string, { policy, report, whole }: Calibration): Promise<void> {
  const { writePolicyYaml } = await import('../../formats/policy/policy-file.js');
  await writeAllWhole([
    [join(folder, 'policy.yaml'), writePolicyYaml(policy)],
    [
      join(folder, 'card.md'),
      `${renderCardMarkdown(buildCard(policy, { derive: report.derive, replay: whole })).trimEnd()}\n`,
    ],
    [join(folder, 'replay.json'), `${stringifyJson(whole, 2)}\n`],
  ]);
}
