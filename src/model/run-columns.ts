import { createDictionary } from './dictionary.js';
import { growing, type PackedColumn } from './growing.js';
import { createMapColumn, type PackedMaps } from './map-column.js';
import type { Run, Totals } from './run.js';
import type { RunBatch } from './run-batch.js';
import { CHECKS, CLAIMS, STATUSES } from './status.js';

/** What a table keeps of a run beside its passes. */
export interface RunFacts
  extends Pick<Run, 'id' | 'status' | 'reason' | 'check' | 'claim' | 'labels' | 'recordedUnder' | 'totals' | 'origin'> {
  /** Since 1970; earlier ones are not kept. */
  readonly startedMillis: number | null;
}

/** Everything of a run but its passes. */
export type RunRest = Omit<Run, 'passes'>;

/** Everything of a run but its passes, each part looked up when it is asked for: most walks ask for few. */
export class TableFacts implements RunRest {
  constructor(
    private readonly rows: RunColumns,
    private readonly row: number,
  ) {}

  get id(): string {
    return this.rows.id(this.row);
  }
  get status(): Run['status'] {
    return this.rows.status(this.row);
  }
  get reason(): string | null {
    return this.rows.reason(this.row);
  }
  get check(): Run['check'] {
    return this.rows.check(this.row);
  }
  get claim(): Run['claim'] {
    return this.rows.claim(this.row);
  }
  get labels(): Run['labels'] {
    return this.rows.labels(this.row);
  }
  get startedAt(): string | null {
    return this.rows.startedAt(this.row);
  }
  get recordedUnder(): Run['recordedUnder'] {
    return this.rows.recordedUnder(this.row);
  }
  get totals(): Totals | null {
    return this.rows.totals(this.row);
  }
  get origin(): Run['origin'] {
    return this.rows.origin(this.row);
  }
  get blocker(): null {
    return null;
  }
  get evidence(): null {
    return null;
  }
  get extra(): null {
    return null;
  }
}

/** All parts at once, as an object of its own. */
export function allOf(facts: RunRest): RunRest {
  const { id, status, reason, check, claim, labels, startedAt, recordedUnder, totals, origin } = facts;
  return {
    ...{ id, status, reason, check, claim, blocker: null, evidence: null, labels, startedAt, recordedUnder, totals },
    ...{ extra: null, origin },
  };
}

/** The same of many runs, a column for each part. */
export interface RunColumns {
  readonly length: number;
  add(facts: RunFacts): void;
  /** The runs of a batch in [from, to). */
  addBatch(batch: RunBatch, from: number, to: number): void;
  hasNoTotals(index: number): boolean;
  id(index: number): string;
  status(index: number): Run['status'];
  reason(index: number): string | null;
  check(index: number): Run['check'];
  claim(index: number): Run['claim'];
  labels(index: number): Run['labels'];
  startedAt(index: number): string | null;
  recordedUnder(index: number): Run['recordedUnder'];
  totals(index: number): Totals | null;
  origin(index: number): Run['origin'];
  /** Nothing can be added afterwards, and every look is quick. */
  seal(): void;
  pack(): PackedRuns;
  /** @param lines how many lines of the file come before those of the packed runs */
  unpack(packed: PackedRuns, lines: number): void;
}

/** Runs without their passes as another thread can be given them. */
export interface PackedRuns {
  /** All ids in one text, and the length of each. */
  readonly ids: string;
  readonly idLengths: Uint32Array;
  readonly words: readonly string[];
  readonly columns: PackedFacts;
  readonly labels: PackedMaps;
  readonly caps: PackedMaps;
  readonly totals: readonly (Totals | null)[];
}

type PackedFacts = readonly [
  status: PackedColumn,
  check: PackedColumn,
  claim: PackedColumn,
  reason: PackedColumn,
  file: PackedColumn,
  line: PackedColumn,
  startedAt: PackedColumn,
];

