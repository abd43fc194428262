import type { Json } from '../../model/json.js';
import type { Check, Claim, Status } from '../../model/status.js';

/** What a span stands for. `guard`: a guardrail; `judge`: an evaluation, whose model calls are not the agent's. */
export type SpanKind = 'llm' | 'tool' | 'agent' | 'chain' | 'guard' | 'judge' | 'other';

/** Tokens of one model call, or of all below a roll-up. `null` is unknown, never zero. */
export interface Usage {
  /** All prompt tokens, cached ones included. */
  readonly inputTokens: number | null;
  /** All generated tokens, reasoning included. */
  readonly outputTokens: number | null;
  /** Part of `inputTokens`. */
  readonly cacheReadTokens: number | null;
  /** Part of `inputTokens`. */
  readonly cacheWriteTokens: number | null;
}

/** A tool call that a model's answer asks for. */
export interface ToolRequest {
  /** The id by which a result refers to it. */
  readonly id: string | null;
  readonly tool: string;
  readonly args: Json | undefined;
  readonly result: Json | undefined;
}

/** The result of a requested call, as the model was told it. */
export interface ToolAnswer {
  readonly id: string;
  readonly result: Json;
}

/** One span of any recorder. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  /** `null` for a root. */
  readonly parentId: string | null;
  /** Whether the parent is known to live in another service: where it is not in the file, this span is a root. */
  readonly hasRemoteParent: boolean;
  readonly name: string;
  readonly kind: SpanKind;
  /** Whole microseconds since 1970. */
  readonly start: number | null;
  /** Whole microseconds since 1970; `null`: the span never ended. */
  readonly end: number | null;
  readonly model: string | null;
  readonly usage: Usage | null;
  /** Dollars as recorded; a 0 that stands for "no price" is `null`. */
  readonly usd: number | null;
  /** Name of the tool; `null`: the name of the span. */
  readonly tool: string | null;
  readonly args: Json | undefined;
  readonly result: Json | undefined;
  /** Whether the span failed; `null` when not recorded. */
  readonly failed: boolean | null;
  /** Class of the error of a failed span. */
  readonly error: string | null;
  /** Name of the agent. */
  readonly agent: string | null;
  /** The provider's word for why a model stopped writing. */
  readonly finish: string | null;
  /** Calls that a model's answer asks for; used where a trace has no tool spans. */
  readonly requests: readonly ToolRequest[];
  /** Results that a model is given at the end of its prompt: those of the calls it asked for before. */
  readonly answers: readonly ToolAnswer[];
  /** Line of the file on which the span stands. */
  readonly line: number | null;
}

/** A span with everything unknown but what is given. */
export function spanOf(known: Pick<Span, 'traceId' | 'spanId'> & Partial<Span>): Span {
  return { ...BLANK, ...known };
}

const BLANK: Omit<Span, 'traceId' | 'spanId'> = {
  parentId: null,
  hasRemoteParent: false,
  name: '',
  kind: 'other',
  start: null,
  end: null,
  model: null,
  usage: null,
  usd: null,
  tool: null,
  args: undefined,
  result: undefined,
  failed: null,
  error: null,
  agent: null,
  finish: null,
  requests: [],
  answers: [],
  line: null,
};

/** What somebody said of a whole trace. Only a program's word is a check. */
export interface Verdict {
  readonly passed: boolean;
  readonly by: 'program' | 'model' | 'person';
}

/** What a recorder says of a trace beside its spans. What is given here goes before what the spans say. */
export interface TraceFacts {
  /** Id of the run instead of the trace's. */
  readonly id?: string | null;
  readonly labels?: { readonly [name: string]: Json };
  readonly verdicts?: readonly Verdict[];
  readonly status?: Status | null;
  readonly reason?: string | null;
  readonly check?: Check | null;
  readonly claim?: Claim | null;
  /** Whole microseconds since 1970. */
  readonly start?: number | null;
  /** Whole microseconds since 1970. */
  readonly end?: number | null;
  /** Dollars of the whole trace, used where passes do not give theirs. */
  readonly usd?: number | null;
}

/** Where spans come from. */
export interface SpanSource {
  readonly file: string;
  /** What is known of a trace beside its spans. */
  readonly factsOf?: (traceId: string) => TraceFacts | undefined;
  /** Traces of which a span could not be read: they cannot be counted, and are left out (the reader gave the problem). */
  readonly refused?: ReadonlySet<string>;
  /** Whether something could not be read that may have been a span of any trace. */
  readonly isDamaged?: boolean;
}

/** Microseconds as ISO 8601 in UTC, six digits kept. */
export function isoOfMicros(micros: number): string {
  const millis = Math.floor(micros / 1000);
  const rest = micros - millis * 1000;
  return new Date(millis).toISOString().replace('Z', `${String(rest).padStart(3, '0')}Z`);
}
