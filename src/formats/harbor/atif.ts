import { isJsonObject, type Json, stringifyJson } from '../../model/json.js';
import type { Problem } from '../../model/problem.js';
import type { Run } from '../../model/run.js';
import { documentProblem, readDocument } from '../document.js';
import { quote } from '../fields.js';
import {
  type Format,
  orProblem,
  problem,
  type Reading,
  type ReadingOptions,
  RecordError,
  type Source,
} from '../format.js';
import { runOfRecord } from '../record.js';
import { baseName, claimantOf, type Document, isTrajectory } from './atif-files.js';
import { topLevel } from './atif-head.js';
import { load, type Trajectory } from './atif-load.js';
import { assemble } from './atif-passes.js';
import { pool } from './atif-pool.js';
import { runRecord } from './atif-run.js';

/*
 * Agent trajectories (ATIF), versions 1.0 to 1.7: one JSON document a run. Written from the format's description,
 * github.com/harbor-framework/harbor rfcs/0001-trajectory-format.md (read as 1.4 in full, 1.5 to 1.7 by their change
 * logs), from the converters that write it, and from recorded files.
 *
 *   id          session_id, else trajectory_id, else the file's name. They repeat over files
 *   status      none is recorded: see `endingOf` in atif-run.ts. check is none: the format holds no verdict
 *   labels      agent.name (agent), agent.version, agent.model_name (model), schema_version;
 *               conflict = final_metrics: the totals contradict the steps; subagents_missing: how many sub-agents'
 *               trajectories are not at hand, and their spend in no total
 *   started_at  timestamp of the first step
 *   passes      the steps of source agent that are model calls (`modelCallsOf` in atif-calls.ts): not those that bring
 *               a tool's result, dispatch without a model (`llm_call_count` 0), or are copied from another trajectory
 *   tokens      metrics.prompt_tokens, .completion_tokens, .cached_tokens, metrics.extra.cache_creation_(input_)tokens;
 *               prompts that were counted without their cached tokens are converted (atif-tokens.ts)
 *   usd         metrics.cost_usd; 0 is not known: converters write it where they have no price
 *   seconds     from the timestamp of the step before to that of the step before the next pass; the last ends with the
 *               last step. Times stand for the end of a step (Terminus) or its start (OpenClaw); both are served so,
 *               but of the latter nothing tells how long the last call took
 *   calls       tool_calls with the results that name them, in their own step or a later one, else in order; an action
 *               written into the message is one call `(text)`; error from the isError marks that converters leave
 *   sub-agents  embedded, in files of the same folder, or marked is_sidechain: spend into the pass that started them
 *   parts       `continued_trajectory_ref`: the parts are one run
 *   totals      final_metrics, where the steps do not give a figure or it contradicts them (atif-totals.ts)
 */

/** One trajectory, or one in a list or under a name. */
const COLLECTED = /^\s*(?:\[|\{\s*"[^"\\]*"\s*:)\s*\{\s*"schema_version"\s*:\s*"ATIF-v/;

/** ATIF trajectories. */
export const atif: Format = {
  id: 'atif',
  description: 'ATIF trajectories (Harbor, NeMo, Terminus and others), one JSON document a run',
  localIds: true,
  detect: (head) =>
    head.includes('"ATIF-v') &&
    (COLLECTED.test(head) || (topLevel(head).get('schema_version')?.startsWith('ATIF-v') ?? false)),
  read: readAtif,
};

async function* readAtif(source: Source, options: ReadingOptions): Reading {
  let value: Json;
  try {
    value = await readDocument(source);
  } catch (error) {
    yield documentProblem(source, error);
    return;
  }
  if (isTrajectory(value)) yield* readTrajectory({ doc: value, source }, options);
  else yield* readCollection(value, source, options);
}

async function* readTrajectory(own: Document, options: ReadingOptions): Reading {
  const claim = await claimantOf(own);
  const isElsewhere = claim === 'part' || (claim === 'child' && options.subagents !== 'separate');
  if (!isElsewhere) yield* itemsOf(own, options, null);
}

/** Several trajectories in one document refer to each other by their ids, as embedded ones do. */
async function* readCollection(value: Json, source: Source, options: ReadingOptions): Reading {
  const members = Array.isArray(value) ? (value as readonly Json[]) : isJsonObject(value) ? Object.values(value) : [];
  if (!members.some(isTrajectory)) {
    const reason = `no trajectory but ${quote(value)}`;
    yield problem(source.name, null, null, reason, 'a trajectory must be a JSON object with schema_version and steps');
    return;
  }
  for (const [index, member] of pool(members).entries()) {
    if (member === null) continue;
    if (isTrajectory(member)) yield* itemsOf({ doc: member, source }, options, null);
    else yield notOne(source, index, member);
  }
}

function notOne(source: Source, index: number, member: Json): Problem {
  const reason = `trajectory ${index + 1} of the file is ${quote(member)}`;
  return problem(source.name, null, stringifyJson(member), reason, 'each must be a JSON object with schema_version');
}

/** The run of a trajectory, and those of its sub-agents that are to stand apart. */
async function* itemsOf(own: Document, options: ReadingOptions, parent: string | null): Reading {
  const fail = (error: unknown): Problem => {
    if (!(error instanceof RecordError)) throw error;
    return problem(own.source.name, null, null, error.message, error.hint);
  };
  let trajectory: Trajectory;
  try {
    trajectory = await load(own, options.subagents);
  } catch (error) {
    yield fail(error);
    return;
  }
  yield* runsOf(trajectory, own.source.name, options, parent);
}

/** The run of a loaded trajectory, then those of its sub-agents that stand apart. */
export function* runsOf(
  trajectory: Trajectory,
  file: string,
  options: ReadingOptions,
  parent: string | null,
): Generator<Run | Problem> {
  let apart: readonly Trajectory[] = [];
  let id = baseName(file);
  yield orProblem(file, null, null, () => {
    const assembled = assemble(trajectory, options);
    const record = runRecord(trajectory, assembled, file, parent);
    apart = assembled.apart;
    id = String(record.id);
    return runOfRecord(record, { file, line: null });
  });
  for (const child of apart) yield* runsOf(child, file, options, id);
}
