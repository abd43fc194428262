import { type CapReport, type DeriveGroup, type Quantiles, SHOWN_PERCENTILES } from '../calibrate/result.js';
import type { Sample } from '../calibrate/sample.js';
import { fromAtoms } from '../model/atoms.js';
import { METRICS, type Metric } from '../model/limits.js';
import type { ReplayedDeriveReport } from '../replay/derive-replayed.js';
import { type Block, heading, paragraph, tableBlocks } from './blocks.js';
import { warningBlocks } from './diagnosis-blocks.js';
import {
  formatAmount,
  formatCount,
  formatExact,
  formatOf,
  formatPercent,
  formatSetting,
  methodName,
  percentileName,
} from './format.js';
import { groupBlocks } from './group-blocks.js';
import { GROUP_COLUMN, groupName, shownGroups } from './groups.js';
import { jointBlocks } from './joint-blocks.js';
import { populationBlocks } from './population.js';
import { populationText } from './sentences.js';
import { SPARK_MARK } from './sparkline.js';
import { addNote, type Column, type Table } from './table.js';

export interface DeriveBlockOptions {
  readonly warnings: boolean;
  /** The values that the percentiles are of, to be drawn beside them. */
  readonly sample?: Pick<Sample, 'values'>;
}

/** Percentiles and caps as `derive` prints them. */
export function deriveBlocks(derive: ReplayedDeriveReport, options: DeriveBlockOptions = { warnings: true }): Block[] {
  return [
    heading('Percentiles and caps'),
    ...populationBlocks(derive.population),
    paragraph(populationText(derive.runs, derive.verified, derive.population, derive.passed_unfinished)),
    ...percentileBlocks(derive, options.sample ?? null),
    ...capBlocks(derive),
    ...jointBlocks(derive.joint, derive.population),
    ...groupCapBlocks(derive.groups),
    ...groupBlocks(derive.group_test, derive.group_costs),
    ...(options.warnings ? warningBlocks(derive.warnings) : []),
  ];
}

/** A metric whose percentiles are known. */
type Known = readonly [metric: Metric, quantiles: Quantiles];

function percentileBlocks(derive: ReplayedDeriveReport, sample: Pick<Sample, 'values'> | null): Block[] {
  const known = METRICS.flatMap((metric): Known[] => {
    const quantiles = derive.quantiles[metric];
    return quantiles === null ? [] : [[metric, quantiles]];
  });
  if (known.length === 0) return [paragraph('No percentile: no success gives a figure.')];
  const unknown = METRICS.filter((metric) => derive.quantiles[metric] === null);
  const missing =
    unknown.length === 0 ? [] : [paragraph(`Unknown, no success gives the figure: ${unknown.join(', ')}.`)];
  return [
    ...tableBlocks({ ...percentileTable(known), ...sparksOf(known, derive, sample) }),
    ...missing,
    ...tableBlocks(intervalTable(known, derive)),
  ];
}

function percentileTable(known: readonly Known[]): Table {
  const method = known[0]?.[1].method ?? 'nearest-rank';
  return {
    title: `Percentiles (${methodName(method)})`,
    columns: [
      { header: 'metric', align: 'left' },
      ...[...SHOWN_PERCENTILES, 'max', 'n'].map((header) => ({ header, align: 'right' as const })),
    ],
    rows: known.map(([metric, quantiles]) => [
      metric,
      ...SHOWN_PERCENTILES.map((name) => formatAmount(metric, quantiles[name] ?? null)),
      formatAmount(metric, quantiles.max),
      formatCount(quantiles.n),
    ]),
    notes: [],
  };
}

/** The distribution of each metric, with its cap marked. */
function sparksOf(
  known: readonly Known[],
  { caps }: ReplayedDeriveReport,
  sample: Pick<Sample, 'values'> | null,
): Pick<Table, 'sparks'> {
  if (sample === null) return {};
  const rows = known.map(([metric]) => ({
    values: Array.from(sample.values[metric], (atoms) => fromAtoms(metric, atoms)),
    mark: caps[metric]?.cap ?? null,
  }));
  const isMarked = rows.some(({ mark }) => mark !== null);
  return { sparks: { header: isMarked ? `spread ${SPARK_MARK}cap` : 'spread', rows } };
}

