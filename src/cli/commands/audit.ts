import { createAudit } from '../../replay/audit.js';
import { auditBlocks } from '../../report/audit-blocks.js';
import type { Action } from '../action.js';
import { CommandError, EXIT } from '../errors.js';
import type { Ingest } from '../ingest.js';
import { readRuns } from '../load.js';
import { readOptions } from '../options.js';
import { printBlocks, printJson } from '../print.js';

/** `capfit audit`: what the records can and cannot support. Bad records are part of the answer, so they are skipped. */
export const auditCommand: Action = async (typed, raw, io) => {
  const audit = createAudit({ by: raw.by ?? [], today: io.today() });
  const ingest = readRuns(typed, readOptions({ ...raw, onError: raw.onError ?? 'skip' }), io);
  try {
    for await (const run of ingest.runs) audit.see(run);
  } catch (error) {
    if (!isOnlyEmpty(error, ingest)) throw error;
  }
  const report = audit.finish(ingest.summary);
  if (raw.json === true) printJson(io, report);
  else await printBlocks(io, auditBlocks(report));
  return EXIT.done;
};

/** Whether all was read and merely no good run was in it: that is an answer here, not a failure. */
function isOnlyEmpty(error: unknown, { summary }: Ingest): boolean {
  const { isComplete, files, problems, records } = summary;
  if (!(error instanceof CommandError) || !isComplete || files.length + problems.length === 0) return false;
  return records === 0 || error.exitCode === EXIT.no;
}
