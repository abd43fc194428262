import type { Problem } from '../../model/problem.js';
import type { JsonObject } from '../lists.js';
import type { TraceFacts, Verdict } from './span.js';
import { labelsIn } from './span-attributes.js';
import { hasPassed, verdictKind } from './verdict-names.js';

/** What the spans of a file tell of their traces, while they are read. */
export interface TraceNotes {
  readonly labels: Map<string, { [name: string]: string }>;
  readonly verdicts: Map<string, Verdict[]>;
  /** Traces of which a span could not be read. */
  readonly refused: Set<string>;
  /** Whether something could not be read that may have been a span of any trace. */
  isDamaged: boolean;
}

/** Nothing noted yet. */
export function newNotes(): TraceNotes {
  return { labels: new Map(), verdicts: new Map(), refused: new Set(), isDamaged: false };
}

/** Notes that something could not be read that names no trace. */
export function ofAnyTrace(found: Problem, notes: { isDamaged: boolean }): Problem {
  notes.isDamaged = true;
  return found;
}

/** Notes the labels that a span tells; what was told first stays. */
export function noteLabels(notes: TraceNotes, traceId: string, attributes: JsonObject, more: JsonObject = {}): void {
  const known = notes.labels.get(traceId);
  const told = { ...more, ...labelsIn(attributes) } as { [name: string]: string };
  if (known === undefined) notes.labels.set(traceId, told);
  else for (const [name, value] of Object.entries(told)) known[name] ??= value;
}

/** Somebody's judgement of a span or a trace, as far as it is one. */
export interface Opinion {
  readonly name: unknown;
  readonly label: unknown;
  readonly score: unknown;
  readonly by: Verdict['by'];
}

/** Notes a judgement whose name says that it is a verdict; a program's is one only under the name of a test. */
export function noteVerdict(notes: TraceNotes, traceId: string, opinion: Opinion, passMark: number): void {
  const kind = typeof opinion.name === 'string' ? verdictKind(opinion.name) : null;
  const passed = hasPassed(opinion.score, passMark) ?? hasPassed(opinion.label, passMark);
  if (kind === null || passed === null) return;
  const by = opinion.by === 'program' && kind !== 'test' ? 'model' : opinion.by;
  const verdicts = notes.verdicts.get(traceId);
  const verdict = { passed, by };
  if (verdicts === undefined) notes.verdicts.set(traceId, [verdict]);
  else verdicts.push(verdict);
}

/** What was noted of a trace. */
export function factsIn(notes: TraceNotes): (traceId: string) => TraceFacts {
  return (traceId) => ({ labels: notes.labels.get(traceId) ?? {}, verdicts: notes.verdicts.get(traceId) ?? [] });
}
