import { fromAtoms } from '../../model/atoms.js';
import { ExactNumber, isJsonObject, type Json } from '../../model/json.js';
import { damageLabel } from '../damage.js';
import { quote, readAmount, readObject } from '../fields.js';
import { problem, type ReadingOptions, RecordError } from '../format.js';
import type { Bounds } from './atif-clock.js';
import { type Assembled, assemble } from './atif-passes.js';
import { labelsOf } from './atif-run.js';
import { type JsonObject, numberIn } from './atif-step.js';
import { addSpend, NO_SPEND, omissionOf, type Spend, tokensOf, UNKNOWN_SPEND, wholePrompt } from './atif-tokens.js';
import type { Companion } from './harbor-companion.js';
import type { Session } from './openclaw-copies.js';
import { passesOf } from './openclaw-session.js';

/** Passes and totals of a trial, and what is to be said about them. */
export interface Counted {
  readonly passes: Json;
  readonly totals: { [key: string]: Json } | null;
  readonly labels: { readonly [key: string]: Json };
  readonly startedAt: string | null;
}

/** What the verifier gave. Of several rewards the one named reward counts; without it they are no verdict. */
export function checkOf(verdict: JsonObject | undefined, passMark: number): { check: string; reward: Json } {
  const rewards = verdict === undefined ? undefined : readObject(verdict, 'rewards', 'verifier_result.rewards');
  const names = Object.keys(rewards ?? {});
  const name = names.includes('reward') ? 'reward' : names.length === 1 ? names[0] : undefined;
  const value = rewards === undefined || name === undefined ? null : (rewards[name] ?? null);
  if (value === null) return { check: 'none', reward: null };
  const reward = value instanceof ExactNumber ? Number(value.text) : value;
  if (typeof reward !== 'number') {
    throw new RecordError(`verifier_result.rewards.${name} is ${quote(value)}`, 'a reward must be a number');
  }
  return { check: reward >= passMark ? 'passed' : 'failed', reward: reward === 0 || reward === 1 ? null : reward };
}

/** Passes from the companion, totals from the result. */
export function passesAndTotals(
  result: JsonObject,
  companion: Companion,
  bounds: Bounds,
  options: ReadingOptions,
): Counted {
  const stated = statedSpend(result, companion);
  const run = assembled(companion, bounds, options);
  if (run !== null && (run.passes.length > 0 || !tokensOf(stated)))
    return countedSteps(run, stated, companion, options);
  const unsaid = { labels: {}, startedAt: null };
  const session = wholeSession(companion.sessions, stated);
  if (session !== null) {
    const labels = damageLabel(session.entries.some((entry) => entry.isDamaged));
    return { ...unsaid, labels, passes: passesOf(session.entries, options.idleGap, bounds), totals: null };
  }
  if (wasNeverStarted(result)) return { ...unsaid, passes: [], totals: null };
  return { ...unsaid, passes: null, totals: totalsRecord(stated, secondsOf(bounds), episodesOf(result)) };
}

/** The trajectory counted; one with a malformed step is a problem, and the result stands without it. */
function assembled(
  { trajectory, file, problems }: Companion,
  bounds: Bounds,
  options: ReadingOptions,
): Assembled | null {
  try {
    return trajectory === null ? null : assemble(trajectory, options, bounds);
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    problems.push(problem(file ?? 'agent/trajectory.json', null, null, error.message, error.hint));
    return null;
  }
}

function countedSteps(run: Assembled, stated: Spend, companion: Companion, options: ReadingOptions): Counted {
  const { trajectory, file } = companion;
  companion.apart.push(...run.apart.map((child) => ({ trajectory: child, file: file ?? '' })));
  const { conflict, subagents_missing } = labelsOf(trajectory?.doc ?? {}, run);
  const isOdd = options.subagents === 'fold' && differs(tokensOf(stated), tokensOf(run.spend));
  const isNeeded = isOdd || tokensOf(run.spend) === null;
  const totals = run.totals ?? (isNeeded ? totalsRecord(stated, null, null) : null);
  return {
    passes: run.passes,
    totals: withUsd(totals, run.spend, stated),
    labels: {
      conflict: conflict ?? (isOdd ? 'agent_result' : null),
      subagents_missing: subagents_missing ?? null,
    },
    startedAt: run.startedAt,
  };
}

