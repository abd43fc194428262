// One job asked of chDB, JSONL by the format it has for such files, JSONEachRow. Usage: node chdb-each-row.mjs JOB FILE
import { askChdb, eachRow } from '../ask-chdb.mjs';

askChdb(process.argv.slice(2), eachRow);
