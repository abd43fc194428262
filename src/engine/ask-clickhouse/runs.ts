import type { RunCondition } from '../../calibrate/questions.js';
import { type RunsAsked, SUMMED_LIMITS } from '../ask/dialect.js';
import { addEvents, NO_EXEMPT, type Part } from './calls.js';
import { type Added, aliasesOf, chosen, type Layer, layer } from './layers.js';
import { flatSql, shiftedSql, textSql } from './words.js';

/** Totals and caps of a run, each by the column that keeps it. */
const STATED: Added = {
  stated_passes: 'total_passes',
  stated_tokens: 'total_tokens',
  stated_seconds: 'total_microseconds',
  stated_usd: 'total_nanodollars',
  under_passes: 'recorded_under_passes',
  under_tokens: 'recorded_under_tokens',
  under_seconds: 'recorded_under_microseconds',
  under_usd: 'recorded_under_nanodollars',
  under_steps: 'recorded_under_steps',
};

const TEXTS: Added = { r_status: 'status', r_verdict: 'verdict', r_claim: 'claim', r_reason: 'reason' };

/** What a pass adds to each counter; -1 where it does not say, since arrays of what may be NULL are slow and young. */
const AMOUNTS: Added = {
  tokens: 'ifNull(toInt64(input_tokens) + toInt64(output_tokens), -1)',
  seconds: 'ifNull(toInt64(microseconds), -1)',
  usd: 'ifNull(toInt64(nanodollars), -1)',
  steps: 'ifNull(toInt64(steps), if(empty(`calls.tool`), 2, 1 + 2 * toInt64(length(`calls.tool`))))',
};

/** Columns of the calls, each an array of a row. */
const PARTS: Readonly<Record<Part, string>> = {
  tool: '`calls.tool`',
  args: '`calls.arguments`',
  result: '`calls.result`',
  failed: '`calls.failed`',
};

/** The columns that every SELECT of runs has. */
export function runColumns({ by, calls }: RunsAsked): string[] {
  return [
    ...['ord', 'id', 'status', 'verdict', 'claim', 'reason', 'kept'],
    ...Object.keys(STATED),
    ...SUMMED_LIMITS.map((limit) => `sum_${limit}`),
    ...by.map((_, index) => `l${index}`),
    ...(calls ? ['streak', 'lacks'] : []),
  ];
}

/**
 * A row a run: the columns of `runColumns`; for each counter `a_L`, what every kept pass used, and `c_L`, the counter
 * after it, -1 from the first pass on that does not say; `made`, the calls of every pass; and `f_PART` of all its calls.
 *
 * @param parts what else is needed of the calls
 * @param labels what else is needed of a run's rows, by its name
 */
export function runsLayer(table: string, asked: RunsAsked, parts: ReadonlySet<Part>, labels: Added = {}): Layer {
  const needed = new Set<Part>([...parts, ...(asked.calls ? (['tool', 'args', 'result'] as const) : [])]);
  const grouped = groupedLayer(table, asked, [...needed], labels);
  const summed = layer(unpackedLayer(grouped, [...needed]), counters());
  const flat = layer(
    summed,
    Object.fromEntries([...needed].map((part): [string, string] => [`f_${part}`, flatSql(`n_${part}`)])),
  );
  const named = layer(flat, {
    kept: 'if(r_recorded = 0, toInt64(-1), toInt64(length(made)))',
    ...Object.fromEntries(
      SUMMED_LIMITS.map((limit): [string, string] => [
        `sum_${limit}`,
        `if(r_recorded = 0 OR c_${limit}[-1] < 0, NULL, c_${limit}[-1])`,
      ]),
    ),
  });
  return asked.calls ? streakLayer(named) : named;
}

