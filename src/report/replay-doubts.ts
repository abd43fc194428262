import { METRICS } from '../model/limits.js';
import type { Bounds, CensoredCase, ReplayBounds, ReplayReport } from '../replay/result.js';
import { type Block, type Fact, facts, tableBlocks } from './blocks.js';
import { nameText } from './escape.js';
import { formatAmountShort, formatCount, formatOf, formatPercent, plural } from './format.js';
import { tallyText } from './replay-reasons.js';
import { upToSuccesses } from './sentences.js';
import type { Table } from './table.js';

const MAX_NAMES = 12;

/** What the figures of a replay rest on, and where they are not exact. */
export function doubtBlocks(replay: ReplayReport): Block[] {
  const notes = [
    ...claimFacts(replay),
    ...recordedFacts(replay),
    ...streakFacts(replay),
    { term: 'Unverified spend', text: unverifiedText(replay.unverified_spend_share) },
    ...notJudgedFacts(replay),
    ...censoredFacts(replay),
    ...approximateFacts(replay),
    { term: 'An estimate', text: 'A replay takes the recorded behaviour as given; it does not promise.' },
  ];
  return [
    facts(notes),
    ...(replay.bounds === null ? [] : tableBlocks(boundsTable(replay.bounds, upToSuccesses(replay)))),
  ];
}

function claimFacts(replay: ReplayReport): Fact[] {
  const text = tallyText({ ...replay.by_claim }, MAX_NAMES);
  return text === '' ? [] : [{ term: 'By claim', text: `${text}.` }];
}

function recordedFacts(replay: ReplayReport): Fact[] {
  const text = tallyText(replay.recorded_by_reason, MAX_NAMES);
  return text === '' ? [] : [{ term: 'Recorded stops', text: `that stand, by their recorded reason: ${text}.` }];
}

function streakFacts(replay: ReplayReport): Fact[] {
  const { verified, all } = replay.longest_streak;
  if (verified === null && all === null) return [];
  const text = `of identical calls: ${formatCount(verified)} in the successes, ${formatCount(all)} in all runs.`;
  return [{ term: 'Longest streak', text }];
}

function unverifiedText(share: number | null): string {
  if (share === null) return 'unknown: no tokens are recorded.';
  return `${formatPercent(share)} of the recorded tokens went to runs that were not verified.`;
}

function notJudgedFacts(replay: ReplayReport): Fact[] {
  const blind = Object.entries(replay.not_judged).filter(([, runs]) => runs > 0);
  if (blind.length === 0) return [];
  const parts = blind.slice(0, MAX_NAMES).map(([limit, runs]) => `${nameText(limit)} in ${plural(runs, 'run')}`);
  return [
    {
      term: 'Not judged',
      text: `for lack of the figure: ${parts.join(', ')}. Counted as if it stopped none of them; the bounds say what it may.`,
    },
  ];
}

function censoredFacts(replay: ReplayReport): Fact[] {
  if (replay.censored === 0) return [];
  const text =
    'runs were stopped while recording and would go on under this policy: their future is unknown, their recorded ending is kept.';
  const cases = replay.bounds?.censored ?? null;
  const range =
    cases === null
      ? ''
      : ` If none of them would succeed: ${caseText(cases.none_succeed)}; if all would, before this policy stops them: ${caseText(cases.all_succeed)}; if all would, but only beyond it: false stops ${formatPercent(replay.bounds?.false_stop_rate[1] ?? null)}.`;
  return [{ term: 'Censored', text: `${formatCount(replay.censored)} ${text}${range}` }];
}

function caseText(bound: CensoredCase): string {
  return `${formatOf(bound.verified_finished, bound.verified)} finish, false stops ${formatPercent(bound.false_stop_rate)}`;
}

function approximateFacts(replay: ReplayReport): Fact[] {
  if (!replay.approximate) return [];
  const because = replay.bounds?.because ?? [];
  const text = because.length === 0 ? 'some figures are bounds, not values.' : because.join('; ');
  return [{ term: 'Approximate', text }];
}

/** Figures that are ranges. @param upTo what they are of, where that is more than the verified successes */
function boundsTable(bounds: ReplayBounds, upTo: string | null): Table {
  const row = (name: string, [low, high]: Bounds, format: (value: number) => string): string[] => [
    name,
    low === null ? 'open' : format(low),
    high === null ? 'open' : format(high),
  ];
  const spend = METRICS.flatMap((metric) => {
    const range = bounds.spend[metric];
    if (range === undefined) return [];
    return [
      row(`${metric} replayed`, range.replayed, (value) => formatAmountShort(metric, value)),
      row(`${metric} reduction`, range.reduction, formatPercent),
    ];
  });
  return {
    title: 'Bounds',
    columns: [
      { header: 'figure', align: 'left' },
      { header: 'at least', align: 'right' },
      { header: 'at most', align: 'right' },
    ],
    rows: [
      row('verified that finish', bounds.verified_finished, formatCount),
      row('false stops', bounds.false_stops, formatCount),
      row('false-stop rate', bounds.false_stop_rate, formatPercent),
      ...(bounds.ci95 === null ? [] : [row('  its 95 % interval', bounds.ci95, formatPercent)]),
      ...spend,
    ],
    notes: upTo === null ? [] : [`successes and false stops: of ${upTo}`],
  };
}
