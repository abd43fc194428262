import { createDictionary, growing } from './growing.js';
import { createPassColumns, type PassColumns } from './pass-columns.js';
import type { Run, Totals } from './run.js';
import type { RunDraft } from './run-draft.js';
import { CHECKS, CLAIMS, STATUSES } from './status.js';

/**
 * Many runs in typed arrays, about 20 bytes a pass, where the objects of a run take some 400. Iterating makes
 * the runs anew, one at a time, with what counting and replaying need: arguments and results come back as codes that
 * are equal exactly where the contents were, all tokens of a pass as input, times to the millisecond; from the first
 * pass on that lacks a figure, that figure is unknown. Blockers, evidence and unknown keys are not kept.
 */
export interface RunTable extends Iterable<Run> {
  readonly length: number;
  /** @throws Error once the table has been read as columns */
  add(run: Run): void;
  /**
   * The same for a run whose passes lie in a draft, `null`: not recorded. Its tools bear the codes of `codeForTool`.
   *
   * @throws Error once the table has been read as columns
   */
  addDraft(facts: RunFacts, draft: RunDraft | null): void;
  /** The code under which the table keeps a tool. */
  codeForTool(tool: string): number;
  /** The run of that index, made anew. */
  at(run: number): Run;
  /** The columns, for walks that touch no object. */
  columns(): Columns;
}

/** What a table keeps of a run beside its passes. */
export interface RunFacts
  extends Pick<Run, 'id' | 'status' | 'reason' | 'check' | 'claim' | 'labels' | 'recordedUnder' | 'totals' | 'origin'> {
  /** Since 1970; earlier ones are not kept. */
  readonly startedMillis: number | null;
}

/** A table as it lies in memory. */
export interface Columns {
  readonly runs: number;
  readonly passes: PassColumns;
  /** Indexes of the first pass and the first call of a run; of the one behind the last where `run` is the number of runs. */
  firstPass(run: number): number;
  firstCall(run: number): number;
  /** Whether passes were recorded. */
  hasPasses(run: number): boolean;
  /** Whether the passes kept are all that the run made, and no totals stand beside them. */
  isWhole(run: number): boolean;
  /** Everything of a run but its passes. */
  facts(run: number): Omit<Run, 'passes'>;
}

export function createRunTable(): RunTable {
  const ids: string[] = [];
  const rows = createRunColumns();
  const passes = createPassColumns();
  const firstPass = growing();
  const firstCall = growing();
  const hasPasses = growing();
  const startOf = (starts: typeof firstPass, run: number, end: number): number =>
    run < ids.length ? (starts.at(run) as number) : end;
  const columns: Columns = {
    get runs() {
      return ids.length;
    },
    passes,
    firstPass: (run) => startOf(firstPass, run, passes.length),
    firstCall: (run) => startOf(firstCall, run, passes.calls.length),
    hasPasses: (run) => hasPasses.at(run) === 1,
    isWhole: (run) => hasPasses.at(run) === 1 && rows.hasNoTotals(run),
    facts: (run) => ({ id: ids[run] as string, ...rows.at(run) }),
  };
  const at = (run: number): Run => {
    const hasNone = hasPasses.at(run) === null;
    const [from, to, call] = [columns.firstPass(run), columns.firstPass(run + 1), columns.firstCall(run)];
    return { ...columns.facts(run), passes: hasNone ? null : passes.slice(from, to, call) };
  };
  return {
    get length() {
      return ids.length;
    },
    at,
    add(run) {
      ids.push(run.id);
      rows.add({ ...run, startedMillis: run.startedAt === null ? null : Date.parse(run.startedAt) });
      firstPass.push(passes.length);
      firstCall.push(passes.calls.length);
      hasPasses.push(run.passes === null ? null : 1);
      passes.addRun(run.passes ?? []);
    },
    addDraft(facts, draft) {
      ids.push(facts.id);
      rows.add(facts);
      firstPass.push(passes.length);
      firstCall.push(passes.calls.length);
      hasPasses.push(draft === null ? null : 1);
      if (draft !== null) passes.addDraft(draft);
    },
    codeForTool: (tool) => passes.calls.codeForTool(tool),
    columns: () => columns,
    *[Symbol.iterator]() {
      for (let run = 0; run < ids.length; run++) yield at(run);
    },
  };
}

