import { usageError } from './errors.js';

/** The forms in which runs are written as text. */
const TEXT_FORMS = ['jsonl', 'csv', 'csv-summary', 'pass-table'] as const;
export type TextForm = (typeof TEXT_FORMS)[number];

/** All forms in which runs are written. */
export const RUN_FORMS = [...TEXT_FORMS, 'parquet'] as const;
export type RunForm = (typeof RUN_FORMS)[number];

/** The form asked for, else by the ending of the output's name, else JSONL. */
export function runForm(to: string | undefined, output: string | undefined): RunForm {
  const form = (to as RunForm | undefined) ?? formByName(output);
  if (form !== 'parquet') return form;
  if (output === undefined) {
    throw usageError('--to parquet: a Parquet file is written to a file only', 'name it, for instance -o runs.parquet');
  }
  if (output.endsWith('.gz')) {
    throw usageError(`--output ${output}: a Parquet file is packed in itself`, 'end the name in .parquet');
  }
  return form;
}

function formByName(output: string | undefined): RunForm {
  const name = output?.replace(/\.gz$/, '') ?? '.jsonl';
  if (/\.(jsonl|ndjson)$/.test(name)) return 'jsonl';
  if (name.endsWith('.csv')) return 'csv';
  if (name.endsWith('.parquet')) return 'parquet';
  throw usageError(
    `--output ${output}: the ending names no form of runs`,
    `end the name in .jsonl, .csv or .parquet, or say --to ${RUN_FORMS.join('|')}`,
  );
}
