import { METRICS } from '../model/limits.js';
import { STATUSES } from '../model/status.js';
import type { GroupReport, ReplayReport } from '../replay/result.js';
import { type Block, heading, paragraph, strong, tableBlocks } from './blocks.js';
import { warningBlocks } from './diagnosis-blocks.js';
import { formatAmountShort, formatCount, formatOf, formatPercent } from './format.js';
import { GROUP_COLUMN, groupName, restNote, shownGroups } from './groups.js';
import { populationBlocks, successes } from './population.js';
import { doubtBlocks } from './replay-doubts.js';
import { reasonTable } from './replay-reasons.js';
import { falseStopText, formatChange, populationText, reductionText } from './sentences.js';
import type { Column, Table } from './table.js';

/** More false stops than this are counted, not printed. */
const MAX_FALSE_STOPS = 20;

/** What a policy would have done, as `replay` prints it. */
export function replayBlocks(
  replay: ReplayReport,
  options: { readonly warnings: boolean } = { warnings: true },
): Block[] {
  return [
    heading('Replay'),
    ...populationBlocks(replay.population),
    paragraph(populationText(replay.runs, replay.verified, replay.population, replay.passed_unfinished)),
    strong(headline(replay)),
    ...tableBlocks(statusTable(replay)),
    ...tableBlocks(reasonTable(replay)),
    ...tableBlocks(falseStopTable(replay)),
    ...tableBlocks(spendTable(replay)),
    ...tableBlocks(billTable(replay)),
    ...doubtBlocks(replay),
    ...tableBlocks(groupTable(replay.groups)),
    ...(options.warnings ? warningBlocks(replay.warnings) : []),
  ];
}

function headline(replay: ReplayReport): string {
  const { tokens } = replay.spend;
  const finish = `${formatOf(replay.verified_finished, replay.verified)} ${successes(replay.population)} finish.`;
  const spend =
    tokens === null
      ? 'Spend in tokens is unknown.'
      : `Spend ${reductionText('tokens', tokens, replay.runs, replay.bounds?.spend.tokens)}`;
  return `${finish} False stops: ${falseStopText(replay)} ${spend}`;
}

function numbers(headers: readonly string[]): Column[] {
  return headers.map((header) => ({ header, align: 'right' }));
}

function statusTable(replay: ReplayReport): Table {
  return {
    title: 'Runs by status',
    columns: [{ header: 'status', align: 'left' }, ...numbers(['runs', 'share'])],
    rows: STATUSES.map((status) => [
      status,
      formatCount(replay.by_status[status]),
      formatPercent(replay.runs === 0 ? null : replay.by_status[status] / replay.runs),
    ]),
    notes: [],
  };
}

function falseStopTable(replay: ReplayReport): Table {
  const { runs } = replay.false_stops;
  return {
    title: `False stops: ${successes(replay.population)} cut off`,
    columns: [
      { header: 'run', align: 'left' },
      { header: 'reason', align: 'left' },
      { header: 'after passes', align: 'right' },
    ],
    rows: runs.slice(0, MAX_FALSE_STOPS).map((stop) => [stop.id, stop.reason, formatCount(stop.after_passes)]),
    notes: restNote(replay.false_stops.count - Math.min(runs.length, MAX_FALSE_STOPS)),
  };
}

function spendTable(replay: ReplayReport): Table {
  return {
    title: 'Spend over all runs, good and bad',
    columns: [{ header: 'metric', align: 'left' }, ...numbers(['recorded', 'replayed', 'change', 'known for'])],
    rows: METRICS.map((metric) => {
      const spend = replay.spend[metric];
      if (spend === null) return [metric, 'unknown', 'unknown', 'unknown', 'no run'];
      const amounts = [spend.recorded, spend.replayed].map((value) => formatAmountShort(metric, value));
      return [metric, ...amounts, formatChange(spend), `${formatOf(spend.known_runs, replay.runs)} runs`];
    }),
    notes: [],
  };
}

/** The largest bill of one run, and how far the pass that crossed a cap went beyond it. */
function billTable(replay: ReplayReport): Table {
  return {
    title: 'One run at most: the pass that crosses a cap is billed in full',
    columns: [
      { header: 'metric', align: 'left' },
      ...numbers(['largest bill', 'above the cap at most', 'above the cap, median']),
    ],
    rows: METRICS.map((metric) => [
      metric,
      formatAmountShort(metric, replay.max_bill[metric]),
      ...(['max', 'median'] as const).map((key) => overshootText(replay, metric, key)),
    ]),
    notes: [],
  };
}

function overshootText(replay: ReplayReport, metric: (typeof METRICS)[number], key: 'max' | 'median'): string {
  // A pass cap is met exactly, since passes come one by one.
  const overshoot = metric === 'passes' ? undefined : replay.overshoot[metric];
  const stops = replay.by_reason[metric];
  if (overshoot === undefined || stops === undefined) return '-';
  return stops.count === 0 ? 'no stop' : formatAmountShort(metric, overshoot[key]);
}

function groupTable(groups: readonly GroupReport[]): Table {
  const { shown, notes } = shownGroups(groups);
  return {
    title: 'By group',
    columns: [GROUP_COLUMN, ...numbers(['runs', 'verified', 'false stops', 'rate', 'tokens'])],
    rows: shown.map((group) => [
      groupName(group.labels),
      formatCount(group.runs),
      formatCount(group.verified),
      formatCount(group.false_stops.count),
      formatPercent(group.false_stops.rate),
      formatChange(group.spend.tokens),
    ]),
    notes,
  };
}
