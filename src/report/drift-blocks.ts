import { METRICS } from '../model/limits.js';
import type { DriftReport, DriftTest } from '../replay/drift-result.js';
import { pText, testName } from '../replay/drift-words.js';
import { type Block, heading, list, paragraph, strong, tableBlocks } from './blocks.js';
import { formatAmount, formatCount, formatPercent, formatSetting } from './format.js';
import { populationBlocks } from './population.js';
import { populationText } from './sentences.js';
import type { Column, Table } from './table.js';

/** Whether the successes have moved, as `drift` prints it. */
export function driftBlocks(drift: DriftReport): Block[] {
  const unmade = drift.tests.filter(({ not_judged }) => not_judged !== null);
  return [
    heading('Drift'),
    ...populationBlocks(drift.population),
    paragraph(`Old: ${populationText(drift.old.runs, drift.old.verified, drift.population, 0)}`),
    paragraph(`New: ${populationText(drift.new.runs, drift.new.verified, drift.population, 0)}`),
    strong(drift.verdict),
    ...(drift.unseen === null ? [] : [paragraph(drift.unseen)]),
    ...tableBlocks(quantileTable(drift)),
    ...tableBlocks(testTable(drift)),
    ...(unmade.length === 0 ? [] : [list(unmade.map(unmadeText))]),
  ];
}

function numbers(headers: readonly string[]): Column[] {
  return headers.map((header) => ({ header, align: 'right' }));
}

const SHOWN = ['p50', 'p95', 'p99', 'max'] as const;

function quantileTable(drift: DriftReport): Table {
  const known = METRICS.filter((metric) => drift.old.quantiles[metric] ?? drift.new.quantiles[metric]);
  return {
    title: 'Percentiles of the successes',
    columns: [{ header: 'metric', align: 'left' }, { header: 'set', align: 'left' }, ...numbers([...SHOWN, 'n'])],
    rows: known.flatMap((metric) =>
      (['old', 'new'] as const).map((side) => {
        const quantiles = drift[side].quantiles[metric];
        const cells = SHOWN.map((name) => formatAmount(metric, quantiles?.[name] ?? null));
        return [metric, side, ...cells, formatCount(quantiles?.n ?? 0)];
      }),
    ),
    notes: [],
  };
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
      'pairs: how often a new run is larger than an old one; top tenth: the same among the largest of both; above pN: new runs above the old percentile',
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
  return [
    metric ?? 'share',
    isTail ? `above p${Number(((test.p ?? 0) * 100).toPrecision(12))}` : test.test === 'top' ? 'top tenth' : 'pairs',
    isTail ? `${formatCount(seen)} of ${formatCount(n_new)}` : formatPercent(seen),
    isTail ? formatCount(expected) : formatPercent(expected),
    isTail ? formatCount(from) : formatPercent(from),
    test.moved ?? 'no',
    pText(test.adjusted_p),
  ];
}

function unmadeText(test: DriftTest): string {
  return `${test.metric ?? 'share'}, ${testName(test)}: not judged, ${test.not_judged}`;
}
