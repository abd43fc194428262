import { METRICS, type Metric } from '../model/limits.js';
import { openSuccesses, upToText } from '../replay/open-successes.js';
import type { Bounds, ReplayReport } from '../replay/result.js';
import { falseStopRange, stopsOf } from '../replay/whatif-difference.js';
import type { Candidate, SpendDifference, WhatIfPolicy, WhatIfReport } from '../replay/whatif-result.js';
import { formatAmountShort, formatCount, formatOf, formatPercent } from './format.js';
import { knownSuccesses } from './sentences.js';
import type { Column, Table } from './table.js';

export function right(header: string): Column {
  return { header, align: 'right' };
}

/** Every policy in one row. */
export function overviewTable({ today, candidates, weighed }: WhatIfReport): Table {
  return {
    title: null,
    columns: [
      { header: 'policy', align: 'left', maxWidth: 26 },
      ...['false stops', 'rate', 'stops', weighed, 'to today', '95 % from', '95 % to'].map(right),
    ],
    rows: [{ ...today, name: 'today' }, ...candidates].map((policy) => overviewCells(policy, weighed, today.replay)),
    notes: [
      "stops: runs that the policy stops; to today: spend against that under today's policy, with its 95 % interval",
    ],
  };
}

function overviewCells(policy: WhatIfPolicy | Candidate, metric: Metric, today: ReplayReport): string[] {
  const { name, replay } = policy;
  const isCandidate = 'difference' in policy;
  const spend = isCandidate ? policy.difference.spend[metric] : null;
  const ci = isCandidate ? policy.spend_interval.relative_ci95 : null;
  return [
    name,
    ranged(falseStopRange(replay), replay.false_stops.count, formatCount),
    rateText(replay),
    formatCount(stopsOf(replay)),
    rangedSpend(replay, metric),
    isCandidate ? againstToday(spend, today.spend[metric]?.replayed ?? 0) : '-',
    ci === null ? '-' : signed(ci[0], formatPercent),
    ci === null ? '-' : signed(ci[1], formatPercent),
  ];
}

/** Each figure of the two replays, and what is different; the metric that is weighed first. */
export function sideTable({ today, weighed, runs }: WhatIfReport, candidate: Candidate): Table {
  const { spend, max_bill } = candidate.difference;
  const known = METRICS.filter((metric) => spend[metric] !== null);
  const metrics = [...known.filter((metric) => metric === weighed), ...known.filter((metric) => metric !== weighed)];
  const partial = metrics.filter((metric) => (today.replay.spend[metric]?.known_runs ?? runs) < runs);
  return {
    title: null,
    columns: [{ header: 'figure', align: 'left' }, right('today'), right('candidate'), right('difference')],
    rows: [
      ...goodRows(today.replay, candidate),
      ...stopRows(today.replay, candidate),
      ...metrics.flatMap((metric) => spendRows(metric, today.replay, candidate, metric === weighed)),
      ...metrics.map((metric) => [
        `largest bill, ${metric}`,
        ...[today, candidate].map(({ replay }) => formatAmountShort(metric, replay.max_bill[metric])),
        signed(max_bill[metric], (value) => formatAmountShort(metric, value)),
      ]),
    ],
    notes: [
      'good runs stopped are false stops, with the exact interval of their share',
      ...(today.replay.bounds === null && candidate.replay.bounds === null
        ? []
        : [
            'a range is all that the recording tells; an interval then spans both ends; known of: good runs that are stopped for sure, or for sure not',
          ]),
      ...othersNotes(today.replay, candidate.replay),
      ...(partial.length === 0 ? [] : [`not known for all runs: ${partial.join(', ')}`]),
    ],
  };
}

/** Runs that finish are counted beyond the verified ones where some were stopped while recording. */
function othersNotes(before: ReplayReport, after: ReplayReport): string[] {
  const upTo = upToText(openSuccesses(after) > openSuccesses(before) ? after : before, [
    'verified one',
    'verified ones',
  ]);
  return upTo === null ? [] : [`good runs that finish: of ${upTo}; good runs stopped: of the verified ones`];
}

function goodRows(before: ReplayReport, { replay: after, difference }: Candidate): string[][] {
  const { false_stops, verified_finished } = difference;
  const end = (which: 0 | 1): string[] =>
    [before, after].map((each) => formatPercent((each.bounds?.ci95 ?? each.false_stops.ci95)?.[which] ?? null));
  const known = [before, after].map(knownSuccesses);
  return [
    [
      'good runs that finish',
      ...[before, after].map((each) => ranged(each.bounds?.verified_finished, each.verified_finished, formatCount)),
      movedText(verified_finished),
    ],
    [
      'good runs stopped',
      ...[before, after].map((each) => ranged(falseStopRange(each), each.false_stops.count, formatCount)),
      movedText(false_stops),
    ],
    ['  of the good runs', rateText(before), rateText(after), pointsOf(false_stops, before.verified)],
    ['  95 % interval, from', ...end(0), ''],
    ['  95 % interval, to', ...end(1), ''],
    ...(known.every((count) => count === before.verified)
      ? []
      : [['  known of', ...known.map((count) => formatOf(count, before.verified)), '']]),
  ];
}

