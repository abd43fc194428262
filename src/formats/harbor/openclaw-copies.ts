import { isJsonObject, type Json } from '../../model/json.js';
import type { Problem } from '../../model/problem.js';
import { readJsonLines } from '../document.js';
import { close, isProblem, type Neighbours, orProblemValue, type Source } from '../format.js';
import { strangerIn } from '../stranger.js';
import { baseName, quietly } from './atif-files.js';
import type { JsonObject } from './atif-step.js';
import { type Entry, entryOf } from './openclaw-session.js';

/** A session file as it was read: its header, its lines, and what was wrong with some. */
export interface Session {
  readonly source: Source;
  readonly header: JsonObject | null;
  readonly entries: readonly Entry[];
  readonly problems: readonly Problem[];
}

/**
 * Reads a session; of several lines with one id the last counts, in the place of the first. A damaged line is a problem and
 * keeps its place; one that was a model call's stays a call, of which nothing is known: the others cannot pass for the whole.
 */
export async function readSession(source: Source): Promise<Session> {
  let header: JsonObject | null = null;
  const problems: Problem[] = [];
  const entries = new Map<string, Entry>();
  for await (const item of readJsonLines(source)) {
    if (!isProblem(item) && header === null && isHeader(item.value)) {
      header = item.value;
      continue;
    }
    const stranger = isProblem(item) || isOfSession(item.value) ? null : strangerIn(source, OPENCLAW, item);
    if (stranger !== null) {
      problems.push(stranger);
      continue;
    }
    const entry = isProblem(item)
      ? item
      : orProblemValue(source.name, item.line, item.text, () => entryOf(item.value, item.line));
    if (isProblem(entry)) problems.push(entry);
    const held = isProblem(entry) ? unreadable(entry) : entry;
    entries.set(held.id ?? `line ${held.line}`, held);
  }
  return { source, header, entries: [...entries.values()], problems };
}

const ASSISTANT = /"role"\s*:\s*"assistant"/;

/** What holds the place of a line that could not be read. */
function unreadable({ place, raw }: Problem): Entry {
  const message = ASSISTANT.test(raw ?? '') ? { role: 'assistant' } : null;
  return { id: null, line: place.line ?? 0, at: null, message, isOpenClaw: false, isDamaged: true };
}

/** The format's id. */
export const OPENCLAW = 'openclaw';

/** Whether a line has the marks of a session's; there are others, and extensions add theirs. */
function isOfSession(value: Json): boolean {
  if (!isJsonObject(value)) return false;
  return (value.type === 'message' && isJsonObject(value.message)) || 'customType' in value || 'parentId' in value;
}

/** The line that a session opens with. */
export function isHeader(value: Json): value is JsonObject {
  return isJsonObject(value) && value.type === 'session' && typeof value.id === 'string' && value.id !== '';
}

/*
 * OpenClaw keeps copies of a session: one at each compaction (`*.checkpoint.*.jsonl`, what the session was by then),
 * and Harbor copies the whole file once more. They are told by their content: the same session id in the header. The
 * fullest one is read, with lines that only another input has; a copy whose every line a fuller file has is none.
 */

/** Beyond so many sessions in a folder only those are looked into whose file names hold the id. */
const FEW = 24;

/** Lines that the other inputs of this session add; `null` when this file is not the one to read. */
export async function joined(own: Session, id: string): Promise<readonly Entry[] | null> {
  const mine = idsOf(own);
  const added = new Map<string, Entry>();
  for (const path of await copiesAround(own.source.around, baseName(own.source.name), id)) {
    const other = await sessionAt(own.source.around, path, id);
    if (other === null) continue;
    const theirs = idsOf(other);
    const isWithin = [...mine].every((each) => theirs.has(each));
    if (isWithin && theirs.size > mine.size) return null;
    if (!own.source.around.isInput(path)) continue;
    if (isBefore(path, theirs.size, baseName(own.source.name), mine.size)) return null;
    let at: Entry['at'] = null;
    for (const entry of other.entries) {
      const key = keyOf(entry);
      at = entry.at ?? at;
      // What the other file lacks may be what only it had.
      if (entry.isDamaged) added.set(`${path} line ${entry.line}`, { ...entry, at, message: null });
      else if (key !== null && !mine.has(key)) added.set(key, entry);
    }
  }
  if (added.size === 0) return own.entries;
  return inOrder([...own.entries, ...added.values()]);
}

/** By time; a line without one stays behind the line before it. */
function inOrder(entries: readonly Entry[]): Entry[] {
  let latest = 0;
  const timed = entries.map((entry) => {
    latest = entry.at?.micros ?? latest;
    return { entry, time: latest };
  });
  return timed.sort((a, b) => a.time - b.time).map(({ entry }) => entry);
}

function idsOf(session: Session): Set<string> {
  return new Set(session.entries.map(keyOf).filter((key) => key !== null));
}

/** The first version of the format gives lines no ids. */
function keyOf({ id, at }: Entry): string | null {
  return id ?? at?.iso ?? null;
}

/** Of two files of one session: the fuller, then the one in the outer folder, then the first by name. */
function isBefore(path: string, size: number, ownName: string, ownSize: number): boolean {
  if (size !== ownSize) return size > ownSize;
  const depth = path.startsWith('../') ? -1 : path.includes('/') ? 1 : 0;
  return depth === 0 ? path < ownName : depth < 0;
}

async function copiesAround(around: Neighbours, ownName: string, id: string): Promise<string[]> {
  const paths: string[] = [];
  for (const folder of ['', '../', 'openclaw-sessions/']) {
    const names = (await around.list(folder || '.')).filter((name) => /\.jsonl(?:\.gz|\.zst)?$/i.test(name));
    const isFew = names.length <= FEW;
    for (const name of names) {
      if ((folder !== '' || name !== ownName) && (isFew || name.includes(id))) paths.push(`${folder}${name}`);
    }
  }
  return paths;
}

async function sessionAt(around: Neighbours, path: string, id: string): Promise<Session | null> {
  return quietly(async () => {
    const source = await around.open(path);
    if (source === null) return null;
    if (!new TextDecoder().decode(source.head).includes(id)) {
      await close(source);
      return null;
    }
    const session = await readSession(source);
    return session.header?.id === id ? session : null;
  });
}
