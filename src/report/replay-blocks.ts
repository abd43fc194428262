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
import {
  blindText,
  falseStopCounts,
  falseStopText,
  finishText,
  populationText,
  rateRange,
  reductionText,
  spendTexts,
  upToSuccesses,
} from './sentences.js';
import { addNote, type Column, type Table } from './table.js';

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
  const spend =
    tokens === null
      ? 'Spend in tokens is unknown.'
      : `Spend ${reductionText('tokens', tokens, replay.runs, replay.bounds?.spend.tokens)}`;
  return `${blindText(replay)}${finishText(replay)} False stops: ${falseStopText(replay)} ${spend}`;
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
      const { replayed, change } = spendTexts(metric, spend, replay.bounds?.spend[metric]);
      const known = `${formatOf(spend.known_runs, replay.runs)} runs`;
      return [metric, formatAmountShort(metric, spend.recorded), replayed, change, known];
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
  const { shown, notes: rest } = shownGroups(groups);
  const notes: string[] = [];
  const others = (group: GroupReport): string => (upToSuccesses(group) === null ? '' : addNote(notes, OF_OTHERS));
  return {
    title: 'By group',
    columns: [GROUP_COLUMN, ...numbers(['runs', 'verified', 'false stops', 'rate', 'tokens'])],
    rows: shown.map((group) => [
      groupName(group.labels),
      formatCount(group.runs),
      formatCount(group.verified),
      falseStopCounts(group) + others(group),
      rateRange(group) ?? formatPercent(group.false_stops.rate),
      group.spend.tokens === null
        ? 'unknown'
        : spendTexts('tokens', group.spend.tokens, group.bounds?.spend.tokens).change,
    ]),
    notes: [...notes, ...rest],
  };
}

const OF_OTHERS =
  'of the verified and of runs stopped while recording that might have been successes: there can be more of both together';
