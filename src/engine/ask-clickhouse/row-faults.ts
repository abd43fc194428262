import { CHECKS, CLAIMS, STATUSES, statusCheckConflict } from '../../model/status.js';
import { textsSql } from './words.js';

/*
 * What no recording holds, and what a pass table may hold all the same: whoever fills it twice, or writes a view over
 * spans, is told by nobody else.
 */

/** What may be wrong with a run. */
export interface RowFault {
  /** A condition: of one row, or of a run by the columns of RUN_COLUMNS. */
  readonly holds: string;
  readonly of: 'row' | 'run';
  /** What is said of a run, after its id. @param detail by the names of DETAILS */
  readonly says: (detail: Details) => string;
  readonly hint: string;
}

/** Of the run that is named: as text. */
export type Details = Readonly<Record<(typeof DETAILS)[number], string>>;
export const DETAILS = ['r_at', 'r_status', 'r_verdict', 'r_claim'] as const;

/** What a double counts exactly. */
const MOST = Number.MAX_SAFE_INTEGER;

const FILL_HINT = 'fill the table once: TRUNCATE it first; run ids must be unique in it';
const SAME_HINT = `every row of a run repeats what is known of the run; is it one run? ${FILL_HINT}`;
const VALUE_HINT = 'correct the rows, or the view: sql/clickhouse/pass-table.sql says what each column holds';

const PASS = 'ifNull(toInt64(pass), -1)';
const RECORDED = 'ifNull(toInt64(passes_recorded), -1)';
const textOf = (column: string): string => `ifNull(toString(${column}), '')`;
const numberOf = (column: string): string => `ifNull(toInt64(${column}), -1)`;
/** The word of a row if it is none of these. */
const strange = (column: string, words: readonly string[]): string =>
  `if(has(${textsSql(words)}, ${textOf(column)}), '', concat('=', ${textOf(column)}))`;

const TOTALS = ['total_passes', 'total_tokens', 'total_microseconds', 'total_nanodollars'];
const UNDER = ['passes', 'tokens', 'microseconds', 'nanodollars', 'steps'].map((limit) => `recorded_under_${limit}`);
const AMOUNTS = ['input_tokens', 'output_tokens', 'microseconds', 'nanodollars', 'steps'];

/** What the rows of a run must have in common, each as one number. Labels are the same in any order. */
const COMMON: Readonly<Record<string, string>> = {
  run_order: numberOf('run_order'),
  'status, verdict, claim or reason': `cityHash64(${['status', 'verdict', 'claim', 'reason'].map(textOf).join(', ')})`,
  labels:
    'arraySum((n, v) -> cityHash64(n, v), `labels.name`, arrayResize(`labels.value`, length(`labels.name`))) + length(`labels.name`)',
  totals: `cityHash64(${TOTALS.map(numberOf).join(', ')})`,
  recorded_under: `cityHash64(${UNDER.map(numberOf).join(', ')})`,
  passes_recorded: RECORDED,
  started_at: `cityHash64(${textOf('started_at')})`,
};

/** Counters whose sum over a run must stay exact. A sum of doubles passes the limit where the exact one does. */
const SUMS: Readonly<Record<string, string>> = {
  tokens: 'toFloat64(ifNull(input_tokens, 0)) + toFloat64(ifNull(output_tokens, 0))',
  microseconds: 'toFloat64(ifNull(microseconds, 0))',
  nanodollars: 'toFloat64(ifNull(nanodollars, 0))',
  steps: 'toFloat64(ifNull(steps, 0))',
};

