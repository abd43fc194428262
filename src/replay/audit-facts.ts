import { toAtoms } from '../model/atoms.js';
import type { Metric } from '../model/limits.js';
import {
  hasAllPasses,
  isClaimedSuccess,
  isPassedUnfinished,
  isVerifiedSuccess,
  passAmount,
  passCount,
  runTotal,
} from '../model/measure.js';
import type { Pass, Run } from '../model/run.js';
import { isReached } from '../policy/stop.js';
import { lacksArguments } from './arguments.js';
import { momentOf, passesPrint } from './audit-prints.js';

/** How a run stands to a provisional cap of its own: `null` without one. */
export const WITHIN = 0;
/** Above it as a cap allows: the last pass crossed it, or it stopped the run a little late. */
export const CROSSED = 1;
/** Above it, and another model call was made after it was reached. */
export const WENT_ON = 2;
/** Above it by its total; the passes do not tell when. */
export const ABOVE = 3;

/** Figures of one run as whole numbers from 0, amounts in atoms; `null` is unknown. Flags are 0 and 1. */
export interface Facts {
  /** As `isVerifiedSuccess`, `isPassedUnfinished` and `isClaimedSuccess` of a run. */
  readonly isVerified: number;
  readonly isUnfinished: number;
  readonly isClaimed: number;
  /** How many passes the run made. */
  readonly passes: number | null;
  /** Passes recorded one by one. */
  readonly kept: number | null;
  readonly tokens: number | null;
  readonly seconds: number | null;
  readonly usd: number | null;
  /** Prompt tokens, and cached ones among them, where every pass tells. */
  readonly inputTokens: number | null;
  readonly cacheTokens: number | null;
  /** Passes that tell the figure. */
  readonly tokenPasses: number;
  readonly cachePasses: number;
  readonly secondPasses: number;
  readonly usdPasses: number;
  /** Passes with calls, and those of them whose calls all have results. */
  readonly callPasses: number;
  readonly resultPasses: number;
  /** Whether a tool is called again and no call has arguments. */
  readonly lacksArguments: number;
  /** Passes whose cached tokens exceed their prompt. */
  readonly cacheOutside: number;
  readonly longestPass: number | null;
  /** Whether three passes or more all took the same time, above 0. */
  readonly isSteady: number;
  /** Milliseconds since 1970. */
  readonly startedAt: number | null;
  /** A number that passes of the same figures share: from three passes on. */
  readonly print: number | null;
  /** How the run stands to its own caps. */
  readonly ownPasses: number | null;
  readonly ownTokens: number | null;
  readonly ownSeconds: number | null;
  readonly ownUsd: number | null;
  /** Whether the run made exactly as many passes as its own cap allows. */
  readonly isOnCap: number;
  readonly capSeconds: number | null;
  /** Whether the recorder's total of tokens or dollars is not the sum of the passes. */
  readonly isTotalOff: number;
  /** Sub-agents folded in, and those that were not at hand, as the reader labels them. */
  readonly subagents: number | null;
  readonly subagentsMissing: number | null;
  /** Whether lines that may have been the run's could not be read, as the reader labels it. */
  readonly isDamaged: number;
  /** Streamed messages whose final usage was never written, as the reader labels them. */
  readonly unfinishedMessages: number | null;
}

/** Facts of a run of which nothing is known. */
export const NO_FACTS: Facts = {
  isVerified: 0,
  isUnfinished: 0,
  isClaimed: 0,
  passes: null,
  kept: null,
  tokens: null,
  seconds: null,
  usd: null,
  inputTokens: null,
  cacheTokens: null,
  tokenPasses: 0,
  cachePasses: 0,
  secondPasses: 0,
  usdPasses: 0,
  callPasses: 0,
  resultPasses: 0,
  lacksArguments: 0,
  cacheOutside: 0,
  longestPass: null,
  isSteady: 0,
  startedAt: null,
  print: null,
  ownPasses: null,
  ownTokens: null,
  ownSeconds: null,
  ownUsd: null,
  isOnCap: 0,
  capSeconds: null,
  isTotalOff: 0,
  subagents: null,
  subagentsMissing: null,
  isDamaged: 0,
  unfinishedMessages: null,
};

