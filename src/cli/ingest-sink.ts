import type { Depth } from '../model/depth.js';
import { placesIn } from '../model/packed-places.js';
import type { Problem } from '../model/problem.js';
import type { Run } from '../model/run.js';
import type { RunBatch } from '../model/run-batch.js';
import { idsIn, type RunFacts } from '../model/run-columns.js';
import type { DraftFigures } from '../model/run-draft.js';
import type { PackedTable } from '../model/table.js';
import type { IngestSummary } from './ingest-summary.js';
import type { Places } from './places.js';
import type { BlockSink } from './read-file.js';

/** A table that runs may be put into as they are read, where the reader of their format can. */
export interface Into {
  readonly depth: Depth;
  codeForTool(tool: string): number;
  draft(facts: RunFacts, draft: DraftFigures | null): void;
  /** The runs of a batch in [from, to). */
  batch(batch: RunBatch, from: number, to: number): void;
  run(run: Run): void;
  /** Runs of a table that was packed, before which so many lines of their file lie, and their ids. */
  block(packed: PackedTable, lines: number, ids: readonly string[]): void;
}

/** What a reader that fills tables is given. A run whose id was met before is asked for whole, to be told. */
export function sinkOf(
  into: Into,
  accept: (item: Run | Problem) => Run | null,
  places: Places,
  summary: IngestSummary,
): BlockSink {
  return {
    depth: into.depth,
    asksForWhole: true,
    codeForTool: (tool) => into.codeForTool(tool),
    batch(batch, from) {
      let to = from;
      while (to < batch.runs && places.claim(batch.ids[to] as string, batch.file, batch.line[to] as number) === null)
        to++;
      if (to > from) into.batch(batch, from, to);
      summary.records += to - from;
      return to;
    },
    draft(facts, draft) {
      if (places.claim(facts.id, facts.origin.file, facts.origin.line) !== null) return false;
      summary.records++;
      into.draft(facts, draft);
      return true;
    },
    item(item) {
      const run = accept(item);
      if (run !== null) into.run(run);
    },
    blocks(read, linesBefore) {
      const before = places.size;
      const ids = read.map(({ table }) => idsIn(table.rows));
      let lines = linesBefore;
      for (const [index, block] of read.entries()) {
        let run = 0;
        for (const [file, line] of placesIn(block.table.rows, lines)) {
          if (places.claim(ids[index]?.[run++] as string, file, line) === null) continue;
          places.shrinkTo(before);
          return false;
        }
        lines += block.lines;
      }
      lines = linesBefore;
      for (const [index, block] of read.entries()) {
        summary.records += block.table.rows.idLengths.length;
        into.block(block.table, lines, ids[index] as string[]);
        lines += block.lines;
      }
      return true;
    },
  };
}
