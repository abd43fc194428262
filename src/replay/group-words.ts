import { FEWEST_IN_GROUP } from '../calibrate/group-test.js';
import type { GroupLabels } from '../calibrate/groups.js';
import { numberText } from '../model/decimal-text.js';
import type { Metric } from '../model/limits.js';
import { plural, shownValue } from '../model/words.js';
import type { GroupCost, GroupOutcome } from './group-result.js';
import { brief } from './mixed-tasks.js';

/** Groups named in a sentence; the table has all. */
const NAMED = 3;
/** A difference in spend that is worth a sentence. */
const WORTH_SAYING = 0.05;

/** What one policy for all costs which group, in a sentence or two. */
export function costVerdict(groups: readonly GroupCost[], weighed: Metric): string {
  if (groups.length === 0) return `No group has ${FEWEST_IN_GROUP} successes, so none can have caps of its own.`;
  if (groups.length === 1) return 'Only one group is large enough for caps of its own, so there is nothing to weigh.';
  const dearer = groups
    .filter((group) => group.extra_false_stops > 0 && !isOpen(group))
    .sort((a, b) => b.extra_false_stops - a.extra_false_stops);
  const open = groups.filter(isOpen);
  const stops = [
    ...(dearer.length === 0 ? [] : [`One policy for all costs ${listed(dearer.map(stopClause))}.`]),
    ...(open.length === 0
      ? []
      : [
          `Whether one policy for all makes more false stops than a group's own caps cannot be told for ${listed(open.map(openClause))}.`,
        ]),
    ...(dearer.length + open.length > 0
      ? []
      : ['One policy for all makes no more false stops in any group than its own caps would.']),
  ].join(' ');
  const spending = groups
    .filter(({ extra_spend }) => (extra_spend ?? 0) >= WORTH_SAYING)
    .sort((a, b) => (b.extra_spend ?? 0) - (a.extra_spend ?? 0));
  if (spending.length === 0) return stops;
  return `${stops} It spends ${listed(spending.map((each) => spendClause(each, weighed)))} than its own caps would.`;
}

/** Whether the record leaves open which of the two stops more. */
function isOpen({ pooled, own }: GroupCost): boolean {
  const [underPooled, underOwn] = [pooled.false_stops, own.false_stops];
  if (underPooled.at_most === null && underOwn.at_most === null) return false;
  const mayBeMore = (underPooled.at_most ?? underPooled.count) > underOwn.count;
  return mayBeMore && underPooled.count <= (underOwn.at_most ?? underOwn.count);
}

function openClause({ labels, verified, pooled, own }: GroupCost): string {
  return `${nameOf(labels)} (${rangeText(pooled)} against ${rangeText(own)} of ${numberText(verified)})`;
}

function rangeText({ false_stops: { count: least, at_most } }: GroupOutcome): string {
  return at_most === null ? numberText(least) : `${numberText(least)} to ${numberText(at_most)}`;
}

function stopClause({ labels, verified, pooled, own, extra_false_stops }: GroupCost): string {
  return `${plural(extra_false_stops, 'more false stop')} in ${nameOf(labels)} than its own would (${numberText(pooled.false_stops.count)} against ${numberText(own.false_stops.count)} of ${numberText(verified)})`;
}

function spendClause({ labels, extra_spend }: GroupCost, weighed: Metric): string {
  const more = numberText(Number((100 * (extra_spend ?? 0)).toPrecision(3)));
  return `${more} % more ${MEASURES[weighed]} in ${nameOf(labels)}`;
}

const MEASURES: Readonly<Record<Metric, string>> = {
  passes: 'passes',
  tokens: 'tokens',
  seconds: 'time',
  usd: 'dollars',
};

/** Some of them, and how many there are besides. */
function listed(clauses: readonly string[]): string {
  const more = clauses.length - NAMED;
  return clauses.slice(0, NAMED).join(', ') + (more > 0 ? `, and so on in ${plural(more, 'more group')}` : '');
}

/** What a reader must know beside the figures. @param differ whether a test found the groups to differ at all */
export function costNotes(groups: readonly GroupCost[], differ: boolean | null): string[] {
  const [first] = groups;
  if (first === undefined) return [];
  const few = groups.filter(({ more_to_claim }) => more_to_claim > 0);
  return [
    ...(differ === false
      ? ['No test sees the groups differ, so a few false stops more or less are what chance gives, too.']
      : []),
    "A group's own caps are judged on the runs that they were taken from, so they look better than they are; the fewer the runs, the more so.",
    ...(few.length === 0
      ? []
      : [
          `Too few successes for caps of their own to bear out the accepted rate with 95 % confidence: ${few
            .slice(0, NAMED)
            .map(({ labels, more_to_claim }) => `${nameOf(labels)} (needs ${numberText(more_to_claim)} more)`)
            .join(', ')}${few.length > NAMED ? `, and ${plural(few.length - NAMED, 'more group')}` : ''}.`,
        ]),
    ...whereNote(first.labels),
  ];
}

/** How a policy for a group alone is made; nothing where no condition names it. */
function whereNote(labels: GroupLabels): string[] {
  const values = Object.entries(labels);
  if (values.some(([, value]) => value === null)) return [];
  const conditions = values.map(([name, value]) => `--where ${brief(name)}=${brief(shownValue(value ?? ''))}`);
  return [`A policy for one group alone: for instance ${conditions.join(' ')}.`];
}

/** `task=refund, model=m-1`; a run without the label is `(none)`. */
function nameOf(labels: GroupLabels): string {
  return Object.entries(labels)
    .map(([name, value]) => `${brief(name)}=${value === null ? '(none)' : brief(shownValue(value))}`)
    .join(', ');
}
