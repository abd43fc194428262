// One job asked of DuckDB. Usage: node duckdb.mjs JOB FILE; prints the answer as JSON.
import { DuckDBInstance } from '@duckdb/node-api';
import { columnsOf, formOf } from '../forms.mjs';
import { engineAnswer } from '../jobs.mjs';
import { sqlOf } from '../sql.mjs';

const [job, file] = process.argv.slice(2);

/** The rows of a CSV or Parquet file as a table function; columns of CSV are declared, so that no guess is needed. */
function rowsOf(form) {
  if (form === 'parquet') return `read_parquet('${file}')`;
  const types = columnsOf(file).map(([name, type]) => `'${name}': '${type}'`);
  return `read_csv('${file}', auto_detect = false, header = true, columns = {${types.join(', ')}})`;
}

const form = formOf(file);
const folder = form === 'jsonl' ? 'jsonl' : 'rows';
const words = form === 'jsonl' ? { file } : { rows: rowsOf(form) };
// As many threads as there are cores, by default.
const connection = await (await DuckDBInstance.create()).connect();
await connection.run(sqlOf('duckdb', `${folder}/${job}`, words));
const answer = await connection.runAndReadAll(sqlOf('duckdb', job, words));
console.log(JSON.stringify(engineAnswer(job, answer.getRowObjectsJson())));
