import { isTable, PassingFigures } from '../model/figures.js';
import type { Run } from '../model/run.js';
import type { RunTable } from '../model/table.js';
import { totalsOf } from '../model/totals.js';
import type { Policy } from '../policy/policy.js';
import { argumentsOfColumns } from './arguments.js';
import { type ColumnReplay, createColumnReplay } from './columns-replay.js';
import { streakOfColumns } from './columns-rules.js';
import { type Outcome, replayRun } from './replay.js';
import { type Counted, countedOf } from './tally.js';

/** One run and what each policy would have done to it. The run's figures are good until the next one is asked for. */
export interface Replayed {
  readonly counted: Counted;
  /** In the order of the policies. */
  readonly outcomes: readonly Outcome[];
}

/**
 * Replays runs under several policies. Runs of a table that are whole are bisected where they lie, without making their
 * passes anew; all others are walked. Both give the same outcomes.
 */
export function* replayAll(runs: Iterable<Run>, policies: readonly Policy[]): Generator<Replayed> {
  if (isTable(runs)) {
    yield* replayTable(runs, policies);
    return;
  }
  for (const run of runs) yield walked(run, policies);
}

function walked(run: Run, policies: readonly Policy[]): Replayed {
  return { counted: countedOf(run), outcomes: policies.map((policy) => replayRun(run, policy)) };
}

/**
 * The same where runs have policies of their own: each is replayed under those that are named for it, and left out
 * where that is `null`. Lists are known by themselves: the same list for the same runs.
 */
export function* replayEach(
  runs: Iterable<Run>,
  policiesOf: (run: Pick<Run, 'labels'>) => readonly Policy[] | null,
): Generator<Replayed> {
  if (isTable(runs)) {
    yield* replayTable(runs, policiesOf);
    return;
  }
  for (const run of runs) {
    const policies = policiesOf(run);
    if (policies !== null) yield walked(run, policies);
  }
}

function* replayTable(
  table: RunTable,
  given: readonly Policy[] | ((run: Pick<Run, 'labels'>) => readonly Policy[] | null),
): Generator<Replayed> {
  const columns = table.columns();
  const totals = totalsOf(columns);
  const replays = new Map<readonly Policy[], readonly ColumnReplay[]>();
  const replaysOf = (policies: readonly Policy[]): readonly ColumnReplay[] => {
    const known = replays.get(policies);
    if (known !== undefined) return known;
    const made = policies.map((policy) => createColumnReplay(columns, totals, policy));
    replays.set(policies, made);
    return made;
  };
  const streakOf = streakOfColumns(columns);
  const lacksArguments = argumentsOfColumns(columns);
  const counted = new PassingCounted(columns, totals);
  for (let run = 0; run < columns.runs; run++) {
    const policies = typeof given === 'function' ? given(columns.facts(run)) : given;
    if (policies === null) continue;
    if (!columns.isWhole(run)) {
      yield walked(table.at(run), policies);
      continue;
    }
    const { extent, status } = counted.at(run);
    counted.streak = streakOf(run);
    counted.lacksArguments = lacksArguments(run);
    yield { counted, outcomes: replaysOf(policies).map((replay) => replay(extent, status)) };
  }
}

class PassingCounted extends PassingFigures implements Counted {
  streak = 0;
  lacksArguments = false;
}
