// One job asked of chDB, JSONL by extracting what is needed from whole lines. Usage: node chdb.mjs JOB FILE
import { askChdb, wholeLines } from '../ask-chdb.mjs';

askChdb(process.argv.slice(2), wholeLines);
