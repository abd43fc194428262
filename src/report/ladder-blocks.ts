import { METRICS, type Metric } from '../model/limits.js';
import type { ReplayReport } from '../replay/result.js';
import { type Block, heading, tableBlocks } from './blocks.js';
import { formatAmountShort, formatCount, formatOf, formatPercent } from './format.js';
import { populationBlocks } from './population.js';
import { falseStopCounts, rateRange, spendTexts, upToSuccesses } from './sentences.js';
import { addNote, type Table } from './table.js';

/** One rung: the runs under one more measure. The first, "as recorded", is the replay of the empty policy. */
export interface LadderStep {
  readonly step: string;
  readonly replay: ReplayReport;
}

/** What each measure brings on top of the one before: good runs cut off against spend saved. */
export function ladderBlocks(steps: readonly LadderStep[]): Block[] {
  const first = steps[0];
  if (first === undefined) return [];
  return [heading('The ladder'), ...populationBlocks(first.replay.population), ...tableBlocks(ladderTable(steps))];
}

function ladderTable(steps: readonly LadderStep[]): Table {
  const notes: string[] = [];
  const metric = spendMetric(steps);
  return {
    title: null,
    columns: [
      { header: 'policy', align: 'left' },
      ...['verified that finish', 'false stops', 'stopped_budget', metric, 'change'].map((header) => ({
        header,
        align: 'right' as const,
      })),
    ],
    rows: steps.map(({ step, replay }, rung) => [step, ...stepCells(replay, metric, notes, rung > 0)]),
    notes,
  };
}

/** The first metric that is known: tokens, else money, time, passes. */
function spendMetric(steps: readonly LadderStep[]): Metric {
  const wanted: readonly Metric[] = ['tokens', 'usd', 'seconds'];
  return wanted.find((metric) => steps.every(({ replay }) => replay.spend[metric] !== null)) ?? METRICS[0];
}

/** @param isPolicy whether the figures are a replay's: as recorded they are what they are */
function stepCells(replay: ReplayReport, metric: Metric, notes: string[], isPolicy: boolean): string[] {
  const { count, rate } = replay.false_stops;
  const least = isPolicy ? (replay.bounds?.verified_finished[0] ?? null) : null;
  const finish = least !== null && least < replay.verified_finished ? `${formatCount(least)} to ` : '';
  const spend = replay.spend[metric];
  const isPartial = spend !== null && spend.known_runs < replay.runs;
  const mark = isPartial ? addNote(notes, `known for ${formatOf(spend.known_runs, replay.runs)} runs`) : '';
  const approximate = replay.approximate ? addNote(notes, 'approximate: some figures are bounds, see replay') : '';
  const censored = replay.censored === 0 ? '' : addNote(notes, CENSORED);
  const upTo = isPolicy && rateRange(replay) !== null ? upToSuccesses(replay) : null;
  const others = upTo === null ? '' : addNote(notes, `of ${upTo}`);
  const stopped = replay.by_status.stopped_budget;
  const { replayed, change } =
    spend === null
      ? { replayed: formatAmountShort(metric, null), change: formatPercent(null) }
      : spendTexts(metric, spend, isPolicy ? replay.bounds?.spend[metric] : null);
  return [
    finish + formatOf(replay.verified_finished, replay.verified),
    `${isPolicy ? falseStopCounts(replay) : formatCount(count)} (${(isPolicy ? rateRange(replay) : null) ?? formatPercent(rate)})${others}${approximate}`,
    formatCount(stopped) + censored,
    replayed + mark,
    change,
  ];
}

const CENSORED = 'some runs were stopped while recording; how they would have gone on is unknown, see replay';