function differs(one: number | null, other: number | null): boolean {
  return one !== null && other !== null && one !== other;
}

/** The result may know the cost of a run whose steps have none. */
function withUsd(
  totals: { [key: string]: Json } | null,
  counted: Spend,
  stated: Spend,
): { [key: string]: Json } | null {
  if (counted.nanos !== null || stated.nanos === null) return totals;
  return { ...totals, usd: fromAtoms('usd', stated.nanos) };
}

function totalsRecord(spend: Spend, seconds: number | null, passes: number | null): { [key: string]: Json } | null {
  const usd = spend.nanos === null ? null : fromAtoms('usd', spend.nanos);
  const totals = { passes, tokens: tokensOf(spend), seconds, usd };
  return Object.values(totals).every((figure) => figure === null) ? null : totals;
}

function secondsOf({ start, end }: Bounds): number | null {
  return start === null || end === null || end.micros < start.micros ? null : (end.micros - start.micros) / 1_000_000;
}

/** What the result says of tokens and cost; of a trial in several steps, their sum. Harbor writes 0 for unknown. */
function statedSpend(result: JsonObject, companion: Companion): Spend {
  const steps = Array.isArray(result.step_results) ? result.step_results.filter(isJsonObject) : [];
  const own = readObject(result, 'agent_result');
  const agents = own === undefined ? steps.map((step) => readObject(step, 'agent_result') ?? {}) : [own];
  if (agents.length === 0) return UNKNOWN_SPEND;
  return agents.map((agent) => spendOfAgent(agent, result, companion)).reduce(addSpend, NO_SPEND);
}

function spendOfAgent(agent: JsonObject, result: JsonObject, { trajectory }: Companion): Spend {
  const input = readAmount(agent, 'n_input_tokens', 'tokens', 'agent_result.n_input_tokens');
  const cacheRead = readAmount(agent, 'n_cache_tokens', 'tokens', 'agent_result.n_cache_tokens');
  const output = readAmount(agent, 'n_output_tokens', 'tokens', 'agent_result.n_output_tokens');
  const name = isJsonObject(result.agent_info) ? result.agent_info.name : null;
  const isLess = (cacheRead ?? 0) > (input ?? 0) || name === 'openclaw';
  const omission = trajectory === null ? 'nothing' : omissionOf(trajectory.steps);
  return {
    input: wholePrompt(input, cacheRead, null, isLess || omission === 'cache' ? 'cache' : 'nothing'),
    output: output || null,
    cacheRead,
    cacheWrite: null,
    nanos: readAmount(agent, 'cost_usd', 'usd', 'agent_result.cost_usd') || null,
  };
}

/** A session that is not cut short: a copy from the middle of the run holds fewer tokens than the result. */
function wholeSession(sessions: readonly Session[], stated: Spend): Session | null {
  const tokens = tokensOf(stated);
  return (
    sessions.find((session) => {
      const counts = passesOf(session.entries, null).map(({ input_tokens, output_tokens }) => [
        input_tokens,
        output_tokens,
      ]);
      const sum = counts.flat().reduce<number>((all, count) => all + (numberIn(count) ?? 0), 0);
      return counts.length > 0 && (tokens === null || sum >= tokens);
    }) ?? null
  );
}

/** The environment or the agent's installation failed: no model was called. */
function wasNeverStarted(result: JsonObject): boolean {
  const isStepwise = Array.isArray(result.step_results) && result.step_results.length > 0;
  const isFailed = (result.exception_info ?? null) !== null;
  return isFailed && !isStepwise && (result.agent_execution ?? null) === null && (result.agent_result ?? null) === null;
}

/** Terminus counts its turns. */
function episodesOf(result: JsonObject): number | null {
  const agent = isJsonObject(result.agent_result) ? result.agent_result : {};
  const metadata = isJsonObject(agent.metadata) ? agent.metadata : {};
  const { n_episodes: episodes } = metadata;
  return typeof episodes === 'number' && Number.isSafeInteger(episodes) && episodes >= 0 ? episodes : null;
}