/** The two percentiles a cap is judged by: the middle, and the one in force. */
function intervalTable(known: readonly Known[], derive: ReplayedDeriveReport): Table {
  const notes: string[] = [];
  const inForce = percentileName(1 - derive.accepted_rate);
  const names = [...new Set(['p50', inForce])];
  return {
    title: 'How sure: 95 % intervals by order statistics',
    columns: [
      { header: 'metric', align: 'left' },
      { header: 'percentile', align: 'right' },
      { header: 'value', align: 'right' },
      { header: 'interval', align: 'right' },
      { header: 'upper limit', align: 'right' },
    ],
    rows: known.flatMap(([metric, quantiles]) =>
      names.flatMap((name) => {
        const value = quantiles[name as `p${string}`];
        return value === undefined ? [] : [[metric, ...intervalCells(metric, quantiles, name, value, notes)]];
      }),
    ),
    notes,
  };
}

function intervalCells(metric: Metric, quantiles: Quantiles, name: string, value: number, notes: string[]): string[] {
  const reason = quantiles.no_interval[name];
  const mark = reason === undefined ? '' : addNote(notes, reason);
  const [low, high] = quantiles.ci95[name] ?? [null, null];
  const upper = quantiles.upper95[name] ?? null;
  return [
    name,
    formatAmount(metric, value),
    intervalText(metric, low, high) + (low === null || high === null ? mark : ''),
    upper === null ? `none${mark}` : formatAmount(metric, upper),
  ];
}

/** An interval, open at an end that does not exist at this sample size. */
function intervalText(metric: Metric, low: number | null, high: number | null): string {
  if (low === null) return high === null ? 'none' : `up to ${formatAmount(metric, high)}`;
  return high === null
    ? `${formatAmount(metric, low)} or more`
    : `${formatAmount(metric, low)} to ${formatAmount(metric, high)}`;
}

function capBlocks(derive: ReplayedDeriveReport): Block[] {
  const known = METRICS.flatMap((metric): (readonly [Metric, CapReport])[] => {
    const cap = derive.caps[metric];
    return cap === null ? [] : [[metric, cap]];
  });
  if (known.length === 0) return [paragraph('No cap could be derived.')];
  const ranks = known.map(([, cap]) => rankText(cap));
  const shared = new Set(ranks).size === 1 ? ranks[0] : undefined;
  const notes: string[] = [];
  return tableBlocks({
    title: `Caps at an accepted false-stop rate of ${formatSetting(derive.accepted_rate)}${shared === undefined ? '' : ` (${shared})`}`,
    columns: CAP_COLUMNS,
    rows: known.map(([metric, cap], i) => {
      const mark = shared === undefined ? addNote(notes, ranks[i] ?? '') : '';
      return [metric, ...capCells(metric, cap, mark)];
    }),
    notes,
  });
}

const CAP_COLUMNS: readonly Column[] = [
  { header: 'metric', align: 'left' },
  ...['percentile', 'x padding', 'unit', 'cap', 'above cap', 'at most (95 %)'].map((header) => ({
    header,
    align: 'right' as const,
  })),
];

/** The method and the rank that it took: `nearest rank 307 of 310`. */
function rankText(cap: CapReport): string {
  return methodName(cap.method) + (cap.rank === null ? '' : ` ${formatOf(cap.rank, cap.n)}`);
}

function capCells(metric: Metric, cap: CapReport, mark: string): string[] {
  return [
    `${percentileName(cap.p)} ${formatExact(metric, cap.quantile)}${mark}`,
    `x ${cap.padding} = ${formatExact(metric, cap.padded)}`,
    formatExact(metric, cap.unit),
    formatExact(metric, cap.cap),
    formatCount(cap.above),
    formatPercent(cap.above_upper95),
  ];
}

function groupCapBlocks(groups: readonly DeriveGroup[]): Block[] {
  const { shown, notes } = shownGroups(groups);
  const metrics = METRICS.filter((metric) => groups.some((group) => group.caps[metric] !== null));
  return tableBlocks({
    title: 'Caps by group',
    columns: [GROUP_COLUMN, ...['runs', 'verified', ...metrics].map((header) => ({ header, align: 'right' as const }))],
    rows: shown.map((group) => [
      groupName(group.labels),
      formatCount(group.runs),
      formatCount(group.verified),
      ...metrics.map((metric) => {
        const cap = group.caps[metric];
        return cap === null ? 'no cap' : formatExact(metric, cap.cap);
      }),
    ]),
    notes,
  });
}
