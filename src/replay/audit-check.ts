import { numberText } from '../model/decimal-text.js';
import { plural } from '../model/words.js';
import type { Finding } from './audit-result.js';
import type { AuditRow } from './audit-rows.js';

/** Looks at the runs of a set one by one, then says what it found. */
export interface AuditCheck {
  see(row: AuditRow): void;
  findings(): Finding[];
}

/** Ids that a finding names at most. */
export const MOST_IDS = 10;

/** A count of runs with the ids of the first few. */
export interface Hits {
  readonly count: number;
  readonly ids: readonly string[];
}

/** Counts runs, and keeps the ids of the first few. */
export function createHits(): Hits & { add(id: string): void } {
  const ids: string[] = [];
  let count = 0;
  return {
    get count() {
      return count;
    },
    ids,
    add(id) {
      if (count++ < MOST_IDS) ids.push(id);
    },
  };
}

/** A finding that each run shows or does not show by itself. */
export interface RunFault extends Pick<Finding, 'code' | 'severity' | 'hint'> {
  /** Runs among which it is looked for; absent: all. */
  readonly among?: (row: AuditRow) => boolean;
  readonly isFault: (row: AuditRow) => boolean;
  readonly message: (count: number, among: number) => string;
}

/** The check that counts runs with a fault. */
export function checkEach({ code, severity, hint, among = () => true, isFault, message }: RunFault): AuditCheck {
  const hits = createHits();
  let looked = 0;
  return {
    see(row) {
      if (!among(row)) return;
      looked++;
      if (isFault(row)) hits.add(row.id);
    },
    findings: () =>
      hits.count === 0
        ? []
        : [{ severity, code, message: message(hits.count, looked), hint, count: hits.count, ids: hits.ids }],
  };
}

/** A count as a sentence shows it. */
export function counted(count: number): string {
  return numberText(count);
}

/** `3 of 1,200 runs`. */
export function outOf(count: number, among: number, noun = 'run'): string {
  return `${counted(count)} of ${plural(among, noun)}`;
}
