import { createCallColumns } from './call-columns.js';
import { createDictionary, growing } from './growing.js';
import type { Pass, Run, Totals } from './run.js';
import { CHECKS, CLAIMS, STATUSES } from './status.js';

/**
 * Many runs in typed arrays, about 20 bytes a pass, where the objects of a run take some 400. Iterating makes
 * the runs anew, one at a time, with what counting and replaying need: arguments and results come back as codes that
 * are equal exactly where the contents were, times to the millisecond; cache shares, blockers, evidence and unknown
 * keys are not kept.
 */
export interface RunTable extends Iterable<Run> {
  readonly length: number;
  add(run: Run): void;
}

export function createRunTable(): RunTable {
  const ids: string[] = [];
  const rows = createRunColumns();
  const passes = createPassColumns();
  const firstPass = growing();
  const firstCall = growing();
  const hasPasses = growing();
  return {
    get length() {
      return ids.length;
    },
    add(run) {
      ids.push(run.id);
      rows.add(run);
      firstPass.push(passes.length);
      firstCall.push(passes.calls);
      hasPasses.push(run.passes === null ? null : 1);
      passes.beginRun();
      for (const pass of run.passes ?? []) passes.add(pass);
    },
    *[Symbol.iterator]() {
      for (let index = 0; index < ids.length; index++) {
        const from = firstPass.at(index) as number;
        const to = index + 1 < ids.length ? (firstPass.at(index + 1) as number) : passes.length;
        const made = hasPasses.at(index) === null ? null : passes.slice(from, to, firstCall.at(index) as number);
        yield { id: ids[index] as string, passes: made, ...rows.at(index) };
      }
    },
  };
}

type RunRest = Omit<Run, 'id' | 'passes'>;

interface RunColumns {
  add(run: Run): void;
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
    add(run) {
      codes.status.push(STATUSES.indexOf(run.status));
      codes.check.push(CHECKS.indexOf(run.check));
      codes.claim.push(run.claim === null ? null : CLAIMS.indexOf(run.claim));
      codes.reason.push(codeOrNull(run.reason));
      place.file.push(words.codeOf(run.origin.file));
      place.line.push(run.origin.line);
      place.startedAt.push(millisOf(run.startedAt));
      labels.add(run.labels);
      caps.add(run.recordedUnder);
      totals.push(run.totals);
    },
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
function millisOf(time: string | null): number | null {
  const millis = time === null ? Number.NaN : Date.parse(time);
  return millis >= 0 ? millis : null;
}

function isoOf(millis: number | null): string | null {
  return millis === null ? null : new Date(millis).toISOString();
}

interface MapColumn {
  add(map: ReadonlyMap<string, string | number>): void;
  at(index: number): ReadonlyMap<string, string | number>;
}

/** Small maps with few distinct keys: the keys that occur together are held once, the values as codes. */
function createMapColumn(): MapColumn {
  const shapes = createDictionary();
  const keysOf: string[][] = [];
  const values = new Map<string | number, number>();
  const texts: (string | number)[] = [];
  const shape = growing();
  const first = growing();
  const codes = growing();
  const valueCode = (value: string | number): number => {
    const code = values.get(value) ?? texts.push(value) - 1;
    values.set(value, code);
    return code;
  };
  return {
    add(map) {
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

interface PassColumns {
  readonly length: number;
  /** How many calls all passes made together. */
  readonly calls: number;
  /** Codes of contents are told apart within a run only. */
  beginRun(): void;
  add(pass: Pass): void;
  /** @param call index of the first call of the first of these passes */
  slice(from: number, to: number, call: number): Pass[];
}

function createPassColumns(): PassColumns {
  const columns = { input: growing(), output: growing(), micros: growing(), nanos: growing(), steps: growing() };
  const calls = createCallColumns();
  const callsMade = growing();
  const at = (index: number, firstCall: number, made: number): Pass => ({
    inputTokens: columns.input.at(index),
    outputTokens: columns.output.at(index),
    cacheReadTokens: null,
    cacheWriteTokens: null,
    micros: columns.micros.at(index),
    nanos: columns.nanos.at(index),
    steps: columns.steps.at(index),
    model: null,
    calls: calls.slice(firstCall, firstCall + made),
  });
  return {
    get length() {
      return callsMade.length;
    },
    get calls() {
      return calls.length;
    },
    beginRun: calls.beginRun,
    add(pass) {
      columns.input.push(pass.inputTokens);
      columns.output.push(pass.outputTokens);
      columns.micros.push(pass.micros);
      columns.nanos.push(pass.nanos);
      columns.steps.push(pass.steps);
      callsMade.push(pass.calls.length);
      for (const call of pass.calls) calls.add(call);
    },
    slice(from, to, call) {
      const passes: Pass[] = [];
      let next = call;
      for (let index = from; index < to; index++) {
        const made = callsMade.at(index) as number;
        passes.push(at(index, next, made));
        next += made;
      }
      return passes;
    },
  };
}
