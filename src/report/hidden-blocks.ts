import { METRICS, type Metric } from '../model/limits.js';
import { hidesAnything } from '../replay/hidden.js';
import type { HiddenFigures, HiddenPercentile, IncidencePoint } from '../replay/hidden-result.js';
import { type Block, heading, paragraph, strong, tableBlocks } from './blocks.js';
import { formatAmount, formatCount, formatLimit, formatOf, formatPercent, formatSetting, plural } from './format.js';
import { successes } from './population.js';
import { addNote, type Column, type Table } from './table.js';

/**
 * What a recording that ended some runs early may hide. Where it hid nothing that is known of, nothing, or one line.
 *
 * @param accepted the accepted false-stop rate
 */
export function hiddenBlocks(hidden: HiddenFigures, accepted: number, options: { readonly verbose: boolean }): Block[] {
  if (!hidesAnything(hidden)) {
    const none = 'The recording hid nothing that is known of: no run was stopped by a budget or left open.';
    return options.verbose ? [paragraph(none)] : [];
  }
  return [
    heading('What the recording hid'),
    strong(censoredText(hidden)),
    ...lines([nearText(hidden), holdText(hidden, accepted)]),
    ...(hidden.censored.runs === 0 ? [] : tableBlocks(percentileTable(hidden))),
    ...tableBlocks(incidenceTable(hidden)),
    ...lines([lateText(hidden)]),
  ];
}

function lines(texts: readonly (string | null)[]): Block[] {
  return texts.filter((text) => text !== null).map(paragraph);
}

function censoredText({ censored, runs, population }: HiddenFigures): string {
  if (censored.runs === 0) return 'No run was stopped or lost while recording.';
  const { stopped_budget: stopped, running } = censored;
  const how = [
    ...(stopped === 0 ? [] : [`${formatCount(stopped)} stopped by a budget`]),
    ...(running === 0 ? [] : [`${formatCount(running)} never closed`]),
  ];
  const verb = censored.runs === 1 ? 'was' : 'were';
  return `${formatOf(censored.runs, runs)} runs ${verb} cut short while recording (${how.join(', ')}) and are no ${successes(population)}: what they would have come to is not known.`;
}

function nearText({ near_cap, recorded_under, verified }: HiddenFigures): string {
  const caps = Object.entries(recorded_under).map(([limit, cap]) => formatLimit(limit as Metric, cap));
  if (caps.length === 0)
    return 'The caps of the recording were not kept, so nobody can tell how near the successes came.';
  const under = `The runs were recorded under caps of at most ${caps.join(', ')}`;
  if (near_cap.runs === 0) return `${under}; no success came near: none used 80 % or more of its cap.`;
  const by = Object.entries(near_cap.by).map(([limit, count]) => `${limit} ${formatCount(count)}`);
  return `${under}; ${formatOf(near_cap.runs, verified)} successes used 80 % or more of one (${by.join(', ')}), so longer ones may be missing.`;
}

/** How many good ones among the runs cut short the derived caps can bear. */
function holdText({ caps, censored }: HiddenFigures, accepted: number): string | null {
  if (censored.runs === 0) return null;
  const known = METRICS.flatMap((metric) => {
    const cap = caps[metric];
    return cap === null ? [] : [{ metric, ...cap }];
  });
  const holding = known.filter(({ holds_up_to }) => holds_up_to !== null && holds_up_to < censored.runs);
  if (known.length > 0 && known.every(({ holds_up_to }) => holds_up_to === censored.runs)) {
    return `Even if all ${formatCount(censored.runs)} were good runs in the making, each cap would cut no more than the accepted ${formatSetting(accepted)}.`;
  }
  if (holding.length === 0) return null;
  const most = holding.map(({ metric, holds_up_to }) => `${formatCount(holds_up_to)} (${metric})`);
  return `Each cap cuts no more than the accepted ${formatSetting(accepted)} of the good runs as long as at most this many of the ${formatCount(censored.runs)} were good runs in the making: ${most.join(', ')}.`;
}

function percentileTable({ percentiles, censored }: HiddenFigures): Table {
  const notes: string[] = [];
  return {
    title: `Percentiles if the ${plural(censored.runs, 'run')} had gone on`,
    columns: [
      { header: 'metric', align: 'left' },
      ...right(['percentile', 'none would have passed', 'all would have']),
    ],
    rows: METRICS.flatMap((metric) =>
      (percentiles[metric] ?? []).map((each) => [
        metric,
        each.name,
        formatAmount(metric, each.best),
        worstText(metric, each, notes),
      ]),
    ),
    notes,
  };
}

function worstText(metric: Metric, { worst, not_identified }: HiddenPercentile, notes: string[]): string {
  if (worst !== null) return `at most ${formatAmount(metric, worst)}`;
  return `not identified${not_identified === null ? '' : addNote(notes, not_identified)}`;
}

function incidenceTable({ incidence }: HiddenFigures): Table {
  const { successes: good, failures, censored, left_out } = incidence;
  const notes = [
    'still at work: runs that made this many passes; succeeded: share of all runs, where one that failed no longer can, and those cut short are taken to be like the others (Aalen-Johansen)',
    ...(left_out === 0
      ? []
      : [
          `${plural(left_out, 'run')} left out: without a pass or a known number of them, or passed where only finished ones count`,
        ]),
  ];
  return {
    title: `Share of ${plural(good + failures + censored, 'run')} that had succeeded, by passes`,
    columns: [
      ...right(['passes']),
      { header: 'which is', align: 'left' },
      ...right(['still at work', 'succeeded', '95 % interval']),
    ],
    rows: incidence.points.map((point) => [
      formatCount(point.passes),
      point.where.join(', '),
      formatCount(point.at_risk),
      point.incidence === null
        ? `not identified${addNote(notes, point.not_identified ?? '')}`
        : formatPercent(point.incidence),
      intervalText(point),
    ]),
    notes,
  };
}

function intervalText({ incidence, ci95 }: IncidencePoint): string {
  if (incidence === null) return '-';
  return ci95 === null ? 'none' : `${formatPercent(ci95[0])} to ${formatPercent(ci95[1])}`;
}

/** Fewer runs that went on say nothing of what they were. */
const ENOUGH_TO_LOOK = 30;

/** Whether late successes were still coming in when the recording ended. */
function lateText({ incidence }: HiddenFigures): string | null {
  if (incidence.last_success === null) return 'No run succeeded, so nothing can be said of late successes.';
  const { passes, went_on } = incidence.last_success;
  if (went_on === 0) return `The last success came in pass ${formatCount(passes)}, and no run went on beyond it.`;
  const look = went_on < ENOUGH_TO_LOOK ? '' : ' They look stuck rather than slow; what came after, nobody recorded.';
  return `The last success came in pass ${formatCount(passes)}; ${plural(went_on, 'run')} went on beyond it, and none of them succeeded while it was recorded.${look}`;
}

function right(headers: readonly string[]): Column[] {
  return headers.map((header) => ({ header, align: 'right' }));
}
