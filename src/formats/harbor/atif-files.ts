import { isJsonObject, type Json } from '../../model/json.js';
import { readText } from '../document.js';
import type { Neighbours, Source } from '../format.js';
import { parseLine } from '../jsonl.js';
import type { JsonObject } from './atif-step.js';

/*
 * A trajectory may go on in another file (`continued_trajectory_ref`) and have sub-agents in others
 * (`subagent_trajectory_ref`). Whoever reads the first part reads the others with it, so the others, met as inputs of
 * their own, must know that they are claimed. Both sides ask the same question, `rightfulClaim`, and look at the same few
 * files: those of the folder whose names are nearest to their own. Only files of one folder are joined.
 */

/** One ATIF document and where it came from. */
export interface Document {
  readonly doc: JsonObject;
  readonly source: Source;
}

/** As many files around one are looked at, so that a folder of a thousand trajectories is not read a thousand times. */
const NEAREST = 16;

export function isTrajectory(value: Json): value is JsonObject {
  return isJsonObject(value) && typeof value.schema_version === 'string' && value.schema_version.startsWith('ATIF-v');
}

/** The last part of a path; with either slash, since recordings come from everywhere. */
export function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

/** A neighbour's document, or `null` when there is none that is a trajectory and holds the given words. */
export async function trajectoryAt(around: Neighbours, name: string, words = ''): Promise<Document | null> {
  const opened = await quietly(async () => {
    const source = await around.open(name);
    if (source === null) return null;
    const text = await readText(source);
    return text.includes(words) ? { doc: parseLine(text), source } : null;
  });
  return opened !== null && isTrajectory(opened.doc) ? { doc: opened.doc, source: opened.source } : null;
}

/** What cannot be read is not there: what is wrong with it is said where it is read as an input of its own. */
export async function quietly<Value>(open: () => Promise<Value>): Promise<Value | null> {
  try {
    return await open();
  } catch (error) {
    if (isFault(error)) return null;
    throw error;
  }
}

/** Whether an error tells of bad input and says what to do, as opposed to a mistake in the program. */
export function isFault(error: unknown): error is Error & { readonly hint: string } {
  return error instanceof Error && 'hint' in error && typeof error.hint === 'string';
}

/** What one trajectory says of another: that it goes on there, that a sub-agent is there, or nothing. */
function claimOf(owner: Document, other: Document): 'part' | 'child' | null {
  const [ownName, otherName] = [baseName(owner.source.name), baseName(other.source.name)];
  const { continued_trajectory_ref: next } = owner.doc;
  if (typeof next === 'string' && (isNamed(next, ownName, otherName) || isNextOf(owner.doc, other.doc))) return 'part';
  const isChild = childRefsIn(owner.doc).some((ref) => isRefTo(ref, owner.doc, ownName, other.doc, otherName));
  return isChild ? 'child' : null;
}

/** References are `trajectory.cont-1.json`; a collection may have put the same words before all names of a run. */
function isNamed(path: string, ownName: string, otherName: string): boolean {
  const name = baseName(path);
  if (name === otherName) return true;
  const at = ownName.lastIndexOf('trajectory');
  return at > 0 && otherName === ownName.slice(0, at) + name;
}

/** Terminus numbers its parts: session `x`, `x-cont-1`, `x-cont-2`, and the same number in agent.extra. */
function isNextOf(owner: JsonObject, other: JsonObject): boolean {
  const number = partNumber(owner) + 1;
  if (partNumber(other) !== number || typeof owner.session_id !== 'string') return false;
  return other.session_id === `${owner.session_id.replace(/-cont-\d+$/, '')}-cont-${number}`;
}

function partNumber(doc: JsonObject): number {
  const extra = isJsonObject(doc.agent) && isJsonObject(doc.agent.extra) ? doc.agent.extra : {};
  return typeof extra.continuation_index === 'number' ? extra.continuation_index : 0;
}

