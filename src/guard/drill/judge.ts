import { isJsonObject, type Json, stringifyJson } from '../../model/json.js';
import { type Comparison, sameValue } from './same.js';
import type { Expected, Scenario } from './scenario.js';
import { CARRIED, type Shape } from './shapes.js';

/** What a loop reported of one scenario. */
export interface DrillResult {
  readonly scenario: string;
  /** The envelope that the caller got, as JSON; `undefined`: there was none. */
  readonly report: Json | undefined;
  /** How many tool calls the loop started, where it was counted. */
  readonly tool_runs?: Json | undefined;
}

/** A field of a report that is not as it must be. */
export interface DrillFault {
  /** `report` where there is none at all. */
  readonly field: string;
  readonly fault: 'missing' | 'wrong';
  /** What must be there; absent where only its kind is asked. */
  readonly expected?: Json;
  /** What is there; absent where nothing is. */
  readonly found?: Json;
  /** What to read: field, what was found, what must be. */
  readonly message: string;
}

/** What is to be said of one scenario. */
export interface ScenarioVerdict {
  readonly scenario: string;
  readonly title: string;
  /** `missing`: no result. `repeated`: several, so that none can be told to be the loop's own. */
  readonly verdict: 'passed' | 'failed' | 'missing' | 'repeated';
  readonly faults: readonly DrillFault[];
}

export interface DrillVerdict {
  readonly schema: 'capfit/drill-verdict@1';
  /** Whether every scenario passed and no result is of a scenario that does not exist. */
  readonly passed: boolean;
  readonly counts: { readonly [verdict in ScenarioVerdict['verdict']]: number };
  readonly scenarios: readonly ScenarioVerdict[];
  /** Ids of results that belong to no scenario, each once. */
  readonly unknown: readonly string[];
}

/** Holds what a loop reported against what the callers of a scenario must get. */
export function judgeDrill(scenarios: readonly Scenario[], results: readonly DrillResult[]): DrillVerdict {
  const judged = scenarios.map((scenario) =>
    judgeScenario(
      scenario,
      results.filter((result) => result.scenario === scenario.id),
    ),
  );
  const known = new Set(scenarios.map(({ id }) => id));
  const unknown = [...new Set(results.map((result) => result.scenario))].filter((id) => !known.has(id));
  const count = (verdict: ScenarioVerdict['verdict']): number =>
    judged.filter((each) => each.verdict === verdict).length;
  return {
    schema: 'capfit/drill-verdict@1',
    passed: unknown.length === 0 && judged.every(({ verdict }) => verdict === 'passed'),
    counts: {
      passed: count('passed'),
      failed: count('failed'),
      missing: count('missing'),
      repeated: count('repeated'),
    },
    scenarios: judged,
    unknown,
  };
}

function judgeScenario({ id, title, expect }: Scenario, results: readonly DrillResult[]): ScenarioVerdict {
  const [result, ...more] = results;
  if (result === undefined) return { scenario: id, title, verdict: 'missing', faults: [] };
  if (more.length > 0) return { scenario: id, title, verdict: 'repeated', faults: [] };
  const faults = judgeResult(expect, result);
  return { scenario: id, title, verdict: faults.length === 0 ? 'passed' : 'failed', faults };
}

function judgeResult(expect: Expected, { report, tool_runs }: DrillResult): DrillFault[] {
  if (!isJsonObject(report)) return [faultOf('report', report, undefined, 'the envelope that the caller got')];
  const { tool_runs: runs, status, reason, ...values } = expect;
  const fields: { readonly [field: string]: Json } = { status, reason, ...values };
  const faults = Object.entries(fields).flatMap(([field, expected]) => compared(field, own(report, field), expected));
  for (const [field, shape] of Object.entries(CARRIED)) {
    if (!(field in fields)) faults.push(...shaped(field, own(report, field), shape));
  }
  return runs === undefined ? faults : [...faults, ...compared('tool_runs', tool_runs, runs)];
}

function own(object: { readonly [field: string]: Json }, field: string): Json | undefined {
  return Object.hasOwn(object, field) ? object[field] : undefined;
}

/** What is wrong with a field of which one value alone is right. */
function compared(field: string, found: Json | undefined, expected: Json): DrillFault[] {
  if (field === 'wrap_up' && isJsonObject(expected) && isJsonObject(found)) {
    // It may carry more than what is asked of it.
    return Object.entries(expected).flatMap(([part, value]) => compared(`wrap_up.${part}`, own(found, part), value));
  }
  return sameValue(found, expected, COMPARISONS[field]) ? [] : [faultOf(field, found, expected)];
}

/** Sums of decimals are held against one another as the counters hold them: a float's last digit is no fault. */
const COMPARISONS: { readonly [field: string]: Comparison } = { seconds: 'seconds', usd: 'usd' };

/** What is wrong with a field of which only the kind is asked. */
function shaped(field: string, found: Json | undefined, { isRight, words }: Shape): DrillFault[] {
  return found !== undefined && isRight(found) ? [] : [faultOf(field, found, undefined, words)];
}

function faultOf(field: string, found: Json | undefined, expected: Json | undefined, words?: string): DrillFault {
  const must = words ?? stringifyJson(expected);
  return {
    field,
    fault: found === undefined ? 'missing' : 'wrong',
    ...(expected === undefined ? {} : { expected }),
    ...(found === undefined ? {} : { found }),
    message: `${field} is ${found === undefined ? 'missing' : shown(found)}, must be ${must}`,
  };
}

const LONGEST_SHOWN = 80;

function shown(value: Json): string {
  const text = stringifyJson(value);
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN - 1)}…` : text;
}