type RunRest = Omit<Run, 'id' | 'passes'>;

interface RunColumns {
  add(facts: RunFacts): void;
  hasNoTotals(index: number): boolean;
  at(index: number): RunRest;
}

/** Everything of a run but its id and passes. */
function createRunColumns(): RunColumns {
  const words = createDictionary();
  const codes = { status: growing(), check: growing(), claim: growing(), reason: growing() };
  const place = { file: growing(), line: growing(), startedAt: growing() };
  const labels = createMapColumn();
  const caps = createMapColumn();
  const totals: (Totals | null)[] = [];
  const codeOrNull = (text: string | null): number | null => (text === null ? null : words.codeOf(text));
  const textOrNull = (code: number | null): string | null => (code === null ? null : words.textOf(code));
  return {
    add(facts) {
      codes.status.push(STATUSES.indexOf(facts.status));
      codes.check.push(CHECKS.indexOf(facts.check));
      codes.claim.push(facts.claim === null ? null : CLAIMS.indexOf(facts.claim));
      codes.reason.push(codeOrNull(facts.reason));
      place.file.push(words.codeOf(facts.origin.file));
      place.line.push(facts.origin.line);
      place.startedAt.push(keptMillis(facts.startedMillis));
      labels.add(facts.labels);
      caps.add(facts.recordedUnder);
      totals.push(facts.totals);
    },
    hasNoTotals: (index) => totals[index] === null,
    at: (index) => ({
      status: STATUSES[codes.status.at(index) as number] as Run['status'],
      reason: textOrNull(codes.reason.at(index)),
      check: CHECKS[codes.check.at(index) as number] as Run['check'],
      claim: CLAIMS[codes.claim.at(index) ?? CLAIMS.length] ?? null,
      blocker: null,
      evidence: null,
      labels: labels.at(index) as Run['labels'],
      startedAt: isoOf(place.startedAt.at(index)),
      recordedUnder: caps.at(index) as Run['recordedUnder'],
      totals: totals[index] ?? null,
      extra: null,
      origin: { file: words.textOf(place.file.at(index) as number), line: place.line.at(index) },
    }),
  };
}

/** Times are kept to the millisecond, and from 1970 on. */
function keptMillis(millis: number | null): number | null {
  return millis !== null && millis >= 0 ? millis : null;
}

function isoOf(millis: number | null): string | null {
  return millis === null ? null : new Date(millis).toISOString();
}

interface MapColumn {
  add(map: ReadonlyMap<string, string | number>): void;
  at(index: number): ReadonlyMap<string, string | number>;
}

/**
 * Small maps with few distinct keys: the keys that occur together are held once, the values as codes. A map that is given
 * again is known by itself.
 */
function createMapColumn(): MapColumn {
  const shapes = createDictionary();
  const keysOf: string[][] = [];
  const values = new Map<string | number, number>();
  const texts: (string | number)[] = [];
  const shape = growing();
  const first = growing();
  const codes = growing();
  const places = new WeakMap<ReadonlyMap<string, string | number>, number>();
  const valueCode = (value: string | number): number => {
    const code = values.get(value) ?? texts.push(value) - 1;
    values.set(value, code);
    return code;
  };
  return {
    add(map) {
      const place = places.get(map);
      if (place !== undefined) {
        shape.push(shape.at(place));
        first.push(first.at(place));
        return;
      }
      places.set(map, shape.length);
      const keys = [...map.keys()];
      const code = shapes.codeOf(JSON.stringify(keys));
      keysOf[code] ??= keys;
      shape.push(code);
      first.push(codes.length);
      for (const value of map.values()) codes.push(valueCode(value));
    },
    at: (index) => {
      const keys = keysOf[shape.at(index) as number] ?? [];
      const start = first.at(index) as number;
      return new Map(keys.map((key, at) => [key, texts[codes.at(start + at) as number] as string | number]));
    },
  };
}
