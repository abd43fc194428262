import { fromAtoms } from '../../model/atoms.js';
import type { Json } from '../../model/json.js';
import { damageLabel } from '../damage.js';
import { limitOfWord } from '../endings.js';
import { readFlag, readObject, readText, readWord } from '../fields.js';
import type { SubagentMode } from '../format.js';
import { addTokens, type JsonObject, type ModelCall, passOf, type Tokens } from './claude-code-message.js';
import { apiErrorOf, CANCELED, DONE, type Ending, endingAfter, endingOfStop, OPEN } from './claude-code-words.js';
import { type Spend, tokensOfCalls, tokensOfGuests } from './claude-stream-json-spend.js';
import type { Turn } from './claude-stream-json-turns.js';

/** The record of one turn. */
export function recordOfTurn(turn: Turn, id: string, spend: Spend, subagents: SubagentMode): JsonObject {
  const { raw_reason, ...ending } = endingOfTurn(turn);
  // The cost is told for all of it together, so that it is not known for the agent alone.
  const isAlone = turn.guests.size === 0 || subagents === 'fold';
  const usdNanos = isAlone ? spend.usdNanos : null;
  const usd = usdNanos === null ? null : fromAtoms('usd', usdNanos);
  const passes = passesOf(turn, spend, usdNanos, subagents);
  const tokens = subagents === 'fold' ? spend.allTokens : ownTokens(spend);
  return {
    id,
    ...ending,
    check: 'none',
    labels: { ...labelsOf(turn, subagents), raw_reason: raw_reason ?? null, ...damageLabel(turn.isDamaged) },
    recorded_under: capsOf(turn.result ?? {}),
    passes,
    totals: turn.result === null ? null : { tokens, seconds: spend.seconds, usd },
  };
}

function ownTokens(spend: Spend): number | null {
  const { input, output } = spend.own ?? { input: null, output: null };
  return input === null || output === null ? null : input + output;
}

/** The passes, `null` where the recording has only what the turn spent in all (`--output-format json`). */
function passesOf(turn: Turn, spend: Spend, usdNanos: number | null, subagents: SubagentMode): Json {
  if (turn.calls.length === 0) return (spend.allTokens ?? 0) > 0 ? null : [];
  const tokens = tokensOfCalls(turn.calls, spend.own);
  const isLone = turn.calls.length === 1;
  return turn.calls.map((call, index) => {
    const folded = foldGuests(turn, call, tokens[index] ?? call.tokens, subagents);
    // Where there is one pass, what is told of the whole is told of it.
    return passOf(call, { ...folded, seconds: isLone ? spend.seconds : null, usdNanos: isLone ? usdNanos : null });
  });
}

function foldGuests(
  turn: Turn,
  call: ModelCall,
  own: Tokens,
  subagents: SubagentMode,
): { readonly tokens: Tokens; readonly model: string | null } {
  if (subagents !== 'fold') return { tokens: own, model: call.model };
  let tokens = own;
  const models = new Set(call.model === null ? [] : [call.model]);
  for (const calls of guestsOf(turn, call)) {
    tokens = addTokens(tokens, tokensOfGuests(calls));
    for (const each of calls) if (each.model !== null) models.add(each.model);
  }
  // No price holds for tokens of several models, so that their cost is unknown rather than wrong.
  return { tokens, model: [...models].join(' + ') || null };
}

/** The calls of the sub-agents that a call started, and of those that these started. */
function guestsOf(turn: Turn, host: ModelCall): ModelCall[][] {
  const first = turn.calls[0] === host;
  return [...turn.guests].flatMap(([tool, calls]) => {
    const root = rootOf(turn, tool);
    // A sub-agent whose start was not recorded is still work of this turn.
    return root === host || (root === undefined && first) ? [calls] : [];
  });
}