/** What is gathered of each run, beside the faults of its rows. */
export const RUN_COLUMNS: Readonly<Record<string, string>> = {
  r_id: textOf('run_id'),
  r_zeros: `countIf(${PASS} = 0)`,
  r_passes: `arraySort(groupArrayIf(${PASS}, ${PASS} > 0))`,
  ...Object.fromEntries(
    Object.values(COMMON).map((value, index): [string, string] => [
      `r_differ_${index}`,
      `min(${value}) != max(${value})`,
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(SUMS).map(([name, value]): [string, string] => [`r_sum_${name}`, `sum(${value})`]),
  ),
  r_status: `max(${strange('status', STATUSES)})`,
  r_verdict: `max(${strange('verdict', CHECKS)})`,
  r_claim: `max(${strange('claim', ['', ...CLAIMS])})`,
};

/** The first place whose pass has another number, 0 where none has. */
export const FIRST_WRONG = 'toInt64(arrayFirstIndex((p, i) -> p != i, r_passes, arrayEnumerate(r_passes)))';

function row(holds: string, says: string, hint: string = VALUE_HINT): RowFault {
  return { of: 'row', holds, says: () => says, hint };
}

function ofRun(holds: string, says: RowFault['says'], hint: string): RowFault {
  return { of: 'run', holds, says, hint };
}

function word(column: 'status' | 'verdict' | 'claim', words: readonly string[]): RowFault {
  const says = (detail: Details): string => `has the ${column} ${quoted(detail[`r_${column}`].slice(1))}`;
  return ofRun(`r_${column} != ''`, says, `${column} is one of ${words.join(', ')}`);
}

function conflicts(): RowFault[] {
  const pairs = STATUSES.flatMap((status) => CHECKS.map((check) => [status, check] as const));
  return pairs
    .filter(([status, check]) => statusCheckConflict(status, check) !== null)
    .map(([status, check]) =>
      row(
        `${textOf('status')} = '${status}' AND ${textOf('verdict')} = '${check}'`,
        `has status ${status} with verdict ${check}`,
        'done_verified is a run whose verdict is passed, done_claimed one whose verdict is failed or none',
      ),
    );
}

function unequal(...columns: readonly string[]): string {
  const [first, ...others] = columns.map((column) => `length(\`${column}\`)`);
  return others.map((other) => `${first} != ${other}`).join(' OR ');
}

/** All that is looked for; what is said first comes first. */
export const ROW_FAULTS: readonly RowFault[] = [
  row(`${textOf('run_id')} = ''`, 'has no run_id', 'every run needs an id of its own'),
  ofRun('r_at > 0 AND r_passes[r_at] < r_at', ({ r_at }) => `has pass ${Number(r_at) - 1} twice`, FILL_HINT),
  ofRun('r_zeros > 1', () => 'has pass 0 twice', FILL_HINT),
  ofRun('r_zeros > 0 AND notEmpty(r_passes)', () => 'has pass 0 beside other passes', FILL_HINT),
  ...Object.keys(COMMON).map((name, index) =>
    ofRun(`r_differ_${index}`, () => `has rows that disagree in ${name}`, SAME_HINT),
  ),
  ofRun(
    'r_at > 0 AND r_passes[r_at] > r_at',
    ({ r_at }) => `has no pass ${r_at}`,
    'the passes of a run are numbered 1, 2, 3 …; a run of which none is recorded by itself has one row with pass 0',
  ),
  row(`${PASS} < 0`, 'has a pass that is not numbered from 0'),
  row(`${numberOf('run_order')} < 0 OR ${numberOf('run_order')} > ${MOST}`, 'has no run_order from 0 to 2^53'),
  word('status', STATUSES),
  word('verdict', CHECKS),
  word('claim', [...CLAIMS, "or ''"]),
  ...conflicts(),
  row(`${RECORDED} NOT IN (0, 1)`, 'has a passes_recorded that is neither 0 nor 1'),
  row(`${RECORDED} = 0 AND ${PASS} > 0`, 'has passes, and passes_recorded = 0'),
  row(unequal('labels.name', 'labels.value'), 'has not as many labels.value as labels.name'),
  row('arrayUniq(`labels.name`) < length(`labels.name`)', 'has a label twice'),
  row(
    unequal('calls.tool', 'calls.arguments', 'calls.result', 'calls.failed'),
    'has arrays of calls of unequal length',
  ),
  row('arrayExists(f -> f < -1 OR f > 1, `calls.failed`)', 'has a calls.failed that is neither 1 nor 0 nor -1'),
  ...[...AMOUNTS, ...TOTALS, ...UNDER].flatMap((column) => [
    row(`ifNull(${column}, 0) < 0`, `has negative ${column}`),
    row(`ifNull(${column}, 0) > ${MOST}`, `has ${column} above 2^53, which are not exact`),
  ]),
  ...Object.keys(SUMS).map((name) =>
    ofRun(`r_sum_${name} > ${MOST}`, () => `has ${name} that add up to more than 2^53, which is not exact`, VALUE_HINT),
  ),
];

const LONGEST = 80;

/** A text of the table for a message: its ends are seen, and it does not fill the screen. */
export function quoted(text: string): string {
  const signs = [...text];
  return JSON.stringify(signs.length > LONGEST ? `${signs.slice(0, LONGEST).join('')}…` : text);
}
