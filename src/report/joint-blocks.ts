import { METRICS, type Metric } from '../model/limits.js';
import type { CapSet, JointReport } from '../replay/joint-result.js';
import { haveSameCaps } from '../replay/joint-words.js';
import { isHardlyWorth } from '../replay/worth.js';
import { type Block, heading, list, strong, tableBlocks } from './blocks.js';
import { formatAmountShort, formatCount, formatExact, formatPercent, percentileName, plural } from './format.js';
import { successes } from './population.js';
import { formatChange } from './sentences.js';
import type { Column, Table } from './table.js';

/** All caps held to the accepted rate together, beside each by itself; nothing where it was not asked for. */
export function jointBlocks(joint: JointReport | undefined, population: string): Block[] {
  if (joint === undefined) return [];
  const rows = rowsOf(joint);
  return [
    heading('All caps together'),
    strong(joint.verdict),
    ...(joint.optimized === null ? [] : [strong(cheapestText(joint, joint.optimized))]),
    ...tableBlocks(capTable(rows)),
    ...tableBlocks(outcomeTable(rows, joint, population)),
    ...(joint.notes.length === 0 ? [] : [list(joint.notes)]),
  ];
}

/** A set of caps and what it is called. */
type Row = readonly [name: string, set: CapSet];

function rowsOf({ each_alone, common, optimized, taken }: JointReport): Row[] {
  const isRaised = common !== null && common.p !== each_alone?.p;
  const named: (readonly [string, CapSet | null, JointReport['taken']])[] = [
    [`each at ${percentileName(each_alone?.p ?? 0)}`, each_alone, 'each_alone'],
    [`all at ${percentileName(common?.p ?? 0)}`, isRaised ? common : null, 'common'],
    ['cheapest', optimized, 'optimized'],
  ];
  return named.flatMap(([name, set, key]): Row[] =>
    set === null ? [] : [[key === taken ? `${name} (taken)` : name, set]],
  );
}

function numbers(headers: readonly string[]): Column[] {
  return headers.map((header) => ({ header, align: 'right' }));
}

function capTable(rows: readonly Row[]): Table {
  const metrics = METRICS.filter((metric) => rows.some(([, set]) => set.caps[metric] !== null));
  return {
    title: null,
    columns: [{ header: 'caps', align: 'left' }, ...numbers(metrics)],
    rows: rows.map(([name, set]) => [name, ...metrics.map((metric) => capText(set, metric))]),
    notes: [
      'in brackets: how many successes the cap would stop if it were the only one',
      ...(hasLastPassCrossed(rows) ? [LAST_PASS] : []),
    ],
  };
}

/** Whether a cap stops fewer successes than lie above it. */
function hasLastPassCrossed(rows: readonly Row[]): boolean {
  return rows.some(([, { caps, alone }]) =>
    METRICS.some((metric) => (alone[metric]?.count ?? Number.POSITIVE_INFINITY) < (caps[metric]?.above ?? 0)),
  );
}

const LAST_PASS =
  'fewer than lie above the cap: a run that crosses a cap only in its last pass finishes, so it is above the cap and not stopped';

function capText({ caps, alone }: CapSet, metric: Metric): string {
  const cap = caps[metric];
  return cap === null ? 'no cap' : `${formatExact(metric, cap.cap)} (${formatCount(alone[metric]?.count ?? null)})`;
}

function outcomeTable(rows: readonly Row[], { weighed }: JointReport, population: string): Table {
  return {
    title: null,
    columns: [
      { header: 'together', align: 'left' },
      ...numbers(['false stops', 'rate', '95 % up to', `${weighed} spent`, 'change']),
    ],
    rows: rows.map(([name, { joint, spend }]) => [
      name,
      joint.at_most === null
        ? formatCount(joint.count)
        : `${formatCount(joint.count)} to ${formatCount(joint.at_most)}`,
      joint.rate_at_most === null
        ? formatPercent(joint.rate)
        : `${formatPercent(joint.rate)} to ${formatPercent(joint.rate_at_most)}`,
      formatPercent(joint.ci95[1]),
      formatAmountShort(weighed, spend[weighed]?.replayed ?? null),
      formatChange(spend[weighed]),
    ]),
    notes: [
      `false stops: ${successes(population)} that at least one cap stops; 95 % up to: the upper end of the exact interval of their rate`,
      'spent: by all runs under the caps alone, without any rule; change: against what was recorded',
    ],
  };
}

/** What the cheapest caps save against the common ones. */
function cheapestText({ common, each_alone, weighed, combinations }: JointReport, cheapest: CapSet): string {
  const other = common ?? each_alone;
  const [spent, before] = [cheapest.spend[weighed]?.replayed ?? null, other?.spend[weighed]?.replayed ?? null];
  const saved = spent === null || before === null || before === 0 ? null : (before - spent) / before;
  if (other !== null && haveSameCaps(cheapest, other)) {
    return `Of ${plural(combinations ?? 0, 'combination')} of caps tried none within it is cheaper than ${nameOf(other)}: those stay.`;
  }
  const against =
    other === null || saved === null
      ? ''
      : saved > 0
        ? `, ${formatPercent(saved)} less than ${nameOf(other)}`
        : `, no less than ${nameOf(other)}`;
  return `Of ${plural(combinations ?? 0, 'combination')} of caps tried the cheapest within it spends ${formatAmountShort(weighed, spent)}${UNITS[weighed]}${against}, and stops ${plural(cheapest.joint.count, 'success', 'successes')}.${tradeText(cheapest, other, saved, weighed)}`;
}

function nameOf({ p }: CapSet): string {
  return p === null ? 'those' : `all at ${percentileName(p)}`;
}

/** What the saving costs in good runs. */
function tradeText(cheapest: CapSet, other: CapSet | null, saved: number | null, weighed: Metric): string {
  const more = cheapest.joint.count - (other?.joint.count ?? cheapest.joint.count);
  if (more <= 0 || saved === null || saved <= 0) return '';
  const verdict = isHardlyWorth(saved) ? ' Hardly worth it.' : '';
  return ` That is ${plural(more, 'more good run')} lost for ${formatPercent(saved)} of the ${MEASURES[weighed]}.${verdict}`;
}

const MEASURES: Readonly<Record<Metric, string>> = {
  passes: 'passes',
  tokens: 'tokens',
  seconds: 'time',
  usd: 'dollars',
};

const UNITS: Readonly<Record<Metric, string>> = { passes: ' passes', tokens: ' tokens', seconds: '', usd: '' };
