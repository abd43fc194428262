import { valuesIn } from '../model/chunk.js';
import type { Depth } from '../model/depth.js';
import { cutIds } from '../model/id-column.js';
import type { Problem } from '../model/problem.js';
import type { Run } from '../model/run.js';
import { lineIn, type RunBatch, type RunFacts } from '../model/run-batch.js';
import type { PackedRuns } from '../model/run-columns.js';
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
  /** The runs of a batch in [from, to). @param ids of all its runs */
  batch(batch: RunBatch, ids: readonly string[], from: number, to: number): void;
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
  // A batch may be handed over in several parts.
  let cut: { readonly batch: RunBatch; readonly ids: readonly string[] } | null = null;
  const idsOf = (batch: RunBatch): readonly string[] => {
    if (cut?.batch !== batch) cut = { batch, ids: cutIds(batch.ids) };
    return cut.ids;
  };
  return {
    depth: into.depth,
    asksForWhole: true,
    codeForTool: (tool) => into.codeForTool(tool),
    batch(batch, from) {
      const ids = idsOf(batch);
      let to = from;
      while (to < batch.runs && places.claim(ids[to] as string, batch.file, lineIn(batch, to)) === null) to++;
      if (to > from) into.batch(batch, ids, from, to);
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
      const ids = read.map(({ table }) => cutIds(table.rows.ids));
      let lines = linesBefore;
      for (const [index, block] of read.entries()) {
        if (!areClaimed(places, block.table.rows, ids[index] as string[], lines - block.linesBefore)) {
          places.shrinkTo(before);
          return false;
        }
        lines += block.lines;
      }
      lines = linesBefore;
      for (const [index, block] of read.entries()) {
        summary.records += ids[index]?.length ?? 0;
        into.block(block.table, lines - block.linesBefore, ids[index] as string[]);
        lines += block.lines;
      }
      return true;
    },
  };
}

/** Takes note of the ids of packed runs up to the first that was met before; false where there is one. */
function areClaimed(places: Places, { files, file, line }: PackedRuns, ids: readonly string[], lines: number): boolean {
  const fileCodes = valuesIn(file);
  const numbers = valuesIn(line);
  for (let run = 0; run < ids.length; run++) {
    const number = numbers[run] as number;
    const seen = places.claim(
      ids[run] as string,
      files[fileCodes[run] as number] as string,
      number < 0 ? null : lines + number,
    );
    if (seen !== null) return false;
  }
  return true;
}
