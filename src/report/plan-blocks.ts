import { METRICS, type Metric } from '../model/limits.js';
import type { Further, PlanClaim, PlanReport } from '../replay/plan-result.js';
import { capsName, claimText } from '../replay/plan-words.js';
import { type Block, heading, list, paragraph, strong, tableBlocks } from './blocks.js';
import { warningBlocks } from './diagnosis-blocks.js';
import { formatAmount, formatCount, formatLimit, formatOf, formatSetting } from './format.js';
import { populationBlocks } from './population.js';
import { populationText } from './sentences.js';
import { addNote, type Column, type Table } from './table.js';

/** How many more verified runs a claim needs, as `plan` prints it. */
export function planBlocks(plan: PlanReport): Block[] {
  const { population, runs, verified, claims } = plan;
  const caps = claims.flatMap(capsText);
  return [
    heading('Plan'),
    ...(population === null ? [] : populationBlocks(population)),
    ...(population === null || runs === null || verified === null
      ? []
      : [paragraph(populationText(runs, verified, population, 0))]),
    strong(plan.verdict),
    ...(verified === null ? [] : tableBlocks(claimTable(plan))),
    ...(caps.length === 0 ? [] : [list(caps)]),
    ...tableBlocks(todayTable(plan)),
    ...tableBlocks(neededTable(plan)),
    ...warningBlocks(plan.warnings),
  ];
}

function numbers(headers: readonly string[]): Column[] {
  return headers.map((header) => ({ header, align: 'right' }));
}

function claimTable(plan: PlanReport): Table {
  const notes: string[] = [];
  const { claims, target, confidence } = plan;
  return {
    title: `What may be claimed today with ${formatSetting(confidence)} confidence, and what ${formatSetting(target)} takes`,
    columns: [
      { header: 'caps', align: 'left' },
      ...numbers(['cut', 'counts as', 'at most', 'more verified', 'to record']),
    ],
    rows: claims.map((claim) => [
      capsName(claim),
      formatOf(claim.cut, claim.of),
      formatCount(claim.counted_as) + (claim.counted_as > claim.cut ? addNote(notes, FURTHER_CAPS) : ''),
      claimText(claim.at_most ?? 1),
      claim.met ? 'none' : moreText(claim.if_none_cut),
      claim.met ? 'none' : runsText(claim.if_none_cut),
    ]),
    notes: [...notes, NONE_CUT],
  };
}

const FURTHER_CAPS =
  'several caps chosen on the same runs each have a run of their own to stand on: every cap beyond the first counts as one more';
const NONE_CUT =
  'more verified: further verified runs, if none of them is cut; to record: further runs of any ending that give so many, at the share that ends verified today';

function moreText(further: Further | null): string {
  return further === null ? 'never enough' : formatCount(further.more_verified);
}

function runsText(further: Further | null): string {
  return further?.more_runs == null ? '-' : formatCount(further.more_runs.expected);
}

/** `the derived caps: 26 passes, 460,000 tokens, 270 s`. */
function capsText(claim: PlanClaim): string[] {
  const { values } = claim;
  if (values === null) return [];
  const amounts = METRICS.flatMap((metric) => {
    const value = values[metric];
    return value === undefined ? [] : [amountText(metric, value, claim.caps === 'derived')];
  });
  return [`${capsName(claim)}: ${amounts.join(', ')}`];
}

/** A cap with all its digits, a value that was measured with as many as can be used. */
function amountText(metric: Metric, value: number, isCap: boolean): string {
  return isCap || metric === 'passes' || metric === 'tokens' ? formatLimit(metric, value) : formatAmount(metric, value);
}

function todayTable({ at_n, confidence }: PlanReport): Table {
  return {
    title: `One cap, and ${formatCount(at_n?.verified ?? 0)} verified runs: the claim by how many lie above (${formatSetting(confidence)} confidence)`,
    columns: numbers(['above the cap', 'cuts at most']),
    rows: (at_n?.at_most ?? []).map(({ above, share }) => [formatCount(above), claimText(share)]),
    notes: [],
  };
}

function neededTable({ needed, confidence }: PlanReport): Table {
  const counts = needed[0]?.verified.map(({ above }) => above) ?? [];
  return {
    title: `Verified runs that a claim takes, by how many lie above the cap (${formatSetting(confidence)} confidence)`,
    columns: numbers(['cuts at most', ...counts.map((above) => (above === 0 ? 'none above' : formatCount(above)))]),
    rows: needed.map(({ share, verified }) => [formatSetting(share), ...verified.map(({ runs }) => formatCount(runs))]),
    notes: [],
  };
}
