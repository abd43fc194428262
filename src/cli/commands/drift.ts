import type { Run } from '../../model/run.js';
import { drift } from '../../replay/drift.js';
import type { DriftSplit } from '../../replay/drift-result.js';
import { halfwayOf, splitAt, startsOf } from '../../replay/split-runs.js';
import { driftBlocks } from '../../report/drift-blocks.js';
import type { Action } from '../action.js';
import { CommandError, EXIT, usageError } from '../errors.js';
import { alarmRateOption, type GateOptions, momentIn } from '../gate-options.js';
import type { Io } from '../io.js';
import { loadRuns } from '../load.js';
import { deriveOptions, readOptions } from '../options.js';
import { loadPolicy } from '../policy-option.js';
import { printBlocks, printJson } from '../print.js';
import { loadOtherRuns } from '../two-sets.js';

/** `capfit drift`: whether runs have moved. */
export const driftCommand: Action = async (typed, raw: GateOptions, io) => {
  const isSplit = checkSets(typed, raw);
  const { p, padding, claimed, finishedOnly } = deriveOptions(raw);
  const alarmRate = alarmRateOption(raw.alarmRate);
  if (alarmRate === null) throw usageError('--alarm-rate off: drift is all that is asked here', 'for instance 5%');
  const at = raw.splitAt === undefined ? null : Date.parse(momentIn('--split-at', raw.splitAt));
  const policy = raw.policy === undefined ? null : await loadPolicy(raw.policy);
  const { old, fresh, split } = isSplit ? await splitSet(typed, raw, at, io) : await twoSets(typed, raw, io);
  const report = drift(old, fresh, { p, padding, claimed, finishedOnly, alarmRate, policy, split });
  if (raw.json === true) printJson(io, report);
  else await printBlocks(io, driftBlocks(report));
  // A gate that cannot tell has not passed.
  return raw.failOnDrift === true && report.moved !== false ? EXIT.no : EXIT.done;
};

interface Sets {
  readonly old: Iterable<Run>;
  readonly fresh: Iterable<Run>;
  readonly split: DriftSplit | null;
}

/** Whether one set is to be split. */
function checkSets(typed: readonly string[], raw: GateOptions): boolean {
  if (raw.splitAt !== undefined && raw.splitHalf === true) {
    throw usageError('--split-at and --split-half both say where to split', 'give one of them');
  }
  if (raw.splitAt !== undefined || raw.splitHalf === true) return true;
  if (typed.length === 2) return false;
  throw usageError(
    `drift compares two sets of runs, and ${typed.length === 1 ? 'one was' : `${typed.length} were`} named`,
    "for instance capfit drift old/ new/, or a glob in quotes: capfit drift 'old/*.jsonl' 'new/*.jsonl'; --split-at 2026-03-01 and --split-half make two of one",
  );
}

async function twoSets([old, fresh]: readonly string[], raw: GateOptions, io: Io): Promise<Sets> {
  const options = readOptions(raw);
  const before = await loadOtherRuns(old as string, options, io);
  const after = await loadOtherRuns(fresh as string, options, io);
  return { old: before.runs, fresh: after.runs, split: null };
}

/** @param at `null`: halfway */
async function splitSet(typed: readonly string[], raw: GateOptions, at: number | null, io: Io): Promise<Sets> {
  const { runs } = await loadRuns(typed, readOptions(raw), io);
  const starts = startsOf(runs);
  const [first, last] = [starts[0], starts.at(-1)];
  if (first === undefined || last === undefined) {
    throw new CommandError('no run says when it started, so the set cannot be split', 'name two sets', EXIT.no);
  }
  const moment = at ?? halfwayOf(runs);
  if (moment === null) throw new CommandError('all runs started at once: nothing to split', 'name two sets', EXIT.no);
  const { old, fresh, undated } = splitAt(runs, moment);
  if (old.length === 0 || fresh.length === 0) {
    throw new CommandError(
      `no run started ${old.length === 0 ? 'before' : 'from'} ${isoOf(moment)}${old.length === 0 ? '' : ' on'}`,
      `the runs started from ${isoOf(first)} to ${isoOf(last)}: split between`,
      EXIT.no,
    );
  }
  return { old, fresh, split: { at: isoOf(moment), by: at === null ? 'half' : 'date', undated } };
}

function isoOf(millis: number): string {
  return new Date(millis).toISOString();
}