function groupedLayer(table: string, { by, where }: RunsAsked, parts: readonly Part[], labels: Added): Layer {
  const label = (name: string): string => labelSql(name, 'NULL');
  const packed = ['pass', ...Object.values(AMOUNTS), 'toInt64(length(`calls.tool`))', ...parts.map((p) => PARTS[p])];
  const columns: Added = {
    r_id: 'toString(run_id)',
    r_order: 'toInt64(any(run_order))',
    ...mapped(TEXTS, (column) => `ifNull(toString(any(${column})), '')`),
    ...mapped(STATED, (column) => `toInt64(any(${column}))`),
    ...Object.fromEntries(by.map((name, index): [string, string] => [`l${index}`, `any(${label(name)})`])),
    ...labels,
    r_recorded: 'any(passes_recorded)',
    r_passes: `arraySort(x -> tupleElement(x, 1), groupArrayIf(tuple(${packed.join(', ')}), pass > 0))`,
  };
  const kept = where.length === 0 ? '' : ` WHERE ${where.map(conditionSql).join(' AND ')}`;
  const sql = `SELECT ${aliasesOf(columns).join(', ')} FROM ${table}${kept} GROUP BY run_id`;
  return { sql, columns: Object.keys(columns), sets: [] };
}

function unpackedLayer(grouped: Layer, parts: readonly Part[]): Layer {
  const names = ['', ...Object.keys(AMOUNTS).map((limit) => `a_${limit}`), 'made', ...parts.map((part) => `n_${part}`)];
  const unpacked = Object.fromEntries(
    names
      .map((name, index): [string, string] => [name, `arrayMap(x -> tupleElement(x, ${index + 1}), r_passes)`])
      .slice(1),
  );
  return chosen(
    grouped,
    grouped.columns.filter((name) => name !== 'r_passes' && !['r_id', 'r_order', ...Object.keys(TEXTS)].includes(name)),
    {
      ord: 'r_order',
      id: 'r_id',
      ...Object.fromEntries(Object.keys(TEXTS).map((name): [string, string] => [name.slice(2), name])),
      ...unpacked,
    },
  );
}

function counters(): Added {
  return Object.fromEntries(
    SUMMED_LIMITS.map((limit): [string, string] => {
      const sums = `arrayCumSum(arrayMap(a -> if(a < 0, toInt64(0), a), a_${limit}))`;
      const unknown = `arrayCumSum(arrayMap(a -> a < 0, a_${limit}))`;
      return [`c_${limit}`, `arrayMap((s, u) -> if(u > 0, toInt64(-1), s), ${sums}, ${unknown})`];
    }),
  );
}

/**
 * The longest row of identical calls. Within a row of set flags the place less the flags so far stays the same, and no
 * other row has that difference: the most that one of them occurs is the longest row.
 */
function streakLayer(from: Layer): Layer {
  const { layer: events, column } = addEvents(from, NO_EXEMPT, 'call');
  const same = `arrayMap((x, y) -> x = y, ${column}, ${shiftedSql(column, '1', 'toInt64(0)')})`;
  const rows = `arrayMap((i, s) -> toInt64(i) - toInt64(s), arrayEnumerate(${same}), arrayCumSum(${same}))`;
  const longest = `arrayReduce('max', arrayEnumerateUniq(arrayFilter((d, f) -> f, ${rows}, ${same})))`;
  return layer(events, {
    // No branch: servers of today evaluate one row by row where it is needed, which takes ten times as long here.
    streak: `nullIf(toInt64(${longest}) + toInt64(notEmpty(${column})) - toInt64(r_recorded = 0), -1)`,
    lacks: "toInt64(NOT arrayExists(a -> a != '', f_args) AND arrayUniq(f_tool) < length(f_tool))",
  });
}

/** A label's value, or something else where the run has no such label. */
function labelSql(name: string, otherwise: string): string {
  const text = textSql(name);
  return `if(has(\`labels.name\`, ${text}), \`labels.value\`[indexOf(\`labels.name\`, ${text})], ${otherwise})`;
}

/** Fields of the run that conditions name where no label is called so; what is not there equals nothing. */
const FIELDS: ReadonlyMap<string, string> = new Map([
  ['id', 'run_id'],
  ['status', 'status'],
  ['check', 'verdict'],
  ['reason', "nullIf(reason, '')"],
  ['claim', "nullIf(claim, '')"],
]);

function conditionSql({ name, value, negated }: RunCondition): string {
  const field = FIELDS.get(name);
  const asked = labelSql(name, field === undefined ? 'NULL' : `toString(${field})`);
  const holds = `ifNull(${asked} = ${textSql(value)}, 0)`;
  return negated ? `NOT ${holds}` : holds;
}

function mapped(from: Added, make: (expression: string) => string): Added {
  return Object.fromEntries(
    Object.entries(from).map(([name, expression]): [string, string] => [name, make(expression)]),
  );
}
