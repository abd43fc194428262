import type { Depth } from '../model/depth.js';
import { placesIn } from '../model/packed-places.js';
import type { Problem } from '../model/problem.js';
import type { Run } from '../model/run.js';
import type { RunFacts } from '../model/run-columns.js';
import type { DraftFigures } from '../model/run-draft.js';
import type { PackedTable } from '../model/table.js';
import type { IngestSummary } from './ingest-summary.js';
import type { Places } from './places.js';
import type { PartSink } from './read-parts.js';

/** A table that runs may be put into as they are read, where the reader of their format can. */
export interface Into {
  readonly depth: Depth;
  codeForTool(tool: string): number;
  draft(facts: RunFacts, draft: DraftFigures | null): void;
  run(run: Run): void;
  /** Runs of a table that was packed, before which so many lines of their file lie. */
  part(packed: PackedTable, lines: number): void;
}

/** What a reader that fills tables is given. A run whose id was met before is asked for whole, to be told. */
export function sinkOf(
  into: Into,
  accept: (item: Run | Problem) => Run | null,
  places: Places,
  summary: IngestSummary,
): PartSink {
  return {
    depth: into.depth,
    codeForTool: (tool) => into.codeForTool(tool),
    draft(facts, draft) {
      if (places.claim(facts.id, facts.origin) !== null) return false;
      summary.records++;
      into.draft(facts, draft);
      return true;
    },
    item(item) {
      const run = accept(item);
      if (run !== null) into.run(run);
    },
    parts(read, linesBefore) {
      const before = places.size;
      let lines = linesBefore;
      for (const part of read) {
        for (const [id, place] of placesIn(part.table.rows, lines)) {
          if (places.claim(id, place) === null) continue;
          places.shrinkTo(before);
          return false;
        }
        lines += part.lines;
      }
      lines = linesBefore;
      for (const part of read) {
        summary.records += part.table.rows.idLengths.length;
        into.part(part.table, lines);
        lines += part.lines;
      }
      return true;
    },
  };
}
