import type { Json } from '../../model/json.js';
import type { PolicyRecord } from '../../policy/policy-record.js';
import type { Expected, ScriptedModel, ScriptedTool, Turn } from './scenario.js';

/** A policy file from its fields. */
export function rules(fields: Omit<PolicyRecord, 'capfit'>): PolicyRecord {
  return { capfit: 'policy/v1', ...fields };
}

/** A thousand tokens and two seconds, unless a scenario is about them. */
const USUAL = { usage: { input_tokens: 900, output_tokens: 100 }, seconds: 2 } as const;

/** A turn of the model alone. */
export function says(model: Partial<ScriptedModel>, rest: Omit<Turn, 'model'> = {}): Turn {
  return { model: { ...USUAL, ...model }, ...rest };
}

/** A turn with one tool call. */
export function calls(
  tool: string,
  args: Json,
  outcome: ScriptedTool,
  model: Partial<ScriptedModel> = {},
  rest: Omit<Turn, 'model' | 'tools'> = {},
): Turn {
  return { model: { tool_calls: [{ tool, args }], ...USUAL, ...model }, tools: [outcome], ...rest };
}

/** A turn that looks something up that was not looked up before: never a repeat, never stale. */
export function looksUp(
  page: number,
  model: Partial<ScriptedModel> = {},
  rest: Omit<Turn, 'model' | 'tools'> = {},
): Turn {
  return calls('search', { page }, { result: `hits of page ${page}` }, model, rest);
}

/** A report without claim, answer or check: what a run that was cut short leaves. */
export const NOTHING_CLAIMED = {
  check: 'none',
  claim: null,
  answer: null,
  check_output: null,
} as const satisfies Partial<Expected>;

/** A report whose answer the check accepted. */
export function verified(
  answer: Json,
  output: Json,
): Pick<Expected, 'status' | 'reason' | 'check' | 'claim' | 'answer' | 'check_output'> {
  return { status: 'done_verified', reason: null, check: 'passed', claim: 'completed', answer, check_output: output };
}
