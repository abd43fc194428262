import type { Metric } from '../model/limits.js';
import type { PresetRow, RuleFigures, RulesReport, SweepRow } from '../replay/rules-result.js';
import { type Block, heading, paragraph, strong, tableBlocks } from './blocks.js';
import { warningBlocks } from './diagnosis-blocks.js';
import { nameText } from './escape.js';
import { exemptionBlocks } from './exemption-blocks.js';
import { formatCount, formatPercent, formatSetting, plural } from './format.js';
import { populationBlocks, successes } from './population.js';
import { figureCells, figureColumns, right } from './rules-figures.js';
import { populationText } from './sentences.js';
import type { Column } from './table.js';

/** The detector bench, as `rules` prints it. */
export function rulesBlocks(report: RulesReport): Block[] {
  const metric = report.compared_by;
  return [
    heading('Rules of the presets alone, their caps removed'),
    ...populationBlocks(report.population),
    paragraph(populationText(report.runs, report.verified, report.population, 0)),
    ...exemptText(report.exempt),
    ...presetTable(report, metric),
    strong(bestText(report, metric)),
    heading('Plain rules at several counts'),
    ...sweepBlocks(report.sweep, metric),
    ...exemptionBlocks(report.exemptions, report.population, metric),
    ...warningBlocks(report.warnings),
  ];
}

function exemptText(exempt: readonly string[]): Block[] {
  if (exempt.length === 0) return [];
  return [paragraph(`Exempt from every rule: ${exempt.map((tool) => nameText(tool)).join(', ')}.`)];
}

function presetTable({ presets, without_rules }: RulesReport, metric: Metric): Block[] {
  const someBlind = presets.some(({ not_judged }) => not_judged > 0);
  const [stops, rate, ...rest] = figureColumns(metric) as [Column, Column, ...Column[]];
  return tableBlocks({
    title: null,
    columns: [
      { header: 'preset', align: 'left' },
      stops,
      rate,
      right('95 % up to'),
      ...rest,
      ...(someBlind ? [right('not judged')] : []),
    ],
    rows: presets.map((row) => {
      const [count, share, ...cells] = figureCells(row, metric) as [string, string, ...string[]];
      const upper = formatPercent(row.false_stops.ci95?.[1] ?? null);
      return [row.preset, count, share, upper, ...cells, ...(someBlind ? [formatCount(row.not_judged)] : [])];
    }),
    notes: [
      'caught: stopped runs that are no verified success; median pass: where they were stopped',
      'the caps of a preset may stop successes too: capfit replay --preset NAME',
      ...(without_rules.length === 0 ? [] : [`caps only, no rule to show here: ${without_rules.join(', ')}`]),
      ...savedNote(presets, metric),
    ],
  });
}

/** Whose savings leave out stops of which they are not known. */
function savedNote(presets: readonly PresetRow[], metric: Metric): string[] {
  const part = presets.filter(({ saved }) => (saved[metric]?.unknown_stops ?? 0) > 0).map(({ preset }) => preset);
  return part.length === 0 ? [] : [`${metric} saved: not known for some stops, left out here, of ${part.join(', ')}`];
}

function bestText({ presets, best_preset, accepted_rate, verified, population }: RulesReport, metric: Metric): string {
  const accepted = formatSetting(accepted_rate);
  if (verified === 0)
    return `Without ${successes(population)} no false-stop rate is known, so no preset is called the best.`;
  const best = presets.find(({ preset }) => preset === best_preset);
  if (best === undefined) return `No preset catches a run with at most ${accepted} false stops.`;
  return `Of the presets with at most ${accepted} false stops, ${best.preset} saves most: ${formatPercent(best.saved[metric]?.share ?? null)} of ${metric}.`;
}

/** A table for each rule that stops runs; rules with the very figures of an earlier one are named, not printed. */
function sweepBlocks(sweep: readonly SweepRow[], metric: Metric): Block[] {
  const firing = sweep.filter(({ counts }) => counts.some(isFiring));
  const quiet = sweep.filter((row) => !firing.includes(row)).map(({ rule }) => rule);
  const shown = new Map<string, SweepRow>();
  const blocks: Block[] = [];
  for (const row of firing) {
    const key = JSON.stringify(row.counts);
    const same = shown.get(key);
    if (same === undefined) blocks.push(...sweepTable(row, metric));
    else blocks.push(paragraph(`${row.rule} (${SWEPT[row.rule] ?? 'count'}): the same figures as ${same.rule}.`));
    shown.set(key, same ?? row);
  }
  if (quiet.length > 0) blocks.push(paragraph(`Stop no run at any of these counts: ${quiet.join('; ')}.`));
  return blocks;
}

function sweepTable(row: SweepRow, metric: Metric): Block[] {
  const firing = row.counts.filter(isFiring);
  const blind = Math.max(0, ...row.counts.map(({ not_judged }) => not_judged));
  const last = firing.at(-1)?.count ?? null;
  const next = row.counts.find(({ count }) => last !== null && count > last)?.count ?? null;
  return tableBlocks({
    title: `${row.rule}: ${SWEPT[row.rule] ?? 'count'}`,
    columns: [{ header: 'count', align: 'right' }, ...figureColumns(metric)],
    rows: firing.map((figures) => [formatCount(figures.count), ...figureCells(figures, metric)]),
    notes: [
      ...(next === null ? [] : [`stops no run from ${next} on`]),
      ...(blind === 0 ? [] : [`could not judge ${plural(blind, 'run')} whole`]),
    ],
  });
}

/** What is counted, in words. */
const SWEPT: Readonly<Record<string, string>> = {
  'repeat call': 'the same tool, arguments and result in a row',
  'repeat request': 'the same tool and arguments in a row',
  'repeat result': 'the same result in a row',
  'repeat call, period 2': 'the same call, or pair of calls, in a row',
  'repeat request, whole run': 'the same tool and arguments anywhere in the run',
  stale: 'calls in a row that brought nothing new',
  errors: 'failed calls in a row',
  idle: 'passes in a row without a call',
};

function isFiring({ caught, false_stops }: RuleFigures): boolean {
  return caught + false_stops.count > 0;
}
