import type { Warning } from '../model/problem.js';
import type { Call, Run } from '../model/run.js';
import type { Columns } from '../model/table.js';
import { plural } from '../model/words.js';
import type { Rule } from '../policy/policy.js';

/*
 * Arguments that a record leaves out are a call without arguments, so that a rule which compares requests sees every
 * call of a tool as the same. Right where tools take none, wrong where the recorder dropped them: that is told.
 */

/** Whether the run calls some tool more than once, and no call of it has arguments or a digest of them. */
export function lacksArguments({ passes }: Run): boolean {
  const seen = new Set<string>();
  let again = false;
  for (const { calls } of passes ?? []) {
    for (const call of calls) {
      if (hasArguments(call)) return false;
      again ||= seen.has(call.tool);
      seen.add(call.tool);
    }
  }
  return again;
}

function hasArguments({ args, argsDigest }: Call): boolean {
  return args !== undefined || argsDigest !== null;
}

/** The same of runs that lie in columns. */
export function argumentsOfColumns({ passes: { calls }, firstCall }: Columns): (run: number) => boolean {
  return (run) => {
    const end = firstCall(run + 1);
    // Nearly every run that lacks none shows it at its first call.
    if (firstCall(run) === end || calls.argsCode(firstCall(run)) !== null) return false;
    const seen = new Set<number>();
    let again = false;
    for (let call = firstCall(run); call < end; call++) {
      if (calls.argsCode(call) !== null) return false;
      again ||= seen.has(calls.toolCode(call));
      seen.add(calls.toolCode(call));
    }
    return again;
  };
}

/** What a reader must know of rules that compare arguments which were not recorded. */
export function argumentWarnings(lacking: number, runs: number, rules: readonly Rule[]): Warning[] {
  const comparing = rules.filter((rule) => rule.rule === 'repeat' && rule.key !== 'result');
  if (lacking === 0 || comparing.length === 0) return [];
  const byRequest = comparing.some((rule) => rule.rule === 'repeat' && rule.key === 'request');
  const equal = byRequest ? 'every call of a tool counts as the same request' : 'calls differ by tool and result alone';
  return [
    {
      code: 'arguments_missing',
      message: `${lacking} of ${plural(runs, 'run')} ${lacking === 1 ? 'calls a tool again and records' : 'call a tool again and record'} no arguments at all: there ${equal}`,
      hint: 'record args or args_digest of each call; where the tools take arguments, stops by such a rule mean nothing',
    },
  ];
}
