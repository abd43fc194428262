import type { Explanation } from '../../calibrate/explain.js';
import type { DeriveReport } from '../../calibrate/result.js';
import type { Sample } from '../../calibrate/sample.js';
import type { CrossValidated } from '../../replay/cross-validate-result.js';
import type { HiddenReport } from '../../replay/hidden-result.js';
import type { Block } from '../../report/blocks.js';
import { deriveBlocks } from '../../report/derive-blocks.js';
import { warningBlocks } from '../../report/diagnosis-blocks.js';
import { explainBlocks } from '../../report/explain-blocks.js';
import { hiddenBlocks } from '../../report/hidden-blocks.js';
import { sureBlocks } from '../../report/sure-blocks.js';
import { capDistributions } from '../distributions.js';
import { explainOption } from '../explain-option.js';
import type { RawOptions } from '../options.js';

/** What was derived, and what was asked for beside it. */
interface Derived {
  readonly report: DeriveReport & { readonly hidden: HiddenReport };
  readonly sample: Sample;
  readonly explain: Explanation | null;
  readonly sure: CrossValidated | null;
}

/** Percentiles and caps as people read them. */
export function deriveView({ report, sample, explain, sure }: Derived, raw: RawOptions): Block[] {
  return [
    ...deriveBlocks(report, { warnings: false, sample }),
    ...capDistributions(report, sample),
    ...(explain === null ? [] : explainBlocks(explain, explainOption(report, raw))),
    ...(sure === null ? [] : sureBlocks(sure, report)),
    ...hiddenBlocks(report.hidden, report.accepted_rate, { verbose: raw.verbose === true }),
    ...warningBlocks(report.warnings),
  ];
}
