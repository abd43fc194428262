import { roundedUp } from '../calibrate/warnings.js';
import { numberText } from '../model/decimal-text.js';
import { plural } from '../model/words.js';
import { percent } from './drift-words.js';
import type { Further, PlanClaim, PlanReport } from './plan-result.js';

/** A claim for a sentence: two digits, never less than what may be claimed. */
export function claimText(share: number): string {
  return claimsNothing(share) ? 'nothing' : `${roundedUp(100 * share)} %`;
}

/** Beyond this a claim reads as 100 %, which is true of any caps. */
const EMPTY_CLAIM = 0.99;

/** Whether a claim says nothing: `null` is one without a run to stand on. */
export function claimsNothing(share: number | null): boolean {
  return share === null || share > EMPTY_CLAIM;
}

/** A share that somebody set, with all its digits: 99.9999999 % is not all. */
function settingText(share: number): string {
  return `${Number((100 * share).toPrecision(12))} %`;
}

/** The claim that the sentence is about: of what was asked for, before what is always told. */
export function askedClaim(claims: readonly PlanClaim[]): PlanClaim | undefined {
  return (['assumed', 'policy', 'derived', 'all_maxima', 'maximum'] as const)
    .map((caps) => claims.find((claim) => claim.caps === caps))
    .find((claim) => claim !== undefined);
}

/** What the caps of a claim are called. */
export function capsName({ caps, values, counted_as }: PlanClaim): string {
  switch (caps) {
    case 'maximum':
      return 'one cap at its maximum';
    case 'all_maxima':
      return `all ${Object.keys(values ?? {}).length} at their maxima`;
    case 'derived':
      return 'the derived caps';
    case 'policy':
      return 'the policy';
    case 'assumed':
      return `${counted_as} above the cap`;
  }
}

/** The answer in words: what may be claimed today, and what the target takes. */
export function planVerdict(report: Omit<PlanReport, 'verdict'>): string {
  if (report.verified === null) return withoutRuns(report);
  if (report.verified === 0) return withoutVerified(report);
  const asked = askedClaim(report.claims);
  return asked === undefined ? 'No cap can be derived, so there is nothing to claim.' : ofClaim(report, asked);
}

function withoutRuns({ target, confidence, needed, claims }: Omit<PlanReport, 'verdict'>): string {
  const [assumed] = claims;
  const lead = `To claim at most ${settingText(target)} with ${settingText(confidence)} confidence takes`;
  if (assumed !== undefined) {
    const { if_none_cut } = assumed;
    const runs =
      if_none_cut === null ? 'more runs than anybody records' : plural(if_none_cut.verified_needed, VERIFIED);
    return `${lead} ${runs} with ${assumed.cut} of them above the cap.`;
  }
  const row = needed.find(({ share }) => share === target)?.verified ?? [];
  const [none, ...others] = row;
  const more = others.map(({ above, runs }) => `${numberText(runs)} with ${above}`).join(', ');
  return `${lead} ${plural(none?.runs ?? 0, VERIFIED)} with none of them above the cap; ${more}.`;
}

const VERIFIED = 'verified run';

function withoutVerified({ target, confidence, needed, runs }: Omit<PlanReport, 'verdict'>): string {
  const first = needed.find(({ share }) => share === target)?.verified[0]?.runs ?? 0;
  return `Nothing can be claimed: none of ${plural(runs ?? 0, 'run')} is a verified success. At most ${settingText(target)} with ${settingText(confidence)} confidence takes ${plural(first, VERIFIED)} with none of them above the cap; how many runs have to be recorded for that cannot be said before some are verified.`;
}

function ofClaim(report: Omit<PlanReport, 'verdict'>, claim: PlanClaim): string {
  const { target, confidence } = report;
  const who = claim.caps === 'assumed' ? 'a cap with that many above it' : capsName(claim);
  const cuts = claim.caps === 'derived' || claim.caps === 'all_maxima' ? 'cut' : 'cuts';
  const sure = `With ${settingText(confidence)} confidence`;
  const claimed = claimsNothing(claim.at_most)
    ? `${sure} nothing useful can be claimed today of ${who}: ${whyNothing(claim)}`
    : `${sure} you may claim today that ${who} ${cuts} at most ${claimText(claim.at_most ?? 1)} of the good runs`;
  if (claim.met) return `${claimed}: the target of ${settingText(target)} is met by ${plural(claim.of, VERIFIED)}.`;
  return [`${claimed}.`, ifNoneCut(report, claim), atTodaysRate(report.target, claim)]
    .filter((text) => text !== '')
    .join(' ');
}

/** Why not even a rate below 100 % can be claimed. */
function whyNothing({ cut, of, counted_as }: PlanClaim): string {
  if (of === 0) return 'no verified run tells what it counts';
  const runs = plural(of, VERIFIED);
  if (cut >= of) return `${of === 1 ? 'the one verified run is' : `all ${runs} are`} cut`;
  if (cut === 0) return `${runs} ${of === 1 ? 'is' : 'are'} too few${counted_as > 0 ? ' for so many caps' : ''}`;
  return `${numberText(cut)} of ${runs} ${cut === 1 ? 'is' : 'are'} cut`;
}

function ifNoneCut({ target, verified_share }: Omit<PlanReport, 'verdict'>, { if_none_cut }: PlanClaim): string {
  if (if_none_cut === null) return `For ${settingText(target)} no number of runs that anybody records is enough.`;
  const { more_verified, more_runs } = if_none_cut;
  const share = verified_share === null ? '' : ` at today's share of ${percent(verified_share.share)}`;
  const runs = more_runs === null ? '' : `: ${runsText(more_runs)}${share}`;
  return `For ${settingText(target)} it takes ${plural(more_verified, 'more verified run')} if none of them is cut${runs}.`;
}

function runsText({ expected, range95: [low, high] }: NonNullable<Further['more_runs']>): string {
  const range = high === null ? `${numberText(low)} or more` : `${numberText(low)} to ${numberText(high)}`;
  return `about ${plural(expected, 'further run')} to record, good and bad (${range})`;
}

/** So many times the runs of the best case, and nobody records them for that. */
const FAR = 10;

function atTodaysRate(target: number, { cut, of, if_none_cut, at_todays_rate }: PlanClaim): string {
  if (cut === 0) return '';
  const rate = percent(cut / of);
  if (at_todays_rate === null) {
    return `If further runs are cut at today's rate of ${rate}, no number of them is enough for ${settingText(target)}: pad more, or accept more.`;
  }
  const isFar = at_todays_rate.verified_needed > FAR * (if_none_cut?.verified_needed ?? 0);
  const sooner = isFar ? '; looser caps get there sooner' : '';
  return `If they are cut at today's rate of ${rate}, it takes ${plural(at_todays_rate.more_verified, 'more verified run')}${sooner}.`;
}
