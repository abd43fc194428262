import type { Depth } from '../model/depth.js';
import type { Problem } from '../model/problem.js';
import type { Run } from '../model/run.js';
import type { RunFacts } from '../model/run-columns.js';
import type { DraftFigures } from '../model/run-draft.js';
import { createRunTable, type RunTable } from '../model/table.js';
import type { IngestSummary } from './ingest-summary.js';
import type { Places } from './places.js';
import type { PartSink } from './read-parts.js';

/** A table that runs may be put into as they are read, where the reader of their format can. */
export interface Into {
  readonly depth: Depth;
  codeForTool(tool: string): number;
  draft(facts: RunFacts, draft: DraftFigures | null): void;
  run(run: Run): void;
  /** Runs that another thread has read; their table is given away. */
  part(table: RunTable): void;
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
    part({ table }, lines) {
      const part = createRunTable();
      part.unpack(table, lines);
      return this.table(part);
    },
    table(part) {
      const before = places.size;
      for (let run = 0; run < part.length; run++) {
        const { id, origin } = part.facts(run);
        if (places.claim(id, origin) === null) continue;
        places.shrinkTo(before);
        return false;
      }
      summary.records += part.length;
      into.part(part);
      return true;
    },
  };
}
