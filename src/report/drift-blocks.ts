import { METRICS, type Metric } from '../model/limits.js';
import type { DriftReport, DriftTest } from '../replay/drift-result.js';
import { percentileText, pText, testName } from '../replay/drift-words.js';
import { type Block, heading, list, paragraph, strong, tableBlocks } from './blocks.js';
import { warningBlocks } from './diagnosis-blocks.js';
import { alarmBlocks } from './drift-alarms.js';
import { capsBlocks } from './drift-caps-blocks.js';
import { endingTable } from './drift-endings.js';
import { nameText } from './escape.js';
import { formatAmount, formatCount, formatPercent, formatSetting, plural, signed } from './format.js';
import { populationBlocks } from './population.js';
import { populationText } from './sentences.js';
import type { Column, Table } from './table.js';

/** Whether runs have moved, as `drift` prints it: the answer first, then what it rests on. */
export function driftBlocks(drift: DriftReport): Block[] {
  const unmade = drift.tests.filter(({ not_judged }) => not_judged !== null);
  return [
    heading('Drift'),
    ...populationBlocks(drift.population),
    ...splitBlocks(drift),
    paragraph(`Old: ${populationText(drift.old.runs, drift.old.verified, drift.population, 0)}`),
    paragraph(`New: ${populationText(drift.new.runs, drift.new.verified, drift.population, 0)}`),
    strong(drift.verdict),
    ...alarmBlocks(drift),
    ...chanceBlocks(drift),
    ...tableBlocks(changeTable(drift)),
    ...unknownBlocks(drift),
    ...tableBlocks(endingTable(drift)),
    ...capsBlocks(drift),
    ...tableBlocks(testTable(drift)),
    ...(unmade.length === 0 ? [] : [list(unmade.map(unmadeText))]),
    ...warningBlocks(drift.warnings),
  ];
}

function splitBlocks({ split }: DriftReport): Block[] {
  if (split === null) return [];
  const undated =
    split.undated === 0
      ? ''
      : ` ${plural(split.undated, 'run')} without a known start ${split.undated === 1 ? 'is' : 'are'} left out.`;
  const how = split.by === 'half' ? ' (the newer half of the runs)' : '';
  return [paragraph(`New are the runs that started at ${split.at} or later${how}; old those before.${undated}`)];
}

/** What differences below mean where nothing alarms, and beside alarms which shifts would not be seen. */
function chanceBlocks({ answer, unseen }: DriftReport): Block[] {
  if (answer === 'not moved') {
    return [paragraph('Chance alone brings about differences such as those below, where nothing has moved.')];
  }
  // The headline has it already where it cannot be told.
  return answer !== 'moved' || unseen === null ? [] : [paragraph(unseen)];
}

/** Sizes that neither set tells. */
function unknownBlocks({ old, new: fresh }: DriftReport): Block[] {
  const unknown = METRICS.filter((metric) => old.quantiles[metric] === null && fresh.quantiles[metric] === null);
  if (unknown.length === 0 || unknown.length === METRICS.length) return [];
  return [paragraph(`Not recorded in either set, so not compared: ${unknown.join(', ')}.`)];
}

function numbers(headers: readonly string[]): Column[] {
  return headers.map((header) => ({ header, align: 'right' }));
}

const SHOWN = ['p50', 'p99', 'max'] as const;

function changeTable(drift: DriftReport): Table {
  const known = METRICS.filter((metric) => drift.old.quantiles[metric] ?? drift.new.quantiles[metric]);
  return {
    title: 'Sizes of the successes',
    columns: [
      { header: 'metric', align: 'left' },
      { header: '', align: 'left' },
      ...numbers(['old', 'new', 'change', 'in %']),
    ],
    rows: known.flatMap((metric) => [
      ...SHOWN.map((name) => [metric, name, ...changeCells(drift, metric, name)]),
      [
        metric,
        'known for',
        ...(['old', 'new'] as const).map((side) => formatCount(drift[side].quantiles[metric]?.n ?? 0)),
        '',
        '',
      ],
    ]),
    notes: [],
  };
}

function changeCells(drift: DriftReport, metric: Metric, name: (typeof SHOWN)[number]): string[] {
  const [old, fresh] = [drift.old.quantiles[metric]?.[name] ?? null, drift.new.quantiles[metric]?.[name] ?? null];
  const change = drift.changes[metric]?.[name];
  return [
    formatAmount(metric, old),
    formatAmount(metric, fresh),
    change === undefined ? '' : signed(formatAmount(metric, change.change), change.change),
    change === undefined ? '' : change.share === null ? 'unknown' : signed(formatPercent(change.share), change.share),
  ];
}

function testTable(drift: DriftReport): Table {
  return {
    title: 'Tests',
    columns: [
      { header: 'metric', align: 'left' },
      { header: 'test', align: 'left' },
      ...numbers(['seen', 'expected', 'alarm from']),
      { header: 'moved', align: 'left' },
      ...numbers(['p']),
    ],
    rows: drift.tests.filter(({ p_value }) => p_value !== null).map(testCells),
    notes: [
      'pairs: how often a new run is larger than an old one; top tenth: the same among the largest of both; above pN: new runs above the old percentile; others: how many of the runs end so (exact test)',
      'alarm from: as the clearest of all tests; beside clearer ones less is enough',
      `p is adjusted for all tests made (Holm): if nothing has moved, any of them alarms in at most ${formatSetting(drift.alarm_rate)} of comparisons`,
    ],
  };
}

function testCells(test: DriftTest): string[] {
  const { metric, seen, expected, n_new, alarms } = test;
  const isTail = test.test === 'tail';
  const isDown = seen !== null && expected !== null && seen < expected && alarms?.down != null;
  const from = isDown ? alarms.down : (alarms?.up ?? null);
  const format = isTail ? formatCount : formatPercent;
  return [
    metric ?? 'all runs',
    test.ending === null ? (TEST_NAMES[test.test] ?? `above ${percentileText(test.p)}`) : nameText(test.ending, 20),
    isTail ? `${formatCount(seen)} of ${formatCount(n_new)}` : format(seen),
    format(expected),
    format(from),
    test.moved ?? 'no',
    pText(test.adjusted_p),
  ];
}

const TEST_NAMES: { readonly [kind in DriftTest['test']]?: string } = {
  rank: 'pairs',
  top: 'top tenth',
  share: 'verified',
};

function unmadeText(test: DriftTest): string {
  return `${test.metric ?? 'all runs'}, ${testName(test)}: not judged, ${test.not_judged}`;
}
