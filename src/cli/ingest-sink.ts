import { valuesIn } from '../model/chunk.js';
import type { Depth } from '../model/depth.js';
import { hashesOf } from '../model/id-column.js';
import type { Problem } from '../model/problem.js';
import type { Run } from '../model/run.js';
import type { RunBatch } from '../model/run-batch.js';
import type { PackedTable } from '../model/table.js';
import type { BlockRead } from './block-messages.js';
import type { IngestSummary } from './ingest-summary.js';
import type { PlacedIds, Places } from './places.js';
import type { BlockSink } from './read-file.js';

/** A table that runs may be put into as they are read, where the reader of their format can. */
export interface Into {
  readonly depth: Depth;
  codeForTool(tool: string): number;
  /** The runs of a batch in [from, to). */
  batch(batch: RunBatch, from: number, to: number): void;
  run(run: Run): void;
  /** Runs of a table that was packed, before which so many lines of their file lie. @param part what share of it they are */
  block(packed: PackedTable, lines: number, part: number): void;
}

/** What a reader that fills tables is given. A run whose id was met before is asked for whole, to be told. */
export function sinkOf(
  into: Into,
  accept: (item: Run | Problem) => Run | null,
  places: Places,
  summary: IngestSummary,
): BlockSink {
  // A batch may be handed over in several parts.
  let told: { readonly batch: RunBatch; readonly ids: PlacedIds } | null = null;
  const idsOf = (batch: RunBatch): PlacedIds => {
    if (told?.batch !== batch) {
      const { ids, file, line } = batch;
      // The batch goes, its lines are asked for later.
      const lines = line.slice();
      const lineOf = (run: number): number | null => lineAt(lines, run);
      told = { batch, ids: { ids, hashes: hashesOf(ids), file, lineOf } };
    }
    return told.ids;
  };
  return {
    depth: into.depth,
    asksForWhole: true,
    codeForTool: (tool) => into.codeForTool(tool),
    batch(batch, from) {
      const to = places.claimAll(idsOf(batch), from, batch.runs);
      if (to > from) into.batch(batch, from, to);
      summary.records += to - from;
      return to;
    },
    item(item) {
      const run = accept(item);
      if (run !== null) into.run(run);
    },
    blocks(read, linesBefore) {
      const before = places.size;
      let lines = linesBefore;
      for (const block of read) {
        if (!areClaimed(places, block, lines)) {
          places.shrinkTo(before);
          return false;
        }
        lines += block.lines;
      }
      lines = linesBefore;
      for (const block of read) {
        summary.records += block.hashes.length;
        into.block(block.table, lines - block.linesBefore, block.part);
        lines += block.lines;
      }
      return true;
    },
  };
}

/** Takes note of the ids of a block, all of one file, up to the first that was met before; false where there is one. */
function areClaimed(places: Places, { table, hashes, linesBefore, part }: BlockRead, before: number): boolean {
  const { ids, files, line } = table.rows;
  if (hashes.length === 0) return true;
  if (places.size === 0) places.expect(Math.ceil(hashes.length / part));
  const lineOf = (run: number): number | null => {
    const number = lineAt(valuesIn(line), run);
    return number === null ? null : before - linesBefore + number;
  };
  return places.claimAll({ ids, hashes, file: files[0] as string, lineOf }, 0, hashes.length) === hashes.length;
}

function lineAt(lines: Float64Array, run: number): number | null {
  const line = lines[run] as number;
  return line < 0 ? null : line;
}