export function factsOf(run: Run): Facts {
  const passes = run.passes ?? [];
  const stepMicros = passes[0]?.micros ?? null;
  const steady = passes.length >= 3 && stepMicros !== null && stepMicros > 0;
  return {
    isVerified: Number(isVerifiedSuccess(run)),
    isUnfinished: Number(isPassedUnfinished(run)),
    isClaimed: Number(isClaimedSuccess(run)),
    passes: passCount(run),
    kept: run.passes?.length ?? null,
    tokens: runTotal(run, 'tokens'),
    seconds: runTotal(run, 'seconds'),
    usd: runTotal(run, 'usd'),
    inputTokens: run.passes && sumOf(passes, (pass) => pass.inputTokens),
    cacheTokens: run.passes && sumOf(passes, (pass) => pass.cacheReadTokens),
    tokenPasses: countOf(passes, (pass) => passAmount(pass, 'tokens') !== null),
    cachePasses: countOf(passes, (pass) => pass.cacheReadTokens !== null),
    secondPasses: countOf(passes, (pass) => pass.micros !== null),
    usdPasses: countOf(passes, (pass) => pass.nanos !== null),
    callPasses: countOf(passes, (pass) => pass.calls.length > 0),
    resultPasses: countOf(passes, hasResults),
    lacksArguments: Number(lacksArguments(run)),
    cacheOutside: countOf(passes, isCacheOutside),
    longestPass: passes.reduce<number | null>((most, { micros }) => larger(most, micros), null),
    isSteady: Number(steady && passes.every(({ micros }) => micros === stepMicros)),
    startedAt: run.startedAt === null ? null : momentOf(run.startedAt),
    print: passesPrint(passes),
    ...ownCaps(run),
    isTotalOff: Number(isTotalOff(run, 'tokens') || isTotalOff(run, 'usd')),
    subagents: countLabel(run, 'subagents'),
    subagentsMissing: larger(countLabel(run, 'subagents_missing'), countLabel(run, 'subagents_unrecorded')),
    isDamaged: Number(run.labels.get('damaged') === 'true'),
    unfinishedMessages: countLabel(run, 'unfinished_messages'),
  };
}

function countOf(passes: readonly Pass[], holds: (pass: Pass) => boolean): number {
  return passes.reduce((count, pass) => (holds(pass) ? count + 1 : count), 0);
}

/** `null` from the first pass that does not tell. */
function sumOf(passes: readonly Pass[], amount: (pass: Pass) => number | null): number | null {
  let sum = 0;
  for (const pass of passes) {
    const part = amount(pass);
    if (part === null) return null;
    sum += part;
  }
  return sum;
}

function larger(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}

function hasResults({ calls }: Pass): boolean {
  return calls.length > 0 && calls.every((call) => call.result !== undefined || call.resultDigest !== null);
}

function isCacheOutside({ inputTokens, cacheReadTokens, cacheWriteTokens }: Pass): boolean {
  return inputTokens !== null && (cacheReadTokens ?? 0) + (cacheWriteTokens ?? 0) > inputTokens;
}

type OwnCaps = Pick<Facts, 'ownPasses' | 'ownTokens' | 'ownSeconds' | 'ownUsd' | 'isOnCap' | 'capSeconds'>;

function ownCaps(run: Run): OwnCaps {
  const cap = capOf(run, 'passes');
  return {
    ownPasses: standing(run, 'passes'),
    ownTokens: standing(run, 'tokens'),
    ownSeconds: standing(run, 'seconds'),
    ownUsd: standing(run, 'usd'),
    isOnCap: Number(cap !== null && passCount(run) === cap),
    capSeconds: capOf(run, 'seconds'),
  };
}

function capOf(run: Run, metric: Metric): number | null {
  const cap = run.recordedUnder.get(metric);
  return cap === undefined ? null : toAtoms(metric, cap);
}

/** A cap is asked before each model call: above it in the last pass is overshoot, above it earlier was not obeyed. */
function standing(run: Run, metric: Metric): number | null {
  const cap = capOf(run, metric);
  const total = runTotal(run, metric);
  if (cap === null || total === null) return null;
  if (total <= cap) return WITHIN;
  if (metric === 'passes') return WENT_ON;
  const last = run.passes?.at(-1);
  const lastAmount = last === undefined || !hasAllPasses(run) ? null : passAmount(last, metric);
  const isTold = lastAmount !== null && sumOf(run.passes ?? [], (pass) => passAmount(pass, metric)) !== null;
  if (!isTold) return run.status === 'stopped_budget' && run.reason === metric ? CROSSED : ABOVE;
  return isReached(total - lastAmount, cap) ? WENT_ON : CROSSED;
}

/** The recorder's own total may be rounded; beyond one part in a hundred it counts something else. */
function isTotalOff(run: Run, metric: Metric): boolean {
  const stated = run.totals?.[metric] ?? null;
  const summed = run.passes?.length ? sumOf(run.passes, (pass) => passAmount(pass, metric)) : null;
  if (stated === null || summed === null || !hasAllPasses(run)) return false;
  return Math.abs(stated - summed) > Math.max(stated, summed) / 100;
}

function countLabel(run: Run, name: string): number | null {
  const text = run.labels.get(name);
  if (text === undefined || !/^\d{1,15}$/.test(text)) return null;
  return Number(text);
}
