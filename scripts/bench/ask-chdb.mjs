import { query } from 'chdb';
import { formOf } from './forms.mjs';
import { engineAnswer } from './jobs.mjs';
import { sqlOf } from './sql.mjs';

/** The columns of CSV and Parquet that a job may need; the others are skipped, where they are not needed these too. */
const COLUMNS = `
  run_id String, status String, check String, pass Int64, input_tokens Int64, output_tokens Int64, seconds Float64,
  tool Nullable(String), args_digest Nullable(String), result_digest Nullable(String)`;
const ENGINE_FORMATS = { csv: 'CSVWithNames', parquet: 'Parquet' };

/**
 * Asks chDB one job and prints the answer as JSON.
 *
 * @param jsonl how JSONL is read: the folder of SQL that says it
 */
export function askChdb([job, file], jsonl) {
  const form = formOf(file);
  const isJsonl = form === 'jsonl';
  const words = isJsonl ? { file } : { rows: `file('${file}', ${ENGINE_FORMATS[form]}, '${COLUMNS}')` };
  const runs = sqlOf('chdb', `${isJsonl ? jsonl : 'rows'}/${job}`, words);
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
