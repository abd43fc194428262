import { LIMITS, METRICS, type Metric } from '../model/limits.js';
import type { DriftCaps, DriftReport, DriftUnderCaps } from '../replay/drift-result.js';
import { type Block, paragraph, strong, tableBlocks } from './blocks.js';
import { nameText } from './escape.js';
import { formatCount, formatLimit, formatOf, formatPercent, formatSetting, UNKNOWN } from './format.js';
import { spendTexts } from './sentences.js';

/** What the old caps do to the old runs and to the new ones, or why there are none. */
export function capsBlocks({ caps }: DriftReport): Block[] {
  if (caps === null) return [paragraph('No caps to hold the new runs against: the old runs give none.')];
  const row = (name: string, cell: (side: DriftUnderCaps) => string): string[] => [
    name,
    cell(caps.old),
    cell(caps.new),
  ];
  const spends = METRICS.filter((metric) => caps.old.spend[metric] !== null || caps.new.spend[metric] !== null);
  const table = tableBlocks({
    title: 'The old caps on the old and the new runs',
    columns: [
      { header: '', align: 'left' },
      { header: 'old', align: 'right' },
      { header: 'new', align: 'right' },
    ],
    rows: [
      row('false stops', stopsText),
      row('false-stop rate', ({ false_stops: { rate, rate_at_most } }) => rangeText(rate, rate_at_most)),
      row('95 % interval of the rate', ({ false_stops: { ci95 } }) =>
        ci95 === null ? UNKNOWN : rangeText(ci95[0], ci95[1]),
      ),
      row('runs that end as stopped', ({ stopped: { count, share, open }, runs }) =>
        rangeText(share, runs === 0 ? null : (count + open) / runs),
      ),
      ...spends.map((metric) => row(`${metric} left by the caps`, (side) => spendText(metric, side))),
    ],
    notes: [policyNote(caps), ...censoredNote(caps)],
  });
  return [...table, ...unjudgedBlocks(caps), ...cutTooMany(caps)];
}

function stopsText({ false_stops: { count, at_most }, verified }: DriftUnderCaps): string {
  if (count === null) return UNKNOWN;
  return at_most > count ? `${formatCount(count)} to ${formatOf(at_most, verified)}` : formatOf(count, verified);
}

/** Both ends, or the one figure that they are. */
function rangeText(low: number | null, high: number | null): string {
  if (low === null) return UNKNOWN;
  return high === null || high <= low ? formatPercent(low) : `${formatPercent(low)} to ${formatPercent(high)}`;
}

function spendText(metric: Metric, { spend, bounds, false_stops, verified }: DriftUnderCaps): string {
  const known = spend[metric];
  if (known === null || (false_stops.judged === 0 && verified > 0)) return UNKNOWN;
  const { replayed, change } = spendTexts(metric, known, bounds?.spend[metric] ?? null);
  return `${replayed} (${change})`;
}

/** Of which good runs nobody can tell what the old caps do to them, and why. */
function unjudgedBlocks({ old, new: fresh }: DriftCaps): Block[] {
  const text = (name: string, { false_stops, verified }: DriftUnderCaps): string[] => {
    const { not_judged, judged } = false_stops;
    if (not_judged === null) return [];
    const which =
      judged === 0
        ? `the ${formatCount(verified)}`
        : `${formatCount(verified - judged)} of the ${formatCount(verified)}`;
    return [
      `What the old caps do to ${which} ${name} good runs cannot be told: their record lacks what it takes to judge ${not_judged}.`,
    ];
  };
  const texts = [...text('old', old), ...text('new', fresh)];
  return texts.length === 0 ? [] : [strong(texts.join(' '))];
}

/** Where the new runs show that the old caps cut more than accepted, whatever the tests of drift see. */
function cutTooMany({ new: fresh, accepted_rate }: DriftCaps): Block[] {
  const low = fresh.false_stops.ci95?.[0] ?? 0;
  if (low <= accepted_rate) return [];
  const text = `Whether or not the runs have moved: under the old caps ${formatPercent(fresh.false_stops.rate)} of the new good runs are cut, and at least ${formatPercent(low)} by the interval, where ${formatSetting(accepted_rate)} is accepted. Derive the caps again.`;
  return [strong(text)];
}

function policyNote(caps: DriftCaps): string {
  const words = LIMITS.flatMap((limit) => {
    const cap = caps.limits[limit];
    return cap === undefined ? [] : [formatLimit(limit, cap)];
  });
  const rules = caps.rules.map((name) => nameText(name, 24));
  const from =
    caps.from === 'policy'
      ? 'the policy named'
      : 'derived from the old runs, which flatters the figures of the old runs';
  const limits = [...words, ...rules];
  return `caps: ${limits.length === 0 ? 'none' : limits.join(', ')}; ${from}`;
}

function censoredNote(caps: DriftCaps): string[] {
  if (caps.old.censored + caps.new.censored === 0) return [];
  return [
    `${caps.old.censored} old and ${caps.new.censored} new runs were stopped while recording and would go on under these caps: how, and how far, is not known`,
  ];
}
