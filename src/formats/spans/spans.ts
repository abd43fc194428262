import type { Problem } from '../../model/problem.js';
import type { Run } from '../../model/run.js';
import { damageLabel } from '../damage.js';
import type { ReadingOptions } from '../format.js';
import type { Span, SpanSource } from './span.js';
import { runsOfTrace } from './spans-run.js';

export type {
  Span,
  SpanKind,
  SpanSource,
  ToolAnswer,
  ToolRequest,
  TraceFacts,
  Usage,
  Verdict,
} from './span.js';
export { isoOfMicros, spanOf } from './span.js';

/*
 * The core of every reader of traces: spans of any recorder become runs, one trace a run.
 *
 *   passes      leaf `llm` spans only. A model span that holds other model spans (without a tool span between them) is a
 *               roll-up of theirs: leaves or root, never both. Where the two disagree the leaves are taken, because they
 *               are what was billed call by call. Usage on agent and chain spans is a roll-up too. A leaf without usage
 *               takes that of a roll-up of which it is the only leaf; where leaves stay without, the roll-ups give
 *               `totals.tokens` if they cover every leaf and there are no sub-agents (recorders differ in whether those are
 *               counted in). Roll-ups alone, no model span at all: passes were not recorded
 *   retries     a failed model span with usage is a pass of its own: it was billed. One without is no pass: the next model
 *               call begins when the first failed attempt began
 *   order       by start. The same span exported twice (equal id and start) counts once, the last copy wins
 *   calls       tool spans: in the model call that holds them, else in the last pass that started before them. A tool span
 *               before the first model call was not asked for by the model and is no call. Where a trace has no tool span
 *               at all, the calls that model spans say they asked for, with the results that a later prompt tells
 *   sub-agents  model calls inside a tool or guard span, or usage inside one where no model call was recorded. `fold` adds
 *               their spend to the pass of that tool call (unknown if a part is), `separate` makes the tool span a run of its
 *               own, TRACE/SPAN, `ignore` leaves them out. Where every model call of a trace is inside a tool span, the
 *               outermost level is the agent. An agent inside an agent without a tool between is a hand-over or a wrapper, and
 *               its model calls are passes. Model calls inside a judge span are never counted
 *   seconds     from the start of a pass to the start of the next one; the last ends with the trace
 *   ending      of the root span: failed is halted (or stopped, where the error class names a limit), ended is done_claimed,
 *               without an end is `running`. So is a trace of several spans whose parent is not in the file: spans are
 *               exported when they end, so that parent never did. A root that says nothing about failure leaves the word to
 *               the last agent span below it, and that to the last model call
 *   damaged     label of all runs of a source in which something could not be read that names no trace
 *   check       none, unless a program's verdict comes with the trace. A verdict of a model or a person is a claim, and a
 *               check with trustJudge
 */

/** The runs of all traces, in the order in which the traces first appear, with a problem for each that is no run. */
export function* runsOfSpans(
  spans: Iterable<Span>,
  options: ReadingOptions,
  source: SpanSource,
): Generator<Run | Problem> {
  const traces = new Map<string, Span[]>();
  for (const span of spans) {
    if (source.refused?.has(span.traceId)) continue;
    const trace = traces.get(span.traceId);
    if (trace === undefined) traces.set(span.traceId, [span]);
    else trace.push(span);
  }
  for (const [traceId, trace] of traces) {
    const facts = source.factsOf?.(traceId) ?? {};
    const labels = { ...facts.labels, ...damageLabel(source.isDamaged === true) };
    yield* runsOfTrace(trace, options, source.file, { ...facts, labels });
    trace.length = 0;
  }
}
