import {
  createPassColumns,
  createSummaryColumns,
  writePassHeader,
  writePassRows,
  writeSummaryHeader,
  writeSummaryRow,
} from '../formats/csv/csv.js';
import { digestOf } from '../formats/csv/digest.js';
import { writeRecord } from '../formats/record-writer.js';
import type { Run } from '../model/run.js';
import { type Tell, writeWhole, writeWholeBy } from './output.js';
import { asCommandError } from './parquet-format.js';
import type { RunForm, TextForm } from './run-forms.js';

/**
 * Writes runs to a file in a form, whole or not at all.
 *
 * @param runs gives the runs afresh each time it is called
 */
export async function writeRuns(
  form: RunForm,
  path: string,
  runs: () => Runs,
  tell: Tell | null = null,
): Promise<void> {
  if (form !== 'parquet') return writeWhole(path, writtenRuns(form, runs), tell);
  const { writeParquet } = await import('../engine/parquet-write.js');
  try {
    await writeWholeBy(path, async (temporary) => void (await writeParquet(temporary, runs(), digestOf)), tell);
  } catch (error) {
    throw asCommandError(error);
  }
}

type Runs = Iterable<Run> | AsyncIterable<Run>;

/**
 * Runs as text, chunk by chunk. A CSV's header must name every label, so the runs are looked at once before.
 *
 * @param runs gives the runs afresh each time it is called
 */
export async function* writtenRuns(form: TextForm, runs: () => Runs): AsyncGenerator<string> {
  switch (form) {
    case 'jsonl':
      for await (const run of runs()) yield `${writeRecord(run)}\n`;
      return;
    case 'csv': {
      const collector = createPassColumns();
      for await (const run of runs()) collector.see(run);
      const columns = collector.finish();
      yield writePassHeader(columns);
      for await (const run of runs()) yield writePassRows(run, columns);
      return;
    }
    case 'pass-table': {
      const { passLines } = await import('../engine/ask-clickhouse/rows.js');
      let order = 0;
      for await (const run of runs()) {
        for (const line of passLines(run, order++, digestOf)) yield `${line}\n`;
      }
      return;
    }
    case 'csv-summary': {
      const collector = createSummaryColumns();
      for await (const run of runs()) collector.see(run);
      const columns = collector.finish();
      yield writeSummaryHeader(columns);
      for await (const run of runs()) yield writeSummaryRow(run, columns);
      return;
    }
  }
}
