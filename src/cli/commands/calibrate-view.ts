import type { Explanation } from '../../calibrate/explain.js';
import type { Calibration } from '../../replay/calibrate.js';
import type { Block } from '../../report/blocks.js';
import { buildCard } from '../../report/card.js';
import { cardBlocks } from '../../report/card-blocks.js';
import { deriveBlocks } from '../../report/derive-blocks.js';
import { diagnosisBlocks } from '../../report/diagnosis-blocks.js';
import { explainBlocks } from '../../report/explain-blocks.js';
import { hiddenBlocks } from '../../report/hidden-blocks.js';
import { ladderBlocks } from '../../report/ladder-blocks.js';
import { replayBlocks } from '../../report/replay-blocks.js';
import { sureBlocks } from '../../report/sure-blocks.js';
import { capDistributions } from '../distributions.js';
import { explainOption } from '../explain-option.js';
import type { RawOptions } from '../options.js';

/** Percentiles, caps, replay, diagnosis and card as people read them. @param explain `null` where it was not asked for */
export function calibrateView(calibration: Calibration, explain: Explanation | null, raw: RawOptions): Block[] {
  const { derive } = calibration.report;
  const why = explain === null ? [] : explainBlocks(explain, explainOption(derive, raw));
  const hasCaps = Object.keys(calibration.policy.caps).length > 0;
  return hasCaps ? wholeReport(calibration, why, raw) : withoutCaps(calibration, why, raw);
}

/** @param why the explanation of the caps, where one was asked for */
function wholeReport(calibration: Calibration, why: readonly Block[], raw: RawOptions): Block[] {
  const { report, sample, recorded, caps, whole, policy } = calibration;
  const rules = policy.rules.length > 0;
  return [
    ...deriveBlocks(report.derive, { warnings: false, sample }),
    ...capDistributions(report.derive, sample),
    ...why,
    ...hidBlocks(calibration, raw),
    ...ladderBlocks([
      { step: 'as recorded', replay: recorded },
      { step: 'caps alone', replay: caps },
      ...(rules ? [{ step: 'caps and rules', replay: whole }] : []),
    ]),
    ...sureBlocks(report.cross_validated, report.derive),
    ...replayBlocks(whole, { warnings: true }),
    ...diagnosisBlocks(report.diagnosis),
    ...cardBlocks(buildCard(policy, { derive: report.derive, replay: whole })),
  ];
}

function withoutCaps(calibration: Calibration, why: readonly Block[], raw: RawOptions): Block[] {
  const { derive, diagnosis } = calibration.report;
  return [
    ...deriveBlocks(derive, { warnings: false }),
    ...why,
    ...hidBlocks(calibration, raw),
    ...diagnosisBlocks(diagnosis),
  ];
}

function hidBlocks({ report: { hidden, derive } }: Calibration, raw: RawOptions): Block[] {
  return hiddenBlocks(hidden, derive.accepted_rate, { verbose: raw.verbose === true });
}
