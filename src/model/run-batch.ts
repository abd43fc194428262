import type { IdText } from './id-column.js';
import type { Run } from './run.js';
import type { DraftFigures } from './run-draft.js';

/** What a table keeps of a run beside its passes. */
export interface RunFacts
  extends Pick<Run, 'id' | 'status' | 'reason' | 'check' | 'claim' | 'labels' | 'recordedUnder' | 'totals' | 'origin'> {
  /** Since 1970; earlier ones are not kept. */
  readonly startedMillis: number | null;
}

/** What many runs have in common. */
export type RunSetting = Pick<
  RunFacts,
  'status' | 'reason' | 'check' | 'claim' | 'labels' | 'recordedUnder' | 'totals'
>;

/** Many runs on their way into columns, without an object a run. Overwritten by the next ones. */
export interface RunBatch {
  readonly runs: number;
  readonly file: string;
  readonly ids: IdText;
  // Arrays with one number a run; what is below 0 is unknown.
  readonly line: Float64Array;
  readonly startedMillis: Float64Array;
  /** 1: its passes were recorded. */
  readonly hasPasses: Float64Array;
  /** How many passes and calls it has. */
  readonly passes: Float64Array;
  readonly calls: Float64Array;
  /** Each pass has a row of figures, or each run that made any has one: what it came to behind its last pass. */
  readonly keepsLast: boolean;
  /** How many rows of figures and of calls come before its own, with those of all behind the last one. */
  readonly firstRow: Float64Array;
  readonly firstCall: Float64Array;
  setting(run: number): RunSetting;
  /** The rows of all of them, one run behind the other. */
  readonly figures: DraftFigures;
}

/**
 * What a table keeps of a run beside its passes, as an object.
 *
 * @param id the run's
 */
export function factsIn(batch: RunBatch, run: number, id: string): RunFacts {
  const startedMillis = batch.startedMillis[run] as number;
  return {
    ...batch.setting(run),
    id,
    startedMillis: startedMillis < 0 ? null : startedMillis,
    origin: { file: batch.file, line: lineIn(batch, run) },
  };
}

/** The line that a run of a batch stands on, `null`: its file has none. */
function lineIn({ line }: RunBatch, run: number): number | null {
  const known = line[run] as number;
  return known < 0 ? null : known;
}
