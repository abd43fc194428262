import { fromAtoms } from '../../model/atoms.js';
import { isJsonObject, type Json } from '../../model/json.js';
import { type Moment, quote, readAmount, readContent, readFlag, readMoment, readObject, readText } from '../fields.js';
import { RecordError } from '../format.js';
import { type Bounds, secondsOfPasses, startClock, startPass, tick, UNBOUNDED } from './atif-clock.js';
import { type JsonObject, plainText } from './atif-step.js';

/** One line of a session that is not its header, as far as counting needs it. */
export interface Entry {
  readonly id: string | null;
  readonly line: number;
  readonly at: Moment | null;
  /** `null` for lines that are no message: model changes, compactions, what extensions keep. */
  readonly message: JsonObject | null;
  readonly isOpenClaw: boolean;
  /** Whether the line could not be read: it holds the place. */
  readonly isDamaged: boolean;
}

/** A call of a pass; its result comes with a later message. */
interface Call {
  readonly tool: Json;
  readonly args: Json;
  result: Json;
  error: Json;
}

/** @throws RecordError when a line of the kind is malformed */
export function entryOf(value: Json, line: number): Entry {
  if (!isJsonObject(value)) throw new RecordError(`the line is ${quote(value)}`, 'each line must be a JSON object');
  return {
    id: readText(value, 'id'),
    line,
    at: readMoment(value, 'timestamp'),
    message: value.type === 'message' ? checked(readObject(value, 'message')) : null,
    isOpenClaw: typeof value.customType === 'string' && /^(?:openclaw:|model-snapshot$)/.test(value.customType),
    isDamaged: false,
  };
}

/** A message whose figures are of the right kind, so that a bad line is found where it stands. */
function checked(message: JsonObject | undefined): JsonObject {
  if (message === undefined) throw new RecordError('message is missing', 'a line of type message must hold one');
  readText(message, 'role', 'message.role');
  if (message.role === 'assistant') passFields(message);
  if (message.role === 'toolResult') readFlag(message, 'isError', 'message.isError');
  const content = readContent(message, 'content', 'message.content') ?? [];
  if (!Array.isArray(content) && typeof content !== 'string') {
    throw new RecordError(`message.content is ${quote(content)}`, 'content must be a text or a list of blocks');
  }
  for (const block of callsIn(message)) readText(block, 'name', 'message.content[].name');
  return message;
}

/**
 * Tokens and cost. `input` leaves the cache out, so the prompt is input + cacheRead + cacheWrite. A usage of nothing
 * but zeros, and a cost of 0, were not measured.
 */
function passFields(message: JsonObject): { [key: string]: Json } {
  const usage = readObject(message, 'usage', 'message.usage') ?? {};
  const [input, output, read, write] = (['input', 'output', 'cacheRead', 'cacheWrite'] as const).map((name) =>
    readAmount(usage, name, 'tokens', `message.usage.${name}`),
  );
  const nanos = readAmount(
    readObject(usage, 'cost', 'message.usage.cost') ?? {},
    'total',
    'usd',
    'message.usage.cost.total',
  );
  const isMeasured = [input, output, read, write].some((count) => (count ?? 0) > 0);
  const prompt = (input ?? 0) + (read ?? 0) + (write ?? 0);
  return {
    input_tokens: isMeasured && prompt > 0 ? prompt : null,
    output_tokens: isMeasured ? (output ?? null) : null,
    cache_read_tokens: isMeasured ? (read ?? null) : null,
    cache_write_tokens: isMeasured ? (write ?? null) : null,
    usd: nanos ? fromAtoms('usd', nanos) : null,
    model: readText(message, 'model', 'message.model') || null,
  };
}

function callsIn(message: JsonObject): JsonObject[] {
  const { content } = message;
  return Array.isArray(content)
    ? content.filter((block: Json) => isJsonObject(block) && block.type === 'toolCall')
    : [];
}

/** Whether a message is a model call that was answered: an attempt that failed at once left no usage and no content. */
export function isModelCall(message: JsonObject | null): message is JsonObject {
  if (message === null || message.role !== 'assistant') return false;
  const isFailure = message.stopReason === 'error' || message.stopReason === 'aborted';
  const isEmpty = !Array.isArray(message.content) || message.content.length === 0;
  return !isFailure || !isEmpty || passFields(message).input_tokens !== null;
}

/** The entries as requests: a user who speaks after the agent had ended its turn begins a new one. */
export function requestsIn(entries: readonly Entry[]): Entry[][] {
  const requests: Entry[][] = [[]];
  let isEnded = false;
  for (const entry of entries) {
    const role = entry.message?.role;
    if (role === 'user' && isEnded) {
      requests.push([]);
      isEnded = false;
    }
    requests.at(-1)?.push(entry);
    const word = entry.message?.stopReason;
    if (role === 'assistant') isEnded = typeof word === 'string' && word !== 'toolUse';
  }
  return requests;
}

/**
 * The passes of some entries, in the words of the run record. A message's own time is when its model call began, the
 * time of its line when it was complete. Lines that are no message do not count as moments: a user may have changed
 * the model before asking anything.
 */
export function passesOf(
  entries: readonly Entry[],
  idleGap: number | null,
  bounds: Bounds = UNBOUNDED,
): { [key: string]: Json }[] {
  const messages = entries.flatMap(({ at, message }) => (message === null ? [] : [{ at, message }]));
  const clock = startClock(bounds, messages.find(({ at }) => at !== null)?.at ?? null);
  const passes: { fields: { [key: string]: Json }; calls: Call[] }[] = [];
  const open = new Map<Json, Call>();
  for (const { at, message } of messages) {
    if (isModelCall(message)) {
      const began = momentOf(message.timestamp);
      if (began !== null && at !== null && began.micros <= at.micros) tick(clock, began);
      startPass(clock, at);
      const blocks = callsIn(message);
      const calls = blocks.map((block) => callOf(block));
      for (const [index, block] of blocks.entries()) open.set(block.id ?? null, calls[index] as Call);
      passes.push({ fields: passFields(message), calls });
    }
    tick(clock, at);
    if (message.role === 'toolResult') answer(open, message);
  }
  const seconds = secondsOfPasses(clock, bounds, idleGap);
  return passes.map(({ fields, calls }, index) => ({
    ...fields,
    seconds: seconds[index] ?? null,
    calls: calls.map((call) => ({ ...call })),
  }));
}

function momentOf(millis: Json | undefined): Moment | null {
  if (typeof millis !== 'number' || !(Math.abs(millis) <= 8.64e15)) return null;
  return { iso: new Date(millis).toISOString(), micros: Math.round(millis * 1000) };
}

function callOf(block: JsonObject): Call {
  return { tool: block.name || '(unnamed)', args: block.arguments ?? null, result: null, error: null };
}

function answer(open: Map<Json, Call>, message: JsonObject): void {
  const id = message.toolCallId ?? null;
  const call = open.get(id);
  if (call === undefined || id === null) return;
  open.delete(id);
  call.result = plainText(message.content) ?? null;
  call.error = message.isError ?? null;
}
