import { query } from 'chdb';
import { formOf } from './forms.mjs';
import { engineAnswer } from './jobs.mjs';
import { sqlOf } from './sql.mjs';

/** The columns of CSV and Parquet that a job may need; the others are skipped, where they are not needed these too. */
const COLUMNS = `
  run_id String, status String, check String, pass Int64, input_tokens Int64, output_tokens Int64, seconds Float64,
  tool Nullable(String), args_digest Nullable(String), result_digest Nullable(String)`;
const ENGINE_FORMATS = { csv: 'CSVWithNames', parquet: 'Parquet' };

const FIGURES = 'input_tokens Int64, output_tokens Int64, seconds Float64';
const CALL = 'tool String, args_digest Nullable(String), result_digest Nullable(String)';
/** What a job asks of run records. */
const RECORDS = {
  derive: `check String, passes Array(Tuple(${FIGURES}))`,
  replay: `status String, check String, passes Array(Tuple(${FIGURES}, calls Array(Tuple(${CALL}))))`,
  sweep: `check String, passes Array(Tuple(${FIGURES}))`,
};

/** Fields extracted from whole lines, which is faster here than the format for such files. */
export function wholeLines(file, fields) {
  return `(SELECT JSONExtract(line, 'Tuple(${fields})') AS run FROM file('${file}', LineAsString, 'line String'))`;
}

/** The format that chDB has for such files. */
export function eachRow(file, fields) {
  return `file('${file}', JSONEachRow, '${fields}')`;
}

/**
 * Asks chDB one job and prints the answer as JSON.
 *
 * @param recordsIn how JSONL is read: SQL that gives the fields of its records
 */
export function askChdb([job, file], recordsIn) {
  const form = formOf(file);
  const isJsonl = form === 'jsonl';
  const words = isJsonl
    ? { records: recordsIn(file, RECORDS[job]) }
    : { rows: `file('${file}', ${ENGINE_FORMATS[form]}, '${COLUMNS}')` };
  const runs = sqlOf('chdb', `${isJsonl ? 'jsonl' : 'rows'}/${job}`, words);
  const rows = query(sqlOf('chdb', job, { runs }), 'JSONEachRow')
    .trim()
    .split('\n');
  console.log(
    JSON.stringify(
      engineAnswer(
        job,
        rows.map((row) => JSON.parse(row)),
      ),
    ),
  );
}
