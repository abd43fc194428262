import { cutIds } from '../model/id-column.js';
import { factsIn } from '../model/run-batch.js';
import { createRunTable, type RunTable } from '../model/table.js';
import type { Into } from './ingest-sink.js';
import type { ReadOptions } from './options.js';
import type { Unmet } from './unmet.js';
import { meets } from './where.js';

/** Where runs go as they are read, without one being made of each. */
export type Target = Pick<RunTable, 'depth' | 'codeForTool' | 'addBatch' | 'addSpan' | 'add' | 'unpack'>;

/** Puts the runs that meet the conditions into a table; those of which the prices are asked are wanted whole. */
export function intoTable(table: Target, { where }: ReadOptions, unmet: Unmet, count: (runs: number) => void): Into {
  /** Runs that follow each other are added together. */
  const addThose = (block: RunTable, isMet: (run: number) => boolean): void => {
    let start = 0;
    for (let run = 0; run <= block.length; run++) {
      if (run < block.length && isMet(run)) continue;
      if (run > start) table.addSpan(block, start, run);
      count(run - start);
      start = run + 1;
    }
  };
  return {
    depth: table.depth,
    codeForTool: (tool) => table.codeForTool(tool),
    batch(batch, from, to) {
      let start = from;
      const ids = where.length === 0 ? [] : cutIds(batch.ids);
      for (let run = from; run < to && where.length > 0; run++) {
        const facts = factsIn(batch, run, ids[run] as string);
        if (meets(facts, where)) continue;
        unmet.see(facts);
        if (run > start) table.addBatch(batch, start, run);
        count(run - start);
        start = run + 1;
      }
      if (to > start) table.addBatch(batch, start, to);
      count(to - start);
    },
    run(run) {
      if (!meets(run, where)) return unmet.see(run);
      count(1);
      table.add(run);
    },
    block(packed, lines, part) {
      if (where.length === 0) {
        count(packed.rows.ids.lengths.length);
        table.unpack(packed, lines, part);
        return;
      }
      const block = createRunTable(table.depth);
      block.unpack(packed, lines);
      addThose(block, (run) => {
        const facts = block.facts(run);
        const isMet = meets(facts, where);
        if (!isMet) unmet.see(facts);
        return isMet;
      });
    },
  };
}
