import type { Format } from '../format.js';
import { plainPasses } from '../scan/scan-passes.js';
import { readPasses } from './csv-passes.js';
import { readSummary } from './csv-summary.js';
import { headerNames } from './csv-table.js';

export {
  createPassColumns,
  type PassColumnCollector,
  type PassColumns,
  passColumns,
  writePassHeader,
  writePassRows,
} from './csv-passes-writer.js';
export {
  createSummaryColumns,
  type SummaryColumnCollector,
  type SummaryColumns,
  summaryColumns,
  writeSummaryHeader,
  writeSummaryRow,
} from './csv-summary.js';

/** Only a table of passes has these columns. */
const PASS_ONLY = [
  ...['pass', 'input_tokens', 'output_tokens', 'cache_read_tokens', 'cache_write_tokens'],
  ...['tool', 'args_digest', 'result_digest'],
];

/** capfit's own table of passes. */
export const csvPasses: Format = {
  id: 'csv',
  description: 'a CSV table with one row a pass',
  detect: (head) => kindOf(head) === 'passes',
  read: readPasses,
  plain: plainPasses,
};

/** capfit's own table of run totals. */
export const csvSummary: Format = {
  id: 'csv-summary',
  description: 'a CSV table with one row a run',
  detect: (head) => kindOf(head) === 'summary',
  read: readSummary,
};

/**
 * What the first line says the table holds. One needed column may be missing and the separator may be wrong: the
 * reader then says so, which helps more than "not recognised". Two of the needed columns must be there, lest foreign
 * tables be taken for ours.
 */
function kindOf(head: string): 'passes' | 'summary' | null {
  const line = /[^\r\n]+/.exec(head)?.[0] ?? '';
  const names = new Set(headerNames(line, /[,;\t|]/));
  const found = (words: readonly string[]) => words.filter((word) => names.has(word)).length;
  if (found(['run_id', 'status', 'pass']) >= 2 && found(PASS_ONLY) > 0) return 'passes';
  return found(['run_id', 'status', 'passes']) >= 2 ? 'summary' : null;
}
