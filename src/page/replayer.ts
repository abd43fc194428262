import type { Run } from '../model/run.js';
import type { RunTable } from '../model/table.js';
import { type Extent, extentOf, totalsOf } from '../model/totals.js';
import { EMPTY_POLICY, type Policy } from '../policy/policy.js';
import { createColumnReplay } from '../replay/columns-replay.js';
import { type Outcome, replayRun } from '../replay/replay.js';
import { replayAll } from '../replay/replay-all.js';
import type { Counted } from '../replay/tally.js';

/** A run of the page with all that no policy changes, worked out once. */
export interface HeldRun {
  /** Its place in the table. */
  readonly index: number;
  readonly counted: Counted;
}

/** Replays the runs of a page, again and again. */
export interface Replayer {
  readonly runs: readonly HeldRun[];
  /** What a policy would have done to each run, in their order. */
  replay(policy: Policy, see: (run: HeldRun, outcome: Outcome) => void): void;
}

interface Kept extends HeldRun {
  /** Where it lies in the columns; `null`: it is walked. */
  readonly extent: Extent | null;
  readonly walked: Run | null;
}

/** The runs of a table made ready: `replayAll` gives the same outcomes, and looks all of it up each time. */
export function createReplayer(table: RunTable): Replayer {
  const columns = table.columns();
  const totals = totalsOf(columns);
  const runs: Kept[] = [];
  for (const { counted } of replayAll(table, [EMPTY_POLICY])) {
    const index = runs.length;
    const isWhole = columns.isWhole(index);
    runs.push({
      index,
      counted: plainOf(counted),
      extent: isWhole ? extentOf(columns, index) : null,
      walked: isWhole ? null : table.at(index),
    });
  }
  return {
    runs,
    replay(policy, see) {
      const replay = createColumnReplay(columns, totals, policy);
      for (const run of runs) {
        const outcome =
          run.extent === null ? replayRun(run.walked as Run, policy) : replay(run.extent, run.counted.status);
        see(run, outcome);
      }
    },
  };
}

/** Facts that are looked up in columns, as plain values. */
function plainOf(counted: Counted): Counted {
  const { id, status, check, claim, reason, labels, isZeroPass, streak, lacksArguments } = counted;
  const whole = { ...counted.whole };
  return {
    ...{ id, status, check, claim, reason, labels, isZeroPass, whole, streak, lacksArguments },
    ...{ blocker: null, evidence: null, startedAt: null, recordedUnder: counted.recordedUnder, totals: null },
    ...{ extra: null, origin: counted.origin },
  };
}