/** The agent's own call that a tool call goes back to, through sub-agents. */
function rootOf(turn: Turn, tool: string): ModelCall | undefined {
  const passed = new Set<string>();
  for (let at: string | undefined = tool; at !== undefined && !passed.has(at); ) {
    passed.add(at);
    const by: ModelCall | undefined = turn.tools.get(at)?.by;
    if (by !== undefined && turn.calls.includes(by)) return by;
    at = [...turn.guests].find(([, calls]) => by !== undefined && calls.includes(by))?.[0];
  }
  return undefined;
}

/** A sub-agent of a turn as a record of its own. */
export function recordOfGuest(turn: Turn, parent: string, tool: string, calls: readonly ModelCall[]): JsonObject {
  const args = turn.tools.get(tool)?.args;
  const asked = typeof args === 'object' && args !== null && 'subagent_type' in args ? args.subagent_type : null;
  const tokens = tokensOfCalls(calls, null);
  const { raw_reason: _, ...ending } = endingAfter(calls.at(-1));
  return {
    id: `${parent}/${tool}`,
    ...ending,
    check: 'none',
    labels: {
      agent: typeof asked === 'string' && asked !== '' ? asked : 'subagent',
      parent,
      session: turn.session,
      version: turn.version,
      model: modelsOf(calls),
      ...damageLabel(turn.isDamaged),
    },
    passes: calls.map((call, index) => {
      const figures = { tokens: tokens[index] ?? call.tokens, model: call.model };
      return passOf(call, { ...figures, seconds: null, usdNanos: null });
    }),
  };
}

function labelsOf(turn: Turn, subagents: SubagentMode): JsonObject {
  const result = turn.result ?? {};
  const denials = Array.isArray(result.permission_denials) ? result.permission_denials.length : 0;
  const models = Object.keys(readObject(result, 'modelUsage') ?? {});
  return {
    agent: 'claude-code',
    model: modelsOf(turn.calls) ?? turn.model ?? (models.length === 1 ? (models[0] ?? null) : null),
    session: turn.session,
    version: turn.version,
    // Counts messages of tools too, so that it is no count of passes.
    num_turns: typeof result.num_turns === 'number' ? result.num_turns : null,
    permission_denials: denials || null,
    subagents: subagents === 'fold' ? turn.guests.size || null : null,
  };
}

function modelsOf(calls: readonly ModelCall[]): string | null {
  return [...new Set(calls.flatMap((call) => call.model ?? []))].join(' + ') || null;
}

function endingOfTurn(turn: Turn): Ending {
  const { result, error } = turn;
  if (result === null) return error === null ? OPEN : { status: 'halted_error', reason: error };
  const subtype = readWord(result, 'subtype') ?? 'success';
  const limit = limitOfWord(subtype);
  if (limit !== null) return { status: 'stopped_budget', reason: limit, raw_reason: subtype };
  if (subtype !== 'success')
    return turn.wasInterrupted ? CANCELED : { status: 'halted_error', reason: error ?? subtype };
  if (readFlag(result, 'is_error') === true) {
    const told = { isApiErrorMessage: true, message: { content: result.result ?? '' } };
    return { status: 'halted_error', reason: error ?? apiErrorOf(told, told.message) ?? 'api_error' };
  }
  const stopped = endingOfStop(readText(result, 'stop_reason') || 'end_turn');
  return stopped === OPEN ? DONE : stopped;
}

/** The caps in force, which only the words of the error tell. */
function capsOf(result: JsonObject): JsonObject {
  const errors = Array.isArray(result.errors)
    ? result.errors.filter((each) => typeof each === 'string').join('\n')
    : '';
  const turns = /maximum number of turns \((\d{1,9})\)/i.exec(errors)?.[1];
  const usd = /maximum budget \(\$(\d{1,9}(?:\.\d{1,9})?)\)/i.exec(errors)?.[1];
  return { passes: Number(turns ?? 0) || null, usd: Number(usd ?? 0) || null };
}