function movedText({ count, bounds }: Candidate['difference']['verified_finished']): string {
  return bounds === null ? signed(count, formatCount) : bounds.map((end) => signed(end, formatCount)).join(' to ');
}

/** Reasons for which neither policy stops a run are left out. */
function stopRows(before: ReplayReport, { replay: after, difference }: Candidate): string[][] {
  const row = (name: string, of: (replay: ReplayReport) => number, change: number): string[] => [
    name,
    formatCount(of(before)),
    formatCount(of(after)),
    signed(change, formatCount),
  ];
  const stopsBy = (reason: string) => (replay: ReplayReport) => replay.by_reason[reason]?.count ?? 0;
  const reasons = Object.entries(difference.by_reason).filter(
    ([reason]) => stopsBy(reason)(before) + stopsBy(reason)(after) > 0,
  );
  const isLifted = before.censored + after.censored > 0;
  return [
    row('runs stopped', stopsOf, difference.stops),
    ...reasons.map(([reason, change]) => row(`  by ${reason}`, stopsBy(reason), change)),
    ...(isLifted ? [row('recorded stops undone', ({ censored }) => censored, difference.censored)] : []),
  ];
}

function rateText(replay: ReplayReport): string {
  const { verified, false_stops } = replay;
  const share = falseStopRange(replay).map((count) => count / verified) as [number, number];
  return ranged(verified === 0 ? undefined : share, false_stops.rate, formatPercent);
}

function spendRows(metric: Metric, before: ReplayReport, candidate: Candidate, isWeighed: boolean): string[][] {
  const after = candidate.replay;
  const difference = candidate.difference.spend[metric];
  const short = (value: number | null): string => formatAmountShort(metric, value);
  const range = difference?.bounds ?? null;
  const total = before.spend[metric]?.replayed ?? 0;
  const { relative_ci95: ci, change_ci95: change } = candidate.spend_interval;
  const hasInterval = isWeighed && change !== null;
  return [
    [
      `${metric} spent`,
      ...[before, after].map((each) => rangedSpend(each, metric)),
      range === null
        ? signed(difference?.replayed ?? null, short)
        : rangeText(range, (end) => signed(end, short), OF_DIFFERENCES),
    ],
    ['  against today', '', '', againstToday(difference, total)],
    ...(hasInterval
      ? [
          ['  95 % interval, from', '', '', endText(ci?.[0], change[0], short)],
          ['  95 % interval, to', '', '', endText(ci?.[1], change[1], short)],
        ]
      : []),
    [
      '  less than recorded',
      ...[before, after].map((each) =>
        ranged(each.bounds?.spend[metric]?.reduction, each.spend[metric]?.reduction ?? null, formatPercent),
      ),
      range === null ? points(difference?.reduction ?? null) : '',
    ],
  ];
}

function endText(relative: number | undefined, change: number, short: (value: number) => string): string {
  return relative === undefined ? signed(change, short) : signed(relative, formatPercent);
}

/** A figure, or the range that it lies in. */
function ranged<Value extends number | null>(
  bounds: Bounds | undefined,
  value: Value,
  format: (value: number | null) => string,
): string {
  return bounds === undefined ? format(value) : rangeText(bounds, format);
}

/** `3 to 6`, `3 or more`, `6 or less`. */
function rangeText(
  [low, high]: Bounds,
  format: (value: number) => string,
  [above, below]: readonly [above: string, below: string] = ['or more', 'or less'],
): string {
  if (low === null) return high === null ? 'unknown' : `${format(high)} ${below}`;
  if (high === null) return `${format(low)} ${above}`;
  return low === high ? format(low) : `${format(low)} to ${format(high)}`;
}

function rangedSpend(replay: ReplayReport, metric: Metric): string {
  const value = replay.spend[metric]?.replayed ?? null;
  return ranged(replay.bounds?.spend[metric]?.replayed, value, (each) => formatAmountShort(metric, each));
}

/** What is said of a difference, which is below zero where less is spent. */
const OF_DIFFERENCES = ['or higher', 'or lower'] as const;

/** The difference in spend as a share of today's. */
function againstToday(spend: SpendDifference | null, total: number): string {
  const range = spend?.bounds ?? null;
  if (range === null) return signed(spend?.relative ?? null, formatPercent);
  return total === 0 ? 'unknown' : rangeText(range, (end) => signed(end / total, formatPercent), OF_DIFFERENCES);
}

function pointsOf({ rate, bounds }: Candidate['difference']['false_stops'], verified: number): string {
  if (bounds === null || verified === 0) return points(rate);
  return `${rangeText(bounds, (count) => signed(count / verified, formatPercent).replace(' %', ''))} points`;
}

/** A difference with its sign: `+7`, `-2.1 M`, `0`. */
function signed(value: number | null, format: (value: number) => string): string {
  if (value === null) return 'unknown';
  return value > 0 ? `+${format(value)}` : format(value);
}

/** A difference of two shares: `+2.26 points`. */
function points(value: number | null): string {
  return value === null ? 'unknown' : `${signed(value, formatPercent).replace(' %', '')} points`;
}
