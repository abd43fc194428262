import { close, type Neighbours, type Source } from '../format.js';
import { quietly } from './atif-files.js';
import { topLevel } from './atif-head.js';

/*
 * What an agent leaves in the folder of its trial is the trial over again: Harbor copies the agent's own logs there
 * (agent/sessions/… of Claude Code and Codex, agent/openclaw-sessions/, steps/NAME/agent/…, whatever an agent writes) and
 * makes agent/trajectory.json of them. Where the trial is an input they are no runs of their own.
 */

/** How many folders up a trial may be: Codex keeps sessions by day, Claude Code by project and session. */
const MOST_FOLDERS = 10;

/** What is never an agent's log: trials themselves, and our own records and tables. */
const APART: ReadonlySet<string> = new Set(['harbor', 'json', 'jsonl', 'csv', 'csv-summary']);

/** Whether the first bytes of a document are those of a Harbor trial's result. */
export function isTrialHead(head: string): boolean {
  if (!head.includes('"trial_name"')) return false;
  const keys = topLevel(head);
  const isTrial = keys.has('trial_name') && keys.has('task_name');
  return isTrial && ['task_checksum', 'agent_info', 'agent_result', 'verifier_result'].some((key) => keys.has(key));
}

/**
 * Whether a file only tells once more of a run that another input gives: the trial in whose folder it lies, or the
 * trajectory that was made of it.
 *
 * @param format id of the format that the file was recognised as
 */
export async function isCompanion(format: string, source: Source): Promise<boolean> {
  if (APART.has(format)) return false;
  return (await isInTrial(source.around)) || (format !== 'atif' && (await isOfTrajectory(source)));
}

async function isInTrial(around: Neighbours): Promise<boolean> {
  for (const path of upwards('result.json').slice(1)) {
    if (around.isInput(path) && isTrialHead((await headAt(around, path)) ?? '')) return true;
  }
  return false;
}

async function isOfTrajectory({ around, head }: Source): Promise<boolean> {
  for (const path of upwards('trajectory.json')) {
    if (!around.isInput(path)) continue;
    const keys = topLevel((await headAt(around, path)) ?? '');
    const id = keys.get('schema_version')?.startsWith('ATIF-v') ? (keys.get('session_id') ?? '') : '';
    if (id.length >= SHORTEST_ID && textOf(head).includes(`"${id}"`)) return true;
  }
  return false;
}

/** A shorter id may be any word. */
const SHORTEST_ID = 8;

function upwards(name: string): string[] {
  return Array.from({ length: MOST_FOLDERS + 1 }, (_, folders) => `${'../'.repeat(folders)}${name}`);
}

async function headAt(around: Neighbours, path: string): Promise<string | null> {
  return quietly(async () => {
    const source = await around.open(path);
    if (source === null) return null;
    await close(source);
    return textOf(source.head);
  });
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
