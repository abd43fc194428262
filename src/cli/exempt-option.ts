import { nearest } from '../formats/nearest.js';
import type { Run } from '../model/run.js';
import { nameText } from '../report/escape.js';
import { usageError } from './errors.js';
import type { Io } from './io.js';
import type { RawOptions } from './options.js';

/**
 * The tools that `--exempt` names.
 *
 * @throws CommandError for an empty name
 */
export function exemptOption({ exempt = [] }: RawOptions): readonly string[] {
  if (exempt.includes('')) throw usageError('--exempt names no tool', 'for instance --exempt get_build_status');
  return exempt;
}

/**
 * Says on standard error which exempt tools no run calls: a mistyped one would exempt nothing without a word.
 *
 * @param runs iterated, if any tool is exempt
 */
export function tellUnknownTools(runs: Iterable<Run>, raw: RawOptions, io: Io): void {
  const exempt = exemptOption(raw);
  if (exempt.length === 0) return;
  tellUnknown(toolsOf(runs), exempt, io);
}

/** @param called the names of all tools that are called */
export function tellUnknown(called: ReadonlySet<string>, exempt: readonly string[], io: Io): void {
  for (const tool of new Set(exempt)) {
    if (called.has(tool)) continue;
    const near = nearest(tool, [...called]);
    const hint = near === null ? '' : `; did you mean ${nameText(near)}?`;
    io.err(`--exempt ${nameText(tool)}: no run calls such a tool${hint}\n`);
  }
}

function toolsOf(runs: Iterable<Run>): Set<string> {
  const tools = new Set<string>();
  for (const { passes } of runs) for (const { calls } of passes ?? []) for (const { tool } of calls) tools.add(tool);
  return tools;
}
