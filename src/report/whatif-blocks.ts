import { METRICS } from '../model/limits.js';
import type { Candidate, LimitCuts, Mover, Movers, WhatIfReport } from '../replay/whatif-result.js';
import { isOpen } from '../replay/whatif-words.js';
import { type Block, heading, list, paragraph, strong, tableBlocks } from './blocks.js';
import { warningBlocks } from './diagnosis-blocks.js';
import { nameText } from './escape.js';
import { formatCount, plural } from './format.js';
import { populationBlocks, successes } from './population.js';
import { populationText } from './sentences.js';
import type { Table } from './table.js';
import { limitTable } from './whatif-limit-table.js';
import { overviewTable, sideTable } from './whatif-tables.js';

/** More runs than this are counted, not printed. */
const MAX_MOVERS = 10;

/** Today's policy beside candidates, as `whatif` prints it: the answers first, then what they rest on. */
export function whatIfBlocks(report: WhatIfReport): Block[] {
  const { population, runs, verified, candidates } = report;
  return [
    heading('What if'),
    ...populationBlocks(population),
    paragraph(`${populationText(runs, verified, population, 0)} Good runs are the ${successes(population)}.`),
    ...candidates.map(({ verdict }) => strong(verdict)),
    ...report.left_open.map((reason) => paragraph(reason)),
    ...(candidates.length > 1 ? tableBlocks(overviewTable(report)) : []),
    ...candidates
      .filter((candidate) => !changesNothing(candidate))
      .flatMap((candidate) => candidateBlocks(report, candidate)),
    heading('How to read this'),
    list(notesOf(report)),
    ...warningBlocks(report.warnings),
  ];
}

/** Such a candidate has its verdict, and a row among the others: there is nothing to hold side by side. */
function changesNothing(candidate: Candidate): boolean {
  const { newly_stopped, released, stopped_earlier, stopped_later, relation, difference } = candidate;
  const moved = newly_stopped.count + released.count + stopped_earlier + stopped_later + difference.censored;
  const isExact = METRICS.every((metric) => !isOpen(difference, metric));
  return relation === 'same' || (moved === 0 && isExact);
}

function candidateBlocks(report: WhatIfReport, candidate: Candidate): Block[] {
  const { today, population } = report;
  return [
    heading(`Today beside ${nameText(candidate.name)}`),
    ...tableBlocks(sideTable(report, candidate)),
    paragraph(candidate.false_stop_test.words),
    ...tableBlocks(moverTable('Stopped by it, and not today', 'stopped by', candidate.newly_stopped, population)),
    ...tableBlocks(moverTable('Stopped today, and not by it', 'today by', candidate.released, population)),
    ...movedBlocks(candidate),
    ...tableBlocks(limitTable(today, candidate)),
    ...neverFirst(candidate),
  ];
}

/** The good runs first; of the rest the report has them all. */
function moverTable(title: string, reason: string, movers: Movers, population: string): Table {
  const more = movers.count - MAX_MOVERS;
  return {
    title: `${title}: ${plural(movers.count, 'run')}, ${formatCount(movers.verified)} of them good`,
    columns: [
      { header: 'run', align: 'left' },
      { header: 'good', align: 'left' },
      { header: 'recorded as', align: 'left' },
      { header: reason, align: 'left' },
      { header: 'after passes', align: 'right' },
    ],
    rows: movers.runs.slice(0, MAX_MOVERS).map((mover) => moverCells(mover)),
    notes: more > 0 ? [`and ${formatCount(more)} more, ${restText(movers, population)}: --json has them all`] : [],
  };
}

function moverCells({ id, verified, recorded, reason, after_passes }: Mover): string[] {
  return [id, verified ? 'yes' : 'no', recorded, reason, formatCount(after_passes)];
}

function restText({ verified }: Movers, population: string): string {
  const more = verified - MAX_MOVERS;
  return more > 0 ? `${formatCount(more)} of them ${successes(population)}` : 'none of them good';
}

function movedBlocks({ stopped_earlier, stopped_later }: Candidate): Block[] {
  const parts = [
    ...(stopped_earlier > 0 ? [`${formatCount(stopped_earlier)} after fewer passes`] : []),
    ...(stopped_later > 0 ? [`${formatCount(stopped_later)} after more passes`] : []),
  ];
  return parts.length === 0 ? [] : [paragraph(`Of the runs that both stop, it stops ${parts.join(', and ')}.`)];
}

/** Limits of the candidate that are never the first to stop a run. */
function neverFirst({ name, limits }: Candidate): Block[] {
  const unseen = limits.filter(({ not_judged, first }) => first === 0 && not_judged > 0);
  const idle = limits.filter(({ not_judged, first }) => first === 0 && not_judged === 0);
  return [
    ...(unseen.length === 0 ? [] : [paragraph(unseenText(name, unseen))]),
    ...(idle.length === 0 ? [] : [paragraph(idleText(name, idle))]),
  ];
}

/** Limits that stop none of the runs that they could judge. */
function unseenText(name: string, limits: readonly LimitCuts[]): string {
  const words = limits.map(({ limit, not_judged }) => `${nameText(limit)} (cannot judge ${plural(not_judged, 'run')})`);
  return `Whether it is ever the first to stop a run under ${nameText(name)} cannot be told: ${words.join('; ')}.`;
}

function idleText(name: string, idle: readonly LimitCuts[]): string {
  const words = idle.map(({ limit, only, shared }) => {
    const alone = only + shared;
    return `${nameText(limit)} (${alone === 0 ? 'not even alone' : `alone it would stop ${plural(alone, 'run')}, which others stop sooner`})`;
  });
  return `Never the first to stop a run under ${nameText(name)}: ${words.join('; ')}.`;
}

function notesOf({ resampling, candidates, weighed, runs }: WhatIfReport): string[] {
  const { clustered_by, clusters, resamples, seed, known_runs } = resampling;
  const hasInterval = candidates.some(({ spend_interval }) => spend_interval.no_interval === null);
  const units =
    clustered_by === null
      ? `${plural(known_runs, 'run')}, each by itself`
      : `${plural(clusters, 'group')} of runs with one ${nameText(clustered_by)}`;
  return [
    ...(hasInterval
      ? [
          `The interval of spend says how far the choice of recorded runs moves the figure: ${formatCount(resamples)} resamples of ${units}, both policies on the same ones (seed ${seed}). It does not cover traffic that changes.`,
        ]
      : []),
    ...(known_runs < runs
      ? [`${weighed} are known for ${formatCount(known_runs)} of ${plural(runs, 'run')}; spend is theirs.`]
      : []),
    'A replay takes the recorded behaviour as given; it does not promise. Caps chosen on these runs cut a little more on others.',
  ];
}
