import { createDictionary } from '../model/dictionary.js';
import { type Growing, growing } from '../model/growing.js';
import type { Run } from '../model/run.js';
import { CHECKS, type Check, CLAIMS, type Claim, STATUSES, type Status } from '../model/status.js';
import { type Facts, factsOf, NO_FACTS } from './audit-facts.js';

/** What the audit keeps of a run. */
export interface AuditRow extends Facts {
  readonly id: string;
  readonly file: string;
  readonly status: Status;
  readonly reason: string | null;
  readonly check: Check;
  readonly claim: Claim | null;
  /** The values of the labels that runs are grouped by, as JSON. */
  readonly group: string;
  /** Id of the run that started this one, as the reader labels a sub-agent. */
  readonly parent: string | null;
  /** What contradicts the passes, as the reader labels it. */
  readonly conflict: string | null;
}

/** Rows of many runs in typed arrays: the same few numbers for each, however many passes it made. */
export interface AuditRows extends Iterable<AuditRow> {
  readonly length: number;
  add(run: Run, group: string): void;
  /** Files that the runs came from, each once. */
  files(): Iterable<string>;
}

export function createAuditRows(): AuditRows {
  const ids: string[] = [];
  const files = new Set<string>();
  const facts = createFactColumns();
  const words = createWordColumns();
  const rowAt = (index: number): AuditRow => {
    const row: Writable = { ...TEMPLATE };
    row.id = ids[index] as string;
    facts.fill(row, index);
    words.fill(row, index);
    return row;
  };
  return {
    get length() {
      return ids.length;
    },
    add(run, group) {
      ids.push(run.id);
      files.add(run.origin.file);
      facts.add(factsOf(run));
      words.add(run, group);
    },
    files: () => files,
    *[Symbol.iterator]() {
      for (let index = 0; index < ids.length; index++) yield rowAt(index);
    },
  };
}

type Writable = { -readonly [name in keyof AuditRow]: AuditRow[name] };

/** Copies of one object share its layout: many times faster to fill and to read than objects built field by field. */
const TEMPLATE: AuditRow = {
  ...NO_FACTS,
  id: '',
  file: '',
  status: 'running',
  reason: null,
  check: 'none',
  claim: null,
  group: '',
  parent: null,
  conflict: null,
};

/** One column for each number. */
function createFactColumns(): { add(facts: Facts): void; fill(row: Writable, index: number): void } {
  const columns = (Object.keys(NO_FACTS) as (keyof Facts)[]).map((name) => [name, growing()] as const);
  return {
    add(facts) {
      for (const [name, column] of columns) column.push(facts[name]);
    },
    fill(row, index) {
      const numbers: { -readonly [name in keyof Facts]: number | null } = row;
      for (const [name, column] of columns) numbers[name] = column.at(index);
    },
  };
}

/** Words as codes: each distinct one is held once. */
function createWordColumns(): { add(run: Run, group: string): void; fill(row: Writable, index: number): void } {
  const words = createDictionary();
  const enumerated = { status: growing(), check: growing(), claim: growing() };
  const coded = { file: growing(), reason: growing(), group: growing(), parent: growing(), conflict: growing() };
  const push = (column: Growing, text: string | null): void => column.push(text === null ? null : words.codeOf(text));
  const textAt = (column: Growing, index: number): string | null => {
    const code = column.at(index);
    return code === null ? null : words.textOf(code);
  };
  return {
    add(run, group) {
      enumerated.status.push(STATUSES.indexOf(run.status));
      enumerated.check.push(CHECKS.indexOf(run.check));
      enumerated.claim.push(run.claim === null ? null : CLAIMS.indexOf(run.claim));
      push(coded.file, run.origin.file);
      push(coded.reason, run.reason);
      push(coded.group, group);
      push(coded.parent, run.labels.get('parent') ?? run.labels.get('parent_run') ?? null);
      push(coded.conflict, run.labels.get('conflict') ?? null);
    },
    fill(row, index) {
      row.status = STATUSES[enumerated.status.at(index) as number] as Status;
      row.check = CHECKS[enumerated.check.at(index) as number] as Check;
      row.claim = CLAIMS[enumerated.claim.at(index) ?? CLAIMS.length] ?? null;
      row.file = textAt(coded.file, index) ?? '';
      row.reason = textAt(coded.reason, index);
      row.group = textAt(coded.group, index) ?? '';
      row.parent = textAt(coded.parent, index);
      row.conflict = textAt(coded.conflict, index);
    },
  };
}

/** Whether the record ends as a success of any kind: verified, or by the agent's own word. */
export function isDone(row: AuditRow): boolean {
  return row.status === 'done_verified' || row.status === 'done_claimed';
}
