import { EngineError } from '../engine/duckdb.js';
import type { MakeRun } from '../engine/run-facts.js';
import { type Format, orProblem, type RunSink, type Source } from '../formats/format.js';
import { runOfRecord } from '../formats/record.js';
import { cutIds } from '../model/id-column.js';
import type { Problem } from '../model/problem.js';
import type { Run } from '../model/run.js';
import { factsIn, type RunBatch } from '../model/run-batch.js';
import { type CommandError, fileError } from './errors.js';

/** Parquet as a format like the others, but that it is read by its path, and by a database that is loaded for it. */
export const parquet: Format = {
  id: 'parquet',
  description: 'a Parquet file with one row a pass, read by the optional package @duckdb/node-api',
  isReadByPath: true,
  detect: (head) => head.startsWith('PAR1'),
  read: readParquetRuns,
  readInto: readParquetInto,
};

/** The reader of run records, for what stands in tables. */
export const makeRun: MakeRun = (record, origin) =>
  orProblem(origin.file, origin.line, null, () => runOfRecord(record, origin));

async function* readParquetRuns(source: Source): AsyncGenerator<Run | Problem> {
  const { runsOfParquet } = await import('../engine/parquet-read.js');
  try {
    yield* runsOfParquet(source.name, makeRun);
  } catch (error) {
    throw asCommandError(error);
  }
}

async function readParquetInto(source: Source, _options: unknown, sink: RunSink): Promise<number> {
  const { readParquet } = await import('../engine/parquet-read.js');
  try {
    await readParquet(
      source.name,
      makeRun,
      {
        codeForTool: (tool) => sink.codeForTool(tool),
        batch(batch) {
          for (let run = sink.batch(batch, 0); run < batch.runs; run = sink.batch(batch, run + 1)) {
            sink.item(runInBatch(batch, run));
          }
        },
        takeItem: (item) => sink.item(item),
      },
      sink.depth,
    );
  } catch (error) {
    throw asCommandError(error);
  }
  return 0;
}

/** A run that is only told of, because its id was met before. */
function runInBatch(batch: RunBatch, index: number): Run {
  const { startedMillis, ...facts } = factsIn(batch, index, cutIds(batch.ids)[index] as string);
  const startedAt = startedMillis === null ? null : new Date(startedMillis).toISOString();
  return { ...facts, startedAt, passes: null, blocker: null, evidence: null, extra: null };
}

/** What the database cannot do, as the command's own error. */
export function asCommandError(error: unknown): CommandError | unknown {
  return error instanceof EngineError ? fileError(error.message, error.hint) : error;
}
