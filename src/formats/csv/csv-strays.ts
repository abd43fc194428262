import { type TableRow, textOf } from './csv-table.js';

/** A run, as far as rows that name no run matter to it. */
export interface Neighbour {
  /** Whether such a row may have been its. */
  isDamaged: boolean;
}

/**
 * Whose the rows may have been that do not say of which run they are, or that could not be read at all. Where the rows of every run stand together they
 * are those of the run before or of the run after; else they may be any run's.
 */
export interface Strays<Run extends Neighbour> {
  /** Takes note of a row that is a run's. */
  see(run: Run, isNew: boolean): void;
  /** Takes note of a row that names no run, or of the place from which no row can be read. */
  miss(): void;
  /** Whether such a row may have been of a run, once all rows were seen. */
  mayMiss(run: Run): boolean;
}

export function createStrays<Run extends Neighbour>(): Strays<Run> {
  let latest: Run | null = null;
  let isBehindStray = false;
  let hasStray = false;
  let isGrouped = true;
  return {
    see(run, isNew) {
      if (!isNew && run !== latest) isGrouped = false;
      if (isBehindStray) run.isDamaged = true;
      isBehindStray = false;
      latest = run;
    },
    miss() {
      hasStray = true;
      isBehindStray = true;
      if (latest !== null) latest.isDamaged = true;
    },
    mayMiss: (run) => run.isDamaged || (hasStray && !isGrouped),
  };
}

/** The run that a row names; `null`: none, or no name that can be trusted, because the row is broken before or in it. */
export function runIdOf(row: TableRow): string | null {
  const id = textOf(row, 'run_id');
  const isSure = row.fault === null || (row.header.at.get('run_id') === 0 && id?.includes('\ufffd') === false);
  return isSure ? id : null;
}
