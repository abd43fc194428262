import type { DeriveReport } from '../calibrate/result.js';
import { fromAtoms } from '../model/atoms.js';
import type { Policy } from '../policy/policy.js';
import type { ReplayReport } from '../replay/result.js';
import type { Fact } from './blocks.js';
import { nameText } from './escape.js';
import { formatAmount, formatAmountShort, formatExact, formatOf, formatPercent, plural } from './format.js';
import { numberOf } from './provenance.js';
import { blindText, falseStopText, populationText, reductionText, upToSuccesses } from './sentences.js';

/** What one run can cost: the dollar cap, else the token cap at a price, else that nobody knows. */
export function moneyText(policy: Policy, replay: ReplayReport | null, usdPerMillionTokens: number | null): string {
  const { usd, tokens } = policy.caps;
  if (usd !== undefined) return `${formatExact('usd', fromAtoms('usd', usd))} a run: the usd cap.`;
  if (tokens === undefined) return 'unknown: neither a usd cap nor a token cap.';
  const price = usdPerMillionTokens ?? recordedPrice(replay);
  if (price === null) return 'unknown: no prices.';
  const source = usdPerMillionTokens === null ? 'the average of the recorded runs' : 'the price given';
  const bill = formatAmount('usd', (tokens / 1e6) * price);
  return `about ${bill} a run: the token cap at ${formatAmount('usd', price)} a million tokens, ${source}.`;
}

/** Dollars a million tokens as recorded; `null` unless both are known for the same number of runs. */
function recordedPrice(replay: ReplayReport | null): number | null {
  const { tokens, usd } = replay?.spend ?? { tokens: null, usd: null };
  if (tokens === null || usd === null || tokens.recorded === 0 || tokens.known_runs !== usd.known_runs) return null;
  return (usd.recorded / tokens.recorded) * 1e6;
}

/** On what the card rests: runs, verified runs, date, source, fingerprint, and what the replay found. */
export function measuredFacts(
  policy: Policy,
  derive: DeriveReport | null,
  replay: ReplayReport | null,
  population: string,
): Fact[] {
  const kept = policy.measured ?? {};
  const text = (key: string, width?: number): string | null =>
    typeof kept[key] === 'string' ? nameText(kept[key], width) : null;
  const runs = derive?.runs ?? replay?.runs ?? numberOf(kept.runs);
  const verified = derive?.verified ?? replay?.verified ?? numberOf(kept.verified);
  return [
    { term: 'Runs', text: runsText(runs, verified, population) },
    { term: 'Source', text: `${text('source', 200) ?? 'not named'}, ${text('date') ?? 'date unknown'}` },
    { term: 'Fingerprint', text: fingerprintText(text('fingerprint', 200)) },
    ...replayFacts(replay),
  ];
}

function runsText(runs: number | null, verified: number | null, population: string): string {
  if (runs === null) return 'unknown: this policy was not measured.';
  if (verified === null) return `${plural(runs, 'run')}; how many were verified is unknown.`;
  return populationText(runs, verified, population, 0);
}

/** Enough of a digest to compare by eye; the policy file holds all of it. */
function fingerprintText(fingerprint: string | null): string {
  if (fingerprint === null) return 'unknown';
  return fingerprint.replace(/^(sha256:[0-9a-f]{16})[0-9a-f]+$/, '$1…');
}

function replayFacts(replay: ReplayReport | null): Fact[] {
  if (replay === null) return [{ term: 'Replay', text: 'none: what this policy would have done is unknown.' }];
  const { tokens } = replay.spend;
  const stopped = replay.by_status.stopped_budget;
  const share = replay.runs === 0 ? '' : ` (${formatPercent(stopped / replay.runs)})`;
  return [
    { term: 'False stops', text: falseStopText(replay) },
    { term: 'Stopped', text: `${formatOf(stopped, replay.runs)} runs${share}.` },
    {
      term: 'Spend',
      text:
        tokens === null ? 'tokens unknown.' : reductionText('tokens', tokens, replay.runs, replay.bounds?.spend.tokens),
    },
    ...boundFacts(replay),
  ];
}

function boundFacts(replay: ReplayReport): Fact[] {
  const facts: Fact[] = [];
  const { approximate, bounds } = replay;
  const blind = blindText(replay).trim();
  if (approximate || bounds?.unjudged != null) {
    const [low, high] = bounds?.false_stops ?? [null, null];
    const upTo = upToSuccesses(replay);
    const of = upTo === null ? '' : ` of ${upTo}`;
    const range = low === null || high === null ? '' : `; false stops from ${low} to ${high}${of}`;
    const why = approximate ? 'some runs are known in total only' : 'some runs could not be judged by every limit';
    facts.push({ term: 'Approximate', text: `${blind === '' ? '' : `${blind} `}${why}${range}.` });
  }
  if (replay.censored > 0) {
    const text = `${plural(replay.censored, 'run')} stopped while recording: how they would have gone on is unknown.`;
    facts.push({ term: 'Censored', text });
  }
  return facts;
}

/** What a reader of the card must keep in mind. */
export function noteTexts(replay: ReplayReport | null): string[] {
  const bill = replay === null ? '' : billText(replay);
  return [
    `The pass that crosses a cap is billed in full, so a run can end above its cap${bill}.`,
    'A replay takes the recorded behaviour as given: an estimate, not a promise.',
  ];
}

function billText(replay: ReplayReport): string {
  const tokens = replay.max_bill.tokens;
  return tokens === null ? '' : ` (largest bill replayed: ${formatAmountShort('tokens', tokens)} tokens)`;
}
