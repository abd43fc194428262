import type { Problem } from '../../model/problem.js';
import { isProblem, type Neighbours, type Source } from '../format.js';
import { millisOfUuid } from './codex-fork.js';
import { type PassDraft, passesOf } from './codex-passes.js';
import { turnsOf } from './codex-session.js';
import { newSession } from './codex-turn.js';
import { addUsage, type Usage } from './codex-usage.js';

/*
 * A sub-agent has a session file of its own. Its session_meta names the session that started it; that one names the
 * sub-agent in the result of spawn_agent or in an event, which says in which pass it was started. Both must agree for
 * its spend to be folded; both files then come to the same answer, so that nothing is counted twice or lost.
 */

const DAY_MILLIS = 86_400_000;

/** The path of a session's file: in this folder, or in that of its day where files are kept by day. */
export async function findSession(id: string, around: Neighbours): Promise<string | null> {
  for (const folder of foldersOf(id)) {
    const names = await around.list(folder);
    const name = names.find((each) => each.includes(id) && each.includes('.jsonl'));
    if (name !== undefined) return folder === '.' ? name : `${folder}/${name}`;
  }
  return null;
}

/** `~/.codex/sessions/2026/02/23`: by the local date, which may be a day off the one in the id. */
function foldersOf(id: string): string[] {
  const made = millisOfUuid(id);
  if (made === null) return ['.'];
  const days = [0, -1, 1].map((shift) => new Date(made + shift * DAY_MILLIS).toISOString().slice(0, 10));
  return ['.', ...days.map((day) => `../../../${day.replaceAll('-', '/')}`)];
}

/** What a session spent, with all that it started. */
interface Spend {
  /** `null`: some model call of it was not counted. */
  readonly usage: Usage | null;
  readonly passes: number;
}

/** Adds what the sub-agents of a pass spent to it. */
export interface Folding {
  /** How many were found. */
  folded: number;
  /** How many are named, but not to be found. */
  missing: number;
  /** Problems in files that are no input of their own, so that nobody else reports them. */
  readonly problems: Problem[];
  /** Some line of theirs could not be read. */
  isDamaged: boolean;
}

/**
 * Folds into passes what the sub-agents they started spent.
 *
 * @param parent id of the session whose passes these are
 * @param seen sessions on the way here; one that is in it is not followed again
 */
export async function foldInto(
  passes: readonly PassDraft[],
  parent: string,
  around: Neighbours,
  seen: Set<string>,
): Promise<Folding> {
  const folding: Folding = { folded: 0, missing: 0, problems: [], isDamaged: false };
  for (const pass of passes) {
    for (const child of pass.spawned) {
      if (seen.has(child)) continue;
      seen.add(child);
      const spend = await spendOf(child, parent, around, seen, folding);
      if (spend === null) continue;
      folding.folded++;
      if (spend.passes === 0) continue;
      pass.usage = pass.usage === null || spend.usage === null ? null : addUsage(pass.usage, spend.usage);
    }
  }
  return folding;
}

async function spendOf(
  child: string,
  parent: string,
  around: Neighbours,
  seen: Set<string>,
  folding: Folding,
): Promise<Spend | null> {
  const path = await findSession(child, around);
  const source = path === null ? null : await around.open(path);
  if (path === null || source === null) {
    folding.missing++;
    return null;
  }
  const session = newSession();
  const passes: PassDraft[] = [];
  const problems: Problem[] = [];
  for await (const item of turnsOf(source, session)) {
    if (isProblem(item)) problems.push(item);
    else passes.push(...passesOf(item, null));
  }
  // Whether or not it can be told for a child of this session: what could not be read may be what says so.
  folding.isDamaged ||= problems.length > 0;
  if (session.facts.parent !== parent) return null;
  if (!around.isInput(path)) folding.problems.push(...problems);
  const below = await foldInto(passes, child, source.around, seen);
  folding.problems.push(...below.problems);
  folding.missing += below.missing;
  folding.isDamaged ||= below.isDamaged;
  return { usage: sumOf(passes), passes: passes.length };
}

function sumOf(passes: readonly PassDraft[]): Usage | null {
  let sum: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  for (const { usage } of passes) {
    if (usage === null) return null;
    sum = addUsage(sum, usage);
  }
  return sum;
}

/** Whether the session that started this one is an input as well, and says so. */
export async function isFoldedElsewhere(source: Source, id: string, parent: string): Promise<boolean> {
  const path = await findSession(parent, source.around);
  if (path === null || !source.around.isInput(path)) return false;
  const opened = await source.around.open(path);
  if (opened === null) return false;
  const session = newSession();
  for await (const item of turnsOf(opened, session)) {
    if (!isProblem(item) && passesOf(item, null).some((pass) => pass.spawned.includes(id))) return true;
  }
  return false;
}