export function createRunColumns(): RunColumns {
  let ids: string[] = [];
  const words = createDictionary();
  const codes = { status: growing(), check: growing(), claim: growing(), reason: growing() };
  const place = { file: growing(), line: growing(), startedAt: growing() };
  const labels = createMapColumn();
  const caps = createMapColumn();
  let totals: (Totals | null)[] = [];
  const codeOrNull = (text: string | null): number | null => (text === null ? null : words.codeOf(text));
  const textOrNull = (code: number | null): string | null => (code === null ? null : words.textOf(code));
  return {
    get length() {
      return ids.length;
    },
    add(facts) {
      ids.push(facts.id);
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
    addBatch(batch, from, to) {
      const file = words.codeOf(batch.file);
      for (let run = from; run < to; run++) {
        const setting = batch.setting(run);
        ids.push(batch.ids[run] as string);
        codes.status.push(STATUSES.indexOf(setting.status));
        codes.check.push(CHECKS.indexOf(setting.check));
        codes.claim.push(setting.claim === null ? null : CLAIMS.indexOf(setting.claim));
        codes.reason.push(codeOrNull(setting.reason));
        place.file.push(file);
        labels.add(setting.labels);
        caps.add(setting.recordedUnder);
        totals.push(setting.totals);
      }
      place.line.append(batch.line, from, to);
      place.startedAt.append(batch.startedMillis, from, to);
    },
    id: (index) => ids[index] as string,
    hasNoTotals: (index) => totals[index] === null,
    status: (index) => STATUSES[codes.status.at(index) as number] as Run['status'],
    reason: (index) => textOrNull(codes.reason.at(index)),
    check: (index) => CHECKS[codes.check.at(index) as number] as Run['check'],
    claim: (index) => CLAIMS[codes.claim.at(index) ?? CLAIMS.length] ?? null,
    labels: (index) => labels.at(index) as Run['labels'],
    startedAt: (index) => isoOf(place.startedAt.at(index)),
    recordedUnder: (index) => caps.at(index) as Run['recordedUnder'],
    totals: (index) => totals[index] ?? null,
    seal() {
      for (const column of [...Object.values(codes), ...Object.values(place), labels, caps]) column.seal();
    },
    pack() {
      const packed: PackedRuns = {
        ids: ids.join(''),
        idLengths: Uint32Array.from(ids, (id) => id.length),
        words: words.texts,
        columns: [
          codes.status.pack(),
          codes.check.pack(),
          codes.claim.pack(),
          codes.reason.pack(),
          place.file.pack(),
          place.line.pack(),
          place.startedAt.pack(),
        ],
        labels: labels.pack(),
        caps: caps.pack(),
        totals,
      };
      ids = [];
      totals = [];
      return packed;
    },
    unpack(packed, lines) {
      let start = 0;
      for (const length of packed.idLengths) {
        ids.push(packed.ids.slice(start, start + length));
        start += length;
      }
      const wordCodes = packed.words.map((word) => words.codeOf(word));
      const wordCode = (code: number): number => wordCodes[code] as number;
      const [status, check, claim, reason, file, line, startedAt] = packed.columns;
      codes.status.unpack(status);
      codes.check.unpack(check);
      codes.claim.unpack(claim);
      codes.reason.unpack(reason, wordCode);
      place.file.unpack(file, wordCode);
      place.line.unpack(line, (number) => lines + number);
      place.startedAt.unpack(startedAt);
      labels.unpack(packed.labels);
      caps.unpack(packed.caps);
      for (const each of packed.totals) totals.push(each);
    },
    origin: (index) => ({ file: words.textOf(place.file.at(index) as number), line: place.line.at(index) }),
  };
}

/** Times are kept to the millisecond, and from 1970 on. */
function keptMillis(millis: number | null): number | null {
  return millis !== null && millis >= 0 ? millis : null;
}

function isoOf(millis: number | null): string | null {
  return millis === null ? null : new Date(millis).toISOString();
}