function isRefTo(ref: JsonObject, owner: JsonObject, ownName: string, other: JsonObject, otherName: string): boolean {
  if (typeof ref.trajectory_path === 'string' && isNamed(ref.trajectory_path, ownName, otherName)) return true;
  if (typeof ref.trajectory_id === 'string' && ref.trajectory_id === other.trajectory_id) return true;
  const { session_id: session } = ref;
  // Since 1.7 a session may be shared by all trajectories of a run; it then tells nothing.
  return typeof session === 'string' && session === other.session_id && session !== owner.session_id;
}

/** All references to sub-agents in a document, unchecked. */
function childRefsIn(doc: JsonObject): JsonObject[] {
  const found: JsonObject[] = [];
  for (const step of objectsIn(doc.steps)) {
    const observation = isJsonObject(step.observation) ? step.observation : {};
    for (const result of objectsIn(observation.results)) found.push(...objectsIn(result.subagent_trajectory_ref));
  }
  return found;
}

function objectsIn(list: Json | undefined): JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

/**
 * The files of the folder that one may have to do with: those that its name continues (`trajectory.json`) and further
 * parts, which hold references, then those whose names have most in common with its beginning.
 */
function nearestTo(names: readonly string[], name: string): string[] {
  const rank = (each: string): number => {
    const isStem = name.startsWith(`${each.replace(/\.json.*$/i, '')}.`) || /\.cont-\d+\.json/.test(each);
    return (isStem ? 1_000_000 : 0) + commonPrefix(each, name);
  };
  const others = names.filter((each) => each !== name).map((each) => ({ each, rank: rank(each) }));
  return others
    .sort((a, b) => b.rank - a.rank)
    .slice(0, NEAREST)
    .map(({ each }) => each);
}

async function jsonFilesIn(around: Neighbours): Promise<string[]> {
  return (await around.list('.')).filter((name) => /\.json(?:\.gz|\.zst)?$/i.test(name));
}

function commonPrefix(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}

/** Of two that claim each other, the first by name is the owner. */
function rightfulClaim(owner: Document, other: Document): 'part' | 'child' | null {
  const claim = claimOf(owner, other);
  if (claim === null || claimOf(other, owner) === null) return claim;
  return baseName(owner.source.name) < baseName(other.source.name) ? claim : null;
}

/** How an input of the same folder claims this trajectory, as its part or its sub-agent; `null`: it stands alone. */
export async function claimantOf(own: Document): Promise<'part' | 'child' | null> {
  const { around, name } = own.source;
  for (const each of nearestTo(await jsonFilesIn(around), baseName(name))) {
    if (!around.isInput(each)) continue;
    const other = await trajectoryAt(around, each, '_trajectory_ref"');
    const claim = other === null ? null : rightfulClaim(other, own);
    if (claim !== null) return claim;
  }
  return null;
}

/** A file that a trajectory claims. */
export interface Claimed {
  readonly document: Document;
  readonly claim: 'part' | 'child';
}

/**
 * The files that a trajectory claims: those it names, and others that its references mean.
 *
 * @param isOwner whether all files of the folder are this trajectory's, so that none is read by itself
 */
export async function claimedBy(own: Document, isOwner: boolean): Promise<Claimed[]> {
  const { around } = own.source;
  const name = baseName(own.source.name);
  const refs = childRefsIn(own.doc);
  const { continued_trajectory_ref: next } = own.doc;
  if (typeof next !== 'string' && refs.length === 0) return [];
  const names = await jsonFilesIn(around);
  const paths = [next, ...refs.map((ref) => ref.trajectory_path)].filter((path) => typeof path === 'string');
  const named = names.filter((each) => each !== name && paths.some((path) => isNamed(path, name, each)));
  const claimed: Claimed[] = [];
  for (const each of new Set([...named, ...nearestTo(names, name)])) {
    const document = await trajectoryAt(around, each);
    const claim = document === null ? null : rightfulClaim(own, document);
    // An input that cannot see this file will be read as a run of its own.
    const isAware = isOwner || !around.isInput(each) || nearestTo(names, each).includes(name);
    if (document !== null && claim !== null && isAware) claimed.push({ document, claim });
  }
  return claimed;
}
