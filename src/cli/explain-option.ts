import type { DeriveReport } from '../calibrate/result.js';
import type { ExplainOptions } from '../report/explain-blocks.js';
import type { RawOptions } from './options.js';

/** How `--explain` is told. */
export function explainOption({ population, groups }: DeriveReport, raw: RawOptions): ExplainOptions {
  return { population, verbose: raw.verbose === true, hasGroups: groups.length > 0 };
}
