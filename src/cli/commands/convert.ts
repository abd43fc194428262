import type { Run } from '../../model/run.js';
import { plural } from '../../model/words.js';
import type { Action } from '../action.js';
import { EXIT } from '../errors.js';
import { readRuns } from '../load.js';
import { readOptions } from '../options.js';
import { checkTarget, folderTold, printWhole } from '../output.js';
import { printJson } from '../print.js';
import { type RunForm, runForm, type TextForm } from '../run-forms.js';
import { writeRuns, writtenRuns } from '../write-runs.js';

/** `capfit convert`: any supported recording to run records. Nothing is written before all is read. */
export const convertCommand: Action = async (typed, raw, io) => {
  const form = runForm(raw.to, raw.output);
  if (raw.output !== undefined) checkTarget(raw.output);
  const { runs, summary } = readRuns(typed, readOptions(raw), io);
  let count = 0;
  async function* counted(): AsyncGenerator<Run> {
    for await (const run of runs) {
      count++;
      yield run;
    }
  }
  const written = await repeatable(form, counted());
  if (raw.output === undefined) {
    await printWhole(io, writtenRuns(form as TextForm, written));
    return EXIT.done;
  }
  await writeRuns(form, raw.output, written, folderTold(raw, io));
  const { problems, unrecognised, files } = summary;
  if (raw.json === true) {
    printJson(io, {
      schema: 'capfit/convert@1',
      output: raw.output,
      form,
      runs: count,
      bad_records: problems.length,
      files,
      unrecognised,
    });
  } else if (raw.quiet !== true) {
    io.err(`${plural(count, 'run')} written to ${raw.output}\n`);
  }
  return EXIT.done;
};

/** JSONL, Parquet and rows of a pass table are written as they are read; the head of a table names every label, so its runs are held until all are read. */
async function repeatable(form: RunForm, runs: AsyncGenerator<Run>): Promise<() => Iterable<Run> | AsyncIterable<Run>> {
  if (form === 'jsonl' || form === 'parquet' || form === 'pass-table') return () => runs;
  const held: Run[] = [];
  for await (const run of runs) held.push(run);
  return () => held;
}
