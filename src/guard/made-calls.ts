import type { GuardCall } from './call.js';
import type { Guard } from './guard.js';
import type { Exit } from './report.js';

/** A call that a framework tells of after it was run. */
export interface MadeCall {
  readonly id: string;
  readonly call: GuardCall;
  readonly result: unknown;
  readonly error: boolean | null;
}

/** The calls that each guard was asked about before they were run, and not told of since. */
const asked = new WeakMap<Guard, Set<string>>();

/** Asks before a tool is run, and keeps in mind that it was. */
export function askFirst(guard: Guard, id: string | undefined, call: GuardCall): Exit | null {
  if (id !== undefined) idsOf(guard).add(id);
  return guard.beforeDispatch(call);
}

/**
 * Tells the calls of a pass. Those that were asked about come first, since a guard takes as many calls as it was asked
 * about for the same ones, and the rest for calls that it hears of late.
 */
export function tellMade(guard: Guard, made: readonly MadeCall[]): void {
  const ids = idsOf(guard);
  const known = made.filter(({ id }) => ids.delete(id));
  const late = made.filter((one) => !known.includes(one));
  for (const { call, result, error } of [...known, ...late]) guard.observe(call, result, { error });
}

function idsOf(guard: Guard): Set<string> {
  const ids = asked.get(guard) ?? new Set<string>();
  asked.set(guard, ids);
  return ids;
}
