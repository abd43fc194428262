import { type Json, stringifyJson } from '../model/json.js';
import type { Call, Pass, Run } from '../model/run.js';
import { type Appender, type Database, openDatabase, sqlText } from './duckdb.js';
import { createFreeColumns, type FreeColumns, selectSql, tableSql } from './write-columns.js';

/** The text that stands for arguments or a result in a table: equal exactly where the contents are. */
export type DigestOf = (content: Json) => string;

/** What the rows may take in memory; beyond it they wait in a folder beside the file. */
const MEMORY = '300MB';

/**
 * Writes runs as a Parquet file with one row a pass, and for a pass with several calls one for each, the rows of a run
 * together. Figures are exact decimals. Arguments and results become digests; keys that the run record does not know,
 * and halves of a character pair, which UTF-8 cannot hold, are lost.
 *
 * @param path written as it stands: whoever wants the file whole or not at all names another and renames it
 * @returns how many runs were written
 * @throws EngineError where the client is not installed or the file cannot be written
 */
export async function writeParquet(
  path: string,
  runs: Iterable<Run> | AsyncIterable<Run>,
  digestOf: DigestOf,
): Promise<number> {
  const database = await openDatabase();
  try {
    await database.run(`SET memory_limit = '${MEMORY}'`);
    await database.run(`SET temp_directory = ${sqlText(`${path}.spill`)}`);
    await database.run(tableSql());
    const free = createFreeColumns();
    const count = await appendRuns(database, runs, free, digestOf);
    const options = "FORMAT parquet, COMPRESSION zstd, KV_METADATA {capfit: 'passes/v1'}";
    await database.run(`COPY (${selectSql(free)}) TO ${sqlText(path)} (${options})`);
    return count;
  } finally {
    database.close();
  }
}

async function appendRuns(
  database: Database,
  runs: Iterable<Run> | AsyncIterable<Run>,
  free: FreeColumns,
  digestOf: DigestOf,
): Promise<number> {
  let appender = database.appender('passes');
  let count = 0;
  for await (const run of runs) {
    const added = free.see(run);
    if (added.length > 0) {
      appender.close();
      for (const sql of added) await database.run(sql);
      appender = database.appender('passes');
    }
    appendRun(appender, run, free, digestOf);
    count++;
  }
  appender.close();
  return count;
}

function appendRun(to: Appender, run: Run, free: FreeColumns, digestOf: DigestOf): void {
  const rest = free.restOf(run);
  const append = (number: number | null, pass: Pass | null, call: Call | null): void => {
    appendRunFields(to, run);
    to.number(number);
    appendPassFields(to, pass);
    appendCall(to, call, digestOf);
    to.flag(run.passes === null ? false : null);
    to.text(rest.labels);
    to.text(rest.recordedUnder);
    for (const [kind, name] of free.names) {
      if (kind === 'label') to.text(run.labels.get(name) ?? null);
      else to.number(run.recordedUnder.get(name) ?? null);
    }
    to.endRow();
  };
  if (run.passes === null || run.passes.length === 0) append(null, null, null);
  for (const [index, pass] of (run.passes ?? []).entries()) {
    if (pass.calls.length === 0) append(index + 1, pass, null);
    for (const call of pass.calls) append(index + 1, pass, call);
  }
}

function appendRunFields(to: Appender, run: Run): void {
  for (const text of [run.id, run.status, run.check, run.claim, run.reason, run.startedAt]) to.text(text);
  for (const content of [run.blocker, run.evidence]) to.text(content === null ? null : stringifyJson(content));
  to.number(run.totals?.passes ?? null);
  to.number(run.totals?.tokens ?? null);
  to.number(run.totals?.seconds ?? null);
  to.number(run.totals?.usd ?? null);
}

function appendPassFields(to: Appender, pass: Pass | null): void {
  to.number(pass?.inputTokens ?? null);
  to.number(pass?.outputTokens ?? null);
  to.number(pass?.cacheReadTokens ?? null);
  to.number(pass?.cacheWriteTokens ?? null);
  to.number(pass?.micros ?? null);
  to.number(pass?.nanos ?? null);
  to.number(pass?.steps ?? null);
  to.text(pass?.model ?? null);
}

function appendCall(to: Appender, call: Call | null, digestOf: DigestOf): void {
  to.text(call?.tool ?? null);
  to.text(call === null ? null : digest(call.args, call.argsDigest, digestOf));
  to.text(call === null ? null : digest(call.result, call.resultDigest, digestOf));
  to.flag(call?.error ?? null);
}

/** Content comes before a digest recorded beside it, as it does where events are compared. */
function digest(content: Json | undefined, recorded: string | null, digestOf: DigestOf): string | null {
  return content === undefined ? recorded : digestOf(content);
}
