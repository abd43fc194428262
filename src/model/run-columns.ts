import type { Chunk, PackedColumn } from './chunk.js';
import { createDictionary } from './dictionary.js';
import { growing } from './growing.js';
import { createIdColumn, type IdText } from './id-column.js';
import type { Run, Totals } from './run.js';
import type { RunBatch, RunFacts, RunSetting } from './run-batch.js';
import type { Span } from './run-draft.js';
import { createSettingColumns, type PackedSetting, packedSetting, unpackedSetting } from './setting-columns.js';

/** Everything of a run but its passes. */
export type RunRest = Omit<Run, 'passes'>;

/** Everything of a run but its passes, each part looked up when it is asked for: most walks ask for few. */
export class TableFacts implements RunRest {
  constructor(
    private readonly rows: RunColumns,
    protected row: number,
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
  /** The runs of other columns in [from, to). */
  addSpan(other: RunColumns, span: Span): void;
  hasNoTotals(index: number): boolean;
  /** The number of what it says beside id, place, start and passes: the same for runs that say the same, mostly. */
  setting(index: number): number;
  /** How many such numbers there are. */
  readonly settings: number;
  id(index: number): string;
  status(index: number): Run['status'];
  reason(index: number): string | null;
  check(index: number): Run['check'];
  claim(index: number): Run['claim'];
  labels(index: number): Run['labels'];
  startedAt(index: number): string | null;
  /** Since 1970. */
  startedMillis(index: number): number | null;
  recordedUnder(index: number): Run['recordedUnder'];
  totals(index: number): Totals | null;
  origin(index: number): Run['origin'];
  /** Nothing can be added afterwards, and every look is quick. */
  freeze(): void;
  /** The columns are empty afterwards. */
  pack(): PackedRuns;
  /** @param lines how many lines of the file come before those of the packed runs */
  unpack(packed: PackedRuns, lines: number): void;
}

/** Runs without their passes as another thread can be given them. */
export interface PackedRuns {
  readonly ids: IdText;
  readonly files: readonly string[];
  readonly file: PackedColumn;
  readonly line: PackedColumn;
  readonly startedAt: PackedColumn;
  /** What runs have in common, and which of it each has. */
  readonly settings: readonly PackedSetting[];
  readonly setting: PackedColumn;
}

export function createRunColumns(): RunColumns {
  const ids = createIdColumn();
  let settings = createSettingColumns();
  /** Numbers of the settings of batches, which are the same objects for many runs. */
  let given = new WeakMap<RunSetting, number>();
  const givenCode = (each: RunSetting): number => {
    const known = given.get(each);
    if (known !== undefined) return known;
    const code = settings.codeOf(each);
    given.set(each, code);
    return code;
  };
  const files = createDictionary();
  const setting = growing();
  const file = growing();
  const line = growing();
  const startedAt = growing();
  let sealed: Chunk = null;
  const settingAt = (index: number): number => (sealed === null ? setting.at(index) : sealed.values[index]) as number;
  return {
    get length() {
      return ids.length;
    },
    add(facts) {
      ids.push(facts.id);
      setting.push(settings.codeOf(facts));
      file.push(files.codeOf(facts.origin.file));
      line.push(facts.origin.line);
      startedAt.push(keptMillis(facts.startedMillis));
    },
    addBatch(batch, from, to) {
      const code = files.codeOf(batch.file);
      ids.append(batch.ids, from, to);
      for (let run = from; run < to; run++) {
        setting.push(givenCode(batch.setting(run)));
        file.push(code);
      }
      line.append(batch.line, from, to);
      startedAt.append(batch.startedMillis, from, to);
    },
    id: (index) => ids.at(index),
    addSpan(other, [from, to]) {
      for (let run = from; run < to; run++) {
        const { file: name, line: number } = other.origin(run);
        ids.push(other.id(run));
        setting.push(settings.codeOf(new TableFacts(other, run)));
        file.push(files.codeOf(name));
        line.push(number);
        startedAt.push(other.startedMillis(run));
      }
    },
    setting: settingAt,
    get settings() {
      return settings.length;
    },
    hasNoTotals: (index) => settings.totals(settingAt(index)) === null,
    status: (index) => settings.status(settingAt(index)),
    reason: (index) => settings.reason(settingAt(index)),
    check: (index) => settings.check(settingAt(index)),
    claim: (index) => settings.claim(settingAt(index)),
    labels: (index) => settings.labels(settingAt(index)),
    startedAt: (index) => isoOf(startedAt.at(index)),
    startedMillis: (index) => startedAt.at(index),
    recordedUnder: (index) => settings.recordedUnder(settingAt(index)),
    totals: (index) => settings.totals(settingAt(index)),
    freeze() {
      for (const column of [settings, file, line, startedAt]) column.freeze();
      sealed = setting.seal();
    },
    pack() {
      const packed: PackedRuns = {
        ids: ids.pack(),
        files: files.texts,
        file: file.pack(),
        line: line.pack(),
        startedAt: startedAt.pack(),
        settings: Array.from({ length: settings.length }, (_, code) => packedSetting(settings, code)),
        setting: setting.pack(),
      };
      settings = createSettingColumns();
      given = new WeakMap();
      return packed;
    },
    unpack(packed, lines) {
      ids.append(packed.ids, 0, packed.ids.lengths.length);
      const fileCodes = packed.files.map((name) => files.codeOf(name));
      const codes = packed.settings.map((each) => settings.codeOf(unpackedSetting(each)));
      file.unpackCodes(packed.file, fileCodes);
      line.unpackShifted(packed.line, lines);
      startedAt.unpack(packed.startedAt);
      setting.unpackCodes(packed.setting, codes);
    },
    origin: (index) => ({ file: files.textOf(file.at(index) as number), line: line.at(index) }),
  };
}

/** Times are kept to the millisecond, and from 1970 on. */
function keptMillis(millis: number | null): number | null {
  return millis !== null && millis >= 0 ? millis : null;
}

function isoOf(millis: number | null): string | null {
  return millis === null ? null : new Date(millis).toISOString();
}
