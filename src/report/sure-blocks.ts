import type { DeriveReport } from '../calibrate/result.js';
import type { CountedRate, CrossValidated } from '../replay/cross-validate-result.js';
import { isOptimistic } from '../replay/optimism.js';
import { type Block, heading, paragraph, tableBlocks } from './blocks.js';
import { nameText } from './escape.js';
import { formatCount, formatOf, formatPercent } from './format.js';
import { successes } from './population.js';
import { addNote, type Table } from './table.js';

/** How sure the false-stop rate of derived caps is: as counted, and on runs that the caps were not taken from. */
export function sureBlocks(sure: CrossValidated, derived: Pick<DeriveReport, 'population' | 'warnings'>): Block[] {
  const isFitted = derived.warnings.some(({ code }) => code === 'in_sample_interval');
  return [
    heading('How sure: false stops of the caps alone'),
    ...tableBlocks(sureTable(sure, isFitted)),
    paragraph(sentenceOf(sure, derived.population)),
  ];
}

function sureTable(sure: CrossValidated, isFitted: boolean): Table {
  const notes: string[] = [];
  const { in_sample, count, rate, ci95 } = sure;
  return {
    title: null,
    columns: [
      { header: 'counted on', align: 'left' },
      ...['cut', 'rate', '95 % interval'].map((header) => ({ header, align: 'right' as const })),
    ],
    rows: [
      ...(in_sample === null ? [] : [inSampleCells(in_sample, sure.successes, isFitted, notes)]),
      ...(rate === null || ci95 === null
        ? []
        : [
            [
              'runs set aside (cross-validated)',
              `${formatCount(count)} of ${formatCount(sure.successes)}${addNote(notes, roundsNote(sure))}`,
              rateCell(rate, sure.rate_at_most, sure.successes, notes),
              interval(ci95),
            ],
          ]),
    ],
    notes,
  };
}

function inSampleCells(seen: CountedRate, of: number, isFitted: boolean, notes: string[]): string[] {
  const low = isFitted ? addNote(notes, FITTED) : '';
  return [
    'the runs that gave the caps',
    formatOf(seen.count, of),
    rateCell(seen.rate, seen.rate_at_most, of, notes),
    interval(seen.ci95) + low,
  ];
}

const FITTED =
  'too low, and with several caps perhaps too narrow: the caps stand where these very runs put them, with little padding';

function interval([low, high]: readonly [number, number]): string {
  return `${formatPercent(low)} to ${formatPercent(high)}`;
}

/** A range where not all runs tell whether they are cut, with how many do. */
function rateCell(rate: number, most: number | null, of: number, notes: string[]): string {
  if (most === null) return formatPercent(rate);
  const known = formatOf(of - Math.round((most - rate) * of), of);
  const note = `whether it is cut is known of ${known}: others lack what a cap counts, or tell only totals; the interval spans both ends`;
  return `${formatPercent(rate)} to ${formatPercent(most)}${addNote(notes, note)}`;
}

function roundsNote({ folds, repeats, counts, cluster }: CrossValidated): string {
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  const spread = least === most ? `${formatCount(least)} each time` : `${formatCount(least)} to ${formatCount(most)}`;
  const tasks =
    cluster === null ? '' : `, all of one ${nameText(cluster.label)} together (${formatCount(cluster.tasks)} of them)`;
  return `mean of ${formatCount(repeats)} rounds (${spread}): each splits the runs into ${formatCount(folds)} parts${tasks}, and holds each part against caps taken from the others: not at the same percentile, which of fewer runs is another rank, but at the rank with as large a share of runs above it as in all (the nearest there is); the interval is approximate`;
}

function sentenceOf(sure: CrossValidated, population: string): string {
  const { rate, ci95, not_judged } = sure;
  if (rate === null || ci95 === null) return `Not cross-validated: ${not_judged}.`;
  const most = sure.rate_at_most === null ? '' : ` to ${formatPercent(sure.rate_at_most)}`;
  const more = isOptimistic(sure) ? ' That is more than they cut of the runs they were taken from.' : '';
  return `Of runs that the caps have never seen, expect about ${formatPercent(rate)}${most} of the ${successes(population)} to be cut, and up to ${formatPercent(ci95[1])} without being surprised.${more}`;
}
