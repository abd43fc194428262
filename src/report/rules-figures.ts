import type { Metric } from '../model/limits.js';
import type { RuleFigures } from '../replay/rules-result.js';
import { formatAmountShort, formatCount, formatPercent } from './format.js';
import type { Column } from './table.js';

export function right(header: string): Column {
  return { header, align: 'right' };
}

/** The columns that every row of a rule's figures has. */
export function figureColumns(metric: Metric): Column[] {
  return ['false stops', 'rate', 'caught', 'median pass', `${metric} saved`, 'share'].map(right);
}

/** The cells of those columns. */
export function figureCells(figures: RuleFigures, metric: Metric): string[] {
  const saved = figures.saved[metric];
  return [
    formatCount(figures.false_stops.count),
    formatPercent(figures.false_stops.rate),
    formatCount(figures.caught),
    figures.caught === 0 ? '-' : formatCount(figures.median_catch),
    formatAmountShort(metric, saved?.amount ?? null),
    formatPercent(saved?.share ?? null),
  ];
}
