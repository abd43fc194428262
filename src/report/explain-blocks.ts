import type { CapExplanation, Explanation, RankedRun } from '../calibrate/explain.js';
import type { CapReport } from '../calibrate/result.js';
import { decimalText } from '../model/decimal-text.js';
import { METRICS, type Metric } from '../model/limits.js';
import { type Block, facts, heading, list, paragraph } from './blocks.js';
import { nameText } from './escape.js';
import {
  formatCount,
  formatExact,
  formatExactColumn,
  formatLimit,
  formatOf,
  formatPercent,
  percentileName,
} from './format.js';
import { success, successes } from './population.js';

/** Runs above a cap that are named without `--verbose`. */
const SHOWN_RUNS = 10;

export interface ExplainOptions {
  readonly population: string;
  /** Whether every run above a cap is named. */
  readonly verbose: boolean;
  /** Whether there are caps of groups as well, which are not explained. */
  readonly hasGroups: boolean;
}

/** For each cap the ranked values around the cut, and the arithmetic from them to the cap. */
export function explainBlocks(explanation: Explanation, options: ExplainOptions): Block[] {
  const missing = METRICS.flatMap((metric) => {
    const { cap, ...rest } = explanation[metric];
    return cap === null && 'reason' in rest ? [`${metric}: no cap, since ${rest.reason}.`] : [];
  });
  return [
    heading('Why these caps'),
    ...METRICS.flatMap((metric) => {
      const found = explanation[metric];
      return found.cap === null ? [] : capBlocks(metric, found, options);
    }),
    ...(missing.length === 0 ? [] : [list(missing)]),
    paragraph(
      'A success above a cap is cut only where a pass was still to come: capfit replay tells which are. Of equal values the run that was read first has the lower rank.',
    ),
    ...(options.hasGroups
      ? [paragraph('The caps of groups are not explained here: choose one group with --where label=value.')]
      : []),
  ];
}

function capBlocks(metric: Metric, found: CapExplanation, options: ExplainOptions): Block[] {
  const { cap, ranked } = found;
  const values = formatExactColumn(
    metric,
    ranked.map(({ value }) => value),
  );
  return [
    {
      kind: 'table',
      table: {
        title: `${formatLimit(metric, cap.cap)}: ${metric} of ${formatCount(cap.n)} ${(cap.n === 1 ? success : successes)(options.population)} in ascending order`,
        columns: [
          { header: 'rank', align: 'right' },
          { header: metric, align: 'right' },
          { header: 'run', align: 'left' },
          { header: 'remark', align: 'left' },
        ],
        rows: ranked.flatMap((row, index) => [
          ...(index > 0 && row.rank > (ranked[index - 1]?.rank ?? 0) + 1 ? [['…', '', '', '']] : []),
          [formatCount(row.rank), values[index] as string, row.run, remarkOf(row, cap)],
        ]),
        notes: [],
      },
    },
    facts([
      { term: 'Rank', text: rankText(metric, found) },
      {
        term: 'Padding',
        text: `${formatExact(metric, cap.quantile)} x ${cap.padding} = ${formatExact(metric, cap.padded)}`,
      },
      { term: 'Rounding', text: roundingText(metric, found) },
      { term: 'Above', text: aboveText(metric, found, options) },
    ]),
  ];
}

function remarkOf({ rank, is_taken, is_above_cap }: RankedRun, cap: CapReport): string {
  if (is_taken) return `<- ${percentileName(cap.p)}`;
  if (is_above_cap) return 'above the cap';
  return rank === cap.n - cap.above && cap.above > 0 ? 'the last within the cap' : '';
}

function rankText(metric: Metric, { cap, position, ranked }: CapExplanation): string {
  const value = formatExact(metric, cap.quantile);
  if (position === null) {
    const how = cap.joint === 'cheapest' ? 'one of the caps that spend least while' : 'the lowest percentile at which';
    return `rank ${formatOf(cap.rank ?? cap.n, cap.n)}, ${how} all caps together stay within the accepted rate: ${value}`;
  }
  const exact = decimalText(position, 0, 12);
  const p = decimalText(cap.p, 0, 12);
  if (cap.method === 'nearest-rank') {
    return `${percentileName(cap.p)} of ${formatCount(cap.n)} values is at rank ceil(${p} x ${formatCount(cap.n)}) = ceil(${exact}) = ${formatCount(cap.rank)}: ${value}`;
  }
  const place = `1 + ${p} x (${formatCount(cap.n)} - 1) = ${exact}`;
  const [below, above] = ranked.filter((row) => row.is_taken);
  if (below === undefined || above === undefined) return `position ${place}, which is a rank: ${value}`;
  const [low, high] = [formatExact(metric, below.value), formatExact(metric, above.value)];
  const part = decimalText(Number((position - below.rank).toPrecision(12)), 0, 12);
  return `position ${place}, between ranks ${formatCount(below.rank)} and ${formatCount(above.rank)}: ${low} + ${part} x (${high} - ${low}) = ${value}`;
}

function roundingText(metric: Metric, { cap, unit_rule, usual_unit, raised_by, usual_raise }: CapExplanation): string {
  const [unit, result] = [formatExact(metric, cap.unit), formatExact(metric, cap.cap)];
  const raised = raised_by === 0 ? 'nothing to round' : `${formatPercent(raised_by)} more`;
  const multiple = cap.unit === 1 && unit === '1' ? 'a whole number' : `a multiple of ${unit}`;
  const rounded = `up to ${multiple}: ${result} (${raised})`;
  if (unit_rule === 'set') return `${rounded}; the unit was set with --round`;
  if (unit_rule === 'usual') return rounded;
  const usual = `${formatExact(metric, usual_unit)} would raise it by ${formatPercent(usual_raise)}`;
  const rule =
    raised_by > 0.1
      ? 'and there is no finer unit'
      : 'so the largest smaller step of the series 1, 2, 5 is taken that raises it by at most 10 %';
  return `${rounded}; the usual unit of ${usual}, ${rule}`;
}

function aboveText(metric: Metric, { cap, above }: CapExplanation, { verbose }: ExplainOptions): string {
  const claim = `at most ${formatPercent(cap.above_upper95)} with 95 % confidence`;
  if (above.length === 0) return `none of ${formatCount(cap.n)} lies above ${formatExact(metric, cap.cap)}; ${claim}`;
  const share = `${formatOf(cap.above, cap.n)} = ${formatPercent(cap.above / cap.n)} above ${formatExact(metric, cap.cap)}`;
  const shown = (verbose ? above : above.slice(0, SHOWN_RUNS)).map((id) => nameText(id));
  const rest = above.length - shown.length;
  const more = rest > 0 ? `, … and ${formatCount(rest)} more (--verbose names all)` : '';
  return `${share}, ${claim}: ${shown.join(', ')}${more}`;
}
