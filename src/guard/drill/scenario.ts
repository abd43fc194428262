import type { Json } from '../../model/json.js';
import type { Check, Claim, Status } from '../../model/status.js';
import type { PolicyRecord } from '../../policy/policy-record.js';

/** What a model call used; `null` where the provider does not say. */
export interface ScriptedUsage {
  readonly input_tokens: number;
  readonly output_tokens: number;
}

/** A tool call that the model asks for. */
export interface ScriptedCall {
  readonly tool: string;
  readonly args: Json;
}

/** What the model call of a turn brings. Exactly one of `text` … `error_class` is there. */
export interface ScriptedModel {
  /** Talk: no call, and no answer. */
  readonly text?: string;
  /** The agent says it is done; may be empty, `null` or of the wrong shape. */
  readonly answer?: Json;
  /** The agent says it cannot go on, with its evidence. */
  readonly blocked?: Json;
  /** The agent says the task cannot be done, with its evidence. */
  readonly impossible?: Json;
  readonly tool_calls?: readonly ScriptedCall[];
  /** The model call itself fails with an error of this class. */
  readonly error_class?: string;
  /** `null`: the provider does not say. */
  readonly usage: ScriptedUsage | null;
  readonly usd?: number;
  /** How long the model call takes, on the loop's clock. */
  readonly seconds: number;
}

/** What running one tool call brings. */
export interface ScriptedTool {
  readonly result?: Json;
  /** The tool failed; `result` is what it said. */
  readonly error?: true;
  /** The class of that failure, where it has one: held against `halt_on`. */
  readonly error_class?: string;
  /** The tool never comes back: the loop has to give up after the policy's `timeouts.tool`. */
  readonly hangs?: true;
}

/** One turn of the script: a model call and what it sets off. */
export interface Turn {
  readonly model: ScriptedModel;
  /** One for each tool call, in the same order. */
  readonly tools?: readonly ScriptedTool[];
  /** What the check says if it is run on this turn's answer. */
  readonly check?: { readonly passed: boolean; readonly output: Json };
  /** What there is to hand over once the turn's tools have run. */
  readonly work?: Json;
  /** Somebody stops the run once this turn's model call is back, before its tools are run. */
  readonly cancel?: true;
  /** The process dies at that moment: no code of the loop runs after it. */
  readonly dies?: true;
}

/** The one model call that may follow a stop. */
export interface ScriptedWrapUp {
  readonly text: string;
  readonly usage: ScriptedUsage;
}

/** What the caller must be told. A field that is left out is not compared. */
export interface Expected {
  readonly status: Status;
  readonly reason: string | null;
  readonly passes?: number;
  readonly tokens?: number | null;
  readonly seconds?: number;
  readonly usd?: number | null;
  readonly steps?: number;
  readonly check: Check;
  readonly claim?: Claim | null;
  readonly answer?: Json;
  readonly evidence?: Json;
  readonly check_output?: Json;
  readonly partial_work?: Json;
  readonly wrap_up?: { readonly text: string; readonly verified: false; readonly tokens: number };
  /** How many tool calls were started; stands beside the report, not in it. */
  readonly tool_runs?: number;
}

/** One exit, or one thing that must not be an exit, run on purpose. */
export interface Scenario {
  readonly id: string;
  /** What it does. */
  readonly title: string;
  readonly policy: PolicyRecord;
  readonly script: readonly Turn[];
  /** For a model that never stops: the last turn again and again. */
  readonly repeat_last_turn?: true;
  readonly wrap_up?: ScriptedWrapUp;
  readonly expect: Expected;
}
