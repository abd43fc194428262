import type { GroupMetricTest, GroupMiddle, GroupTest, SmallGroup } from '../calibrate/group-result.js';
import { METRICS, type Metric } from '../model/limits.js';
import { pText } from '../replay/drift-words.js';
import type { GroupCosts, GroupOutcome } from '../replay/group-result.js';
import { type Block, heading, list, paragraph, strong, tableBlocks } from './blocks.js';
import {
  formatAmount,
  formatAmountShort,
  formatCount,
  formatExact,
  formatPercent,
  formatSetting,
  plural,
} from './format.js';
import { GROUP_COLUMN, groupName, shownGroups } from './groups.js';
import type { Column, Table } from './table.js';

/** Groups that are named where they are too small; the others are counted. */
const SMALL_SHOWN = 10;

/** Whether the groups differ, and what one policy for all costs each; nothing where there are no groups. */
export function groupBlocks(test: GroupTest | undefined, costs: GroupCosts | undefined): Block[] {
  if (test === undefined) return [];
  const unmade = test.tests.flatMap(({ metric, not_judged }) =>
    not_judged === null ? [] : [`${metric}: not judged, ${not_judged}`],
  );
  return [
    heading('Do the groups differ?'),
    strong(test.verdict),
    ...tableBlocks(testTable(test)),
    ...(unmade.length === 0 ? [] : [list(unmade)]),
    ...costBlocks(costs),
    ...smallBlocks(test.left_out),
  ];
}

function numbers(headers: readonly string[]): Column[] {
  return headers.map((header) => ({ header, align: 'right' }));
}

function testTable({ tests, alarm_rate, compared, fewest }: GroupTest): Table {
  return {
    title: `Sizes of the successes, ${plural(compared, 'group')} compared`,
    columns: [
      { header: 'metric', align: 'left' },
      { header: 'lowest median', align: 'left', maxWidth: 28 },
      { header: 'highest median', align: 'left', maxWidth: 28 },
      ...numbers(['spread']),
      { header: 'effect', align: 'left' },
      ...numbers(['p']),
    ],
    rows: tests.filter(({ not_judged }) => not_judged === null).map(testCells),
    notes: [
      'spread: which share of all differences in rank lies between the groups (epsilon squared); effect: below 1 % negligible, from 6 % medium, from 14 % large (Cohen 1988)',
      `p: how likely such differences are if the groups are alike (Kruskal-Wallis), adjusted for all tests made (Holm): below ${formatSetting(alarm_rate)} they count as different. Groups of fewer than ${fewest} successes take no part`,
    ],
  };
}

function testCells(test: GroupMetricTest): string[] {
  const { metric, lowest, highest, epsilon_squared, effect, adjusted_p } = test;
  return [
    metric,
    middleText(metric, lowest),
    middleText(metric, highest),
    formatPercent(epsilon_squared),
    effect ?? '-',
    pText(adjusted_p),
  ];
}

function middleText(metric: Metric, middle: GroupMiddle | null): string {
  return middle === null ? '-' : `${formatAmount(metric, middle.median)} ${groupName(middle.labels)}`;
}

function costBlocks(costs: GroupCosts | undefined): Block[] {
  // One group alone is weighed against nothing, and the verdict above has said so.
  if (costs === undefined || costs.groups.length < 2) return [];
  return [
    heading('One policy, or one for each group?'),
    strong(costs.verdict),
    ...tableBlocks(costTable(costs)),
    ...tableBlocks(capTable(costs)),
    ...(costs.notes.length === 0 ? [] : [list(costs.notes)]),
  ];
}

function costTable({ groups, weighed }: GroupCosts): Table {
  const { shown, notes } = shownGroups(groups);
  return {
    title: 'The caps of all runs, against caps of the group alone',
    columns: [
      { ...GROUP_COLUMN, maxWidth: 28 },
      ...numbers(['verified', 'false stops: all', 'own', `${weighed}: all`, 'own', 'difference']),
    ],
    rows: shown.map(({ labels, verified, pooled, own, extra_spend }) => [
      groupName(labels),
      formatCount(verified),
      stopText(pooled),
      stopText(own),
      formatAmountShort(weighed, pooled.spend[weighed]?.replayed ?? null),
      formatAmountShort(weighed, own.spend[weighed]?.replayed ?? null),
      changeText(extra_spend),
    ]),
    notes: [
      'all: under the caps derived from all runs; own: under caps derived in the same way from this group alone; both without any rule; difference: what the caps of all spend more',
      ...notes,
    ],
  };
}

function stopText({ false_stops }: GroupOutcome): string {
  const { count, at_most, rate } = false_stops;
  if (at_most !== null) return `${formatCount(count)} to ${formatCount(at_most)}`;
  return `${formatCount(count)} (${formatPercent(rate)})`;
}

function changeText(share: number | null): string {
  return share !== null && share > 0 ? `+${formatPercent(share)}` : formatPercent(share);
}

function capTable({ groups }: GroupCosts): Table {
  const { shown, notes } = shownGroups(groups);
  const pooled = groups[0]?.pooled.caps;
  const metrics = METRICS.filter(
    (metric) => pooled?.[metric] != null || groups.some(({ own }) => own.caps[metric] !== null),
  );
  const cells = (caps: GroupOutcome['caps'] | undefined): string[] =>
    metrics.map((metric) => (caps?.[metric] == null ? 'no cap' : formatExact(metric, caps[metric])));
  return {
    title: 'Those caps',
    columns: [{ ...GROUP_COLUMN, maxWidth: 28 }, ...numbers(metrics)],
    rows: [['all runs', ...cells(pooled)], ...shown.map(({ labels, own }) => [groupName(labels), ...cells(own.caps)])],
    notes,
  };
}

function smallBlocks(groups: readonly SmallGroup[]): Block[] {
  if (groups.length === 0) return [];
  const shown = groups.slice(0, SMALL_SHOWN).map(({ labels, reason }) => `${groupName(labels)}: ${reason}`);
  const rest = groups.length - shown.length;
  return [
    paragraph('Too small to be compared, or to have caps of their own:'),
    list([...shown, ...(rest > 0 ? [`… and ${plural(rest, 'more group')}, see --json`] : [])]),
  ];
}
