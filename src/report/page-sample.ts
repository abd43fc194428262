import { createRunTable, type RunTable } from '../model/table.js';

/**
 * At most so many runs of a table, in their order. Where there are more, each stratum (status, check and reason) keeps
 * its share, drawn evenly along the table, and no stratum goes unheard.
 *
 * @returns a table that can be packed
 */
export function heldOnPage(table: RunTable, most: number): RunTable {
  const held = createRunTable();
  for (const run of table.length <= most ? indexes(table.length) : drawn(table, most)) {
    // Where a run was read from is nobody's business but ours.
    held.add({ ...table.at(run), origin: NOWHERE });
  }
  return held;
}

const NOWHERE = { file: '', line: null } as const;

function indexes(length: number): number[] {
  return Array.from({ length }, (_, at) => at);
}

function drawn(table: RunTable, most: number): number[] {
  const strata = new Map<string, number[]>();
  for (let run = 0; run < table.length; run++) {
    const { status, check, reason } = table.facts(run);
    const name = JSON.stringify([status, check, reason]);
    const stratum = strata.get(name) ?? [];
    strata.set(name, stratum);
    stratum.push(run);
  }
  return [...strata.values()]
    .flatMap((stratum) => evenly(stratum, Math.max(1, Math.floor((stratum.length * most) / table.length))))
    .sort((one, other) => one - other);
}

/** So many of a list, as far apart as can be. */
function evenly(all: readonly number[], count: number): number[] {
  return Array.from({ length: count }, (_, at) => all[Math.floor(((at + 0.5) * all.length) / count)] as number);
}
