import { LIMITS, type LimitName, METRICS, type Metric } from '../model/limits.js';
import type { Frontier } from '../replay/frontier.js';
import type { SweepResult } from '../replay/sweep-result.js';
import { createRows, type SweepRow } from '../replay/sweep-rows.js';
import { type Block, heading, list, paragraph, tableBlocks } from './blocks.js';
import { nameText } from './escape.js';
import { formatAmountShort, formatCount, formatExact, formatPercent, plural } from './format.js';
import { populationBlocks, successes } from './population.js';
import { right } from './rules-figures.js';
import { populationText } from './sentences.js';

/** Caps that were tried, in each limit's own unit, ascending; `null` is none. */
export type Tried = { readonly [limit in LimitName]?: readonly (number | null)[] };

/** A sweep and what it was made of. */
export interface SweepView {
  readonly result: SweepResult;
  readonly frontier: Frontier;
  readonly tried: Tried;
  /** Names of the rules that stop runs under every policy. */
  readonly rules: readonly string[];
  /** Caps that every policy has, in their own units. */
  readonly fixed: { readonly [limit in LimitName]?: number };
}

/** Rows that a reader looks through; a file is for who needs more. */
const SHOWN = 20;

/** The frontier of a sweep, as `sweep` prints it. */
export function sweepBlocks({ result, frontier, tried, rules, fixed }: SweepView): Block[] {
  const { population, runs, verified } = result;
  const row = createRows(result, frontier);
  const shown = frontier.points.slice(0, SHOWN).map(row);
  const limits = LIMITS.filter((limit) => tried[limit] !== undefined);
  return [
    heading('Caps that no other combination beats'),
    ...populationBlocks(population),
    paragraph(populationText(runs, verified, population, 0)),
    paragraph(triedText(result.length, limits, tried)),
    ...fixedBlocks(rules, fixed),
    ...tableBlocks({
      title: null,
      columns: [
        ...limits.map((limit) => right(limit)),
        ...['false stops', 'rate', '95 % up to', 'stops', SPENT[frontier.metric], 'saved'].map(right),
      ],
      rows: shown.map((each) => cellsOf(each, limits, frontier.metric)),
      notes: notesOf(result, frontier),
    }),
    list(doubtsOf(result, limits, shown)),
  ];
}

const SPENT: Readonly<Record<Metric, string>> = {
  passes: 'passes spent',
  tokens: 'tokens spent',
  seconds: 'time spent',
  usd: 'usd spent',
};

function triedText(combinations: number, limits: readonly LimitName[], tried: Tried): string {
  const lists = limits.map((limit) => {
    const caps = tried[limit] ?? [];
    const words = caps.length > 12 ? [...caps.slice(0, 5), '…', ...caps.slice(-3)] : caps;
    return `${limit} ${words.map((cap) => (typeof cap === 'string' ? cap : capText(limit, cap))).join(', ')}`;
  });
  return `${plural(combinations, 'combination')} of caps tried: ${lists.join('; ')}.`;
}

function fixedBlocks(rules: readonly string[], fixed: SweepView['fixed']): Block[] {
  const caps = LIMITS.filter((limit) => fixed[limit] !== undefined).map(
    (limit) => `${limit} ${capText(limit, fixed[limit] ?? null)}`,
  );
  const parts = [...caps, ...rules.map((rule) => nameText(rule))];
  return parts.length === 0 ? [] : [paragraph(`Kept in all of them: ${parts.join('; ')}.`)];
}

function capText(limit: LimitName, cap: number | null): string {
  return cap === null ? 'none' : formatExact(limit, cap);
}

function cellsOf(row: SweepRow, limits: readonly LimitName[], metric: Metric): string[] {
  const spend = row.spend[metric];
  return [
    ...limits.map((limit) => capText(limit, row.caps[limit] ?? null)),
    formatCount(row.false_stops),
    formatPercent(row.rate),
    formatPercent(row.ci95?.[1] ?? null),
    formatCount(row.stops),
    formatAmountShort(metric, spend?.replayed ?? null),
    formatPercent(spend?.reduction ?? null),
  ];
}

function notesOf({ population }: SweepResult, { points, metric }: Frontier): string[] {
  const more = points.length - SHOWN;
  return [
    `false stops: ${successes(population)} cut off; 95 % up to: the upper end of the exact interval of their rate`,
    `every combination left out has more of them for as many ${WEIGHED[metric]}, or spends more for as few; of several with the same figures the one with the loosest caps is shown`,
    ...(more > 0 ? [`${plural(more, 'more point')} with more false stops: --csv and --json have them`] : []),
  ];
}

const WEIGHED: Readonly<Record<Metric, string>> = {
  passes: 'passes',
  tokens: 'tokens',
  seconds: 'seconds',
  usd: 'dollars',
};

function doubtsOf(result: SweepResult, limits: readonly LimitName[], shown: readonly SweepRow[]): string[] {
  const { runs, recorded } = result;
  const blind = METRICS.filter((metric) => limits.includes(metric)).flatMap((metric) => {
    const unknown = runs - (recorded[metric]?.known_runs ?? 0);
    return unknown === 0 ? [] : [`${metric} in ${plural(unknown, 'run')}`];
  });
  const censored = Math.max(0, ...shown.map((row) => row.censored));
  const isBounded = shown.some((row) => row.bounds !== undefined);
  return [
    'These caps are chosen on the runs that they are judged by: on other runs they cut a little more. A replay takes the recorded behaviour as given; it does not promise.',
    ...(blind.length === 0 ? [] : [`Not known: ${blind.join(', ')}. There such a cap stops nothing that is counted.`]),
    ...(censored === 0
      ? []
      : [
          `Up to ${plural(censored, 'run')} stopped while recording would go on: what would become of them is unknown.`,
        ]),
    ...(isBounded ? ['Some figures are not exact: --json has their bounds.'] : []),
  ];
}
