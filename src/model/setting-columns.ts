import { createDictionary } from './dictionary.js';
import { growing } from './growing.js';
import { createMapColumn } from './map-column.js';
import type { Run } from './run.js';
import type { RunSetting } from './run-batch.js';

/** What runs say of themselves beside id, place, start and passes: kept once for all that say the same. */
export interface SettingColumns {
  readonly length: number;
  /** The number of a setting: that of an equal one, unless there are very many. */
  codeOf(setting: RunSetting): number;
  status(code: number): Run['status'];
  reason(code: number): string | null;
  check(code: number): Run['check'];
  claim(code: number): Run['claim'];
  labels(code: number): Run['labels'];
  recordedUnder(code: number): Run['recordedUnder'];
  totals(code: number): Run['totals'];
  /** Nothing can be added afterwards, and every look is quick. */
  freeze(): void;
}

/** A setting of nothing but texts, numbers and lists, as another thread or a page can be given it. */
export interface PackedSetting extends Omit<RunSetting, 'labels' | 'recordedUnder'> {
  readonly labels: readonly (readonly [string, string])[];
  readonly recordedUnder: readonly (readonly [string, number])[];
}

export function packedSetting(settings: SettingColumns, code: number): PackedSetting {
  return {
    status: settings.status(code),
    reason: settings.reason(code),
    check: settings.check(code),
    claim: settings.claim(code),
    labels: [...settings.labels(code)],
    recordedUnder: [...settings.recordedUnder(code)],
    totals: settings.totals(code),
  };
}

export function unpackedSetting({ labels, recordedUnder, ...words }: PackedSetting): RunSetting {
  return { ...words, labels: new Map(labels), recordedUnder: new Map(recordedUnder) };
}

/** So many are looked up; beyond that they are each run's own. */
const MOST_SHARED = 4096;

export function createSettingColumns(): SettingColumns {
  const reasons = createDictionary();
  const reasonCodes = growing();
  // Asked of every run over and over: an array each, not a look into codes.
  const statuses: Run['status'][] = [];
  const checks: Run['check'][] = [];
  const claims: Run['claim'][] = [];
  const labels = createMapColumn();
  const caps = createMapColumn();
  const totals: Run['totals'][] = [];
  const known = new Map<string, number>();
  const labelCode = createMapCodes();
  const capCode = createMapCodes();
  const add = (setting: RunSetting): number => {
    statuses.push(setting.status);
    checks.push(setting.check);
    claims.push(setting.claim);
    reasonCodes.push(setting.reason === null ? null : reasons.codeOf(setting.reason));
    labels.add(setting.labels);
    caps.add(setting.recordedUnder);
    return totals.push(setting.totals) - 1;
  };
  const codeOf = (setting: RunSetting): number => {
    const { status, check, claim, reason } = setting;
    const [label, cap] = [labelCode(setting.labels), capCode(setting.recordedUnder)];
    if (setting.totals !== null || label === null || cap === null) return add(setting);
    const key = `${status} ${check} ${claim} ${label} ${cap} ${reason === null ? '' : `=${reason}`}`;
    const code = known.get(key) ?? add(setting);
    if (known.size < MOST_SHARED) known.set(key, code);
    return code;
  };
  return {
    get length() {
      return totals.length;
    },
    codeOf,
    status: (code) => statuses[code] as Run['status'],
    reason(code) {
      const reason = reasonCodes.at(code);
      return reason === null ? null : reasons.textOf(reason);
    },
    check: (code) => checks[code] as Run['check'],
    claim: (code) => claims[code] ?? null,
    labels: (code) => labels.at(code) as Run['labels'],
    recordedUnder: (code) => caps.at(code) as Run['recordedUnder'],
    totals: (code) => totals[code] ?? null,
    freeze() {
      for (const column of [reasonCodes, labels, caps]) column.freeze();
    },
  };
}

type SmallMap = ReadonlyMap<string, string | number>;

/** Numbers for maps, the same where they hold the same in the same order; `null`: there are too many to tell. */
function createMapCodes(): (map: SmallMap) => number | null {
  const given = new WeakMap<SmallMap, number>();
  const known = new Map<string, number>();
  return (map) => {
    const code = given.get(map);
    if (code !== undefined) return code;
    const content = JSON.stringify([...map]);
    const found = known.get(content) ?? (known.size < MOST_SHARED ? known.size : null);
    if (found === null) return null;
    known.set(content, found);
    given.set(map, found);
    return found;
  };
}
