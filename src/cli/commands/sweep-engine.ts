import type { Questions } from '../../calibrate/questions.js';
import { LIMITS } from '../../model/limits.js';
import { plural } from '../../model/words.js';
import { type Caps, EMPTY_POLICY, type Policy } from '../../policy/policy.js';
import { capsAsked } from '../../replay/asked-derive.js';
import { isUncountable, sweepAsked, type Uncountable } from '../../replay/asked-sweep.js';
import type { GridCaps, SweepResult } from '../../replay/sweep.js';
import { usualCapsOf } from '../../replay/sweep-default.js';
import { checkPushedDown, type EngineFlags, type EngineOption, inMemory } from '../engine-option.js';
import { CommandError, EXIT, usageError } from '../errors.js';
import type { Io } from '../io.js';
import { withQuestions } from '../open-questions.js';
import { deriveOptions } from '../options.js';

const CAPS_ONLY = 'a database counts what caps alone let through: replay --engine asks it of one whole policy';

/** A sweep of caps over runs that lie in a database, and what it was made of. */
export interface SweptByEngine {
  readonly result: SweepResult;
  readonly caps: GridCaps;
  /** What the policy that is named would do; `null` where none is. */
  readonly today: SweepResult | null;
}

/** `capfit sweep --engine`: what caps alone let through, of runs that lie in a database. */
export async function sweepByEngine(
  typed: readonly string[],
  raw: EngineFlags,
  engine: EngineOption,
  { named, policy }: { readonly named: GridCaps; readonly policy: Policy | null },
  io: Io,
): Promise<SweptByEngine> {
  checkPushedDown(raw, { repeat: CAPS_ONLY, preset: CAPS_ONLY });
  const base = policy ?? EMPTY_POLICY;
  if (base.rules.length > 0 || (base.stepsAt === 'dispatch' && base.caps.steps !== undefined)) {
    const what = base.rules.length > 0 ? 'rules' : 'steps that are judged before each call';
    throw usageError(`--policy ${raw.policy}: a sweep with ${what} is not asked of a database`, CAPS_ONLY);
  }
  const population = { claimed: raw.claimed === true, finishedOnly: raw.finishedOnly === true };
  return withQuestions(typed, raw, engine, io, 'passes', async (questions) => {
    const isNamed = LIMITS.some((limit) => named[limit] !== undefined);
    const caps = isNamed ? named : await usualCapsAsked(questions, raw, base.caps);
    const counted = async (grid: GridCaps): Promise<SweepResult> => {
      const result = await sweepAsked(questions, base, grid, population);
      if (isUncountable(result)) throw cannotCount(result, engine);
      return result;
    };
    return { result: await counted(caps), caps, today: policy === null ? null : await counted({}) };
  });
}

async function usualCapsAsked(questions: Questions, raw: EngineFlags, own: Caps): Promise<GridCaps> {
  const { claimed, finishedOnly } = deriveOptions(raw);
  const options = { claimed, finishedOnly };
  const caps = await capsAsked(questions, options, (derived, sample) => usualCapsOf(derived, sample, own));
  if (LIMITS.some((limit) => caps[limit] !== undefined)) return caps;
  throw new CommandError(
    'no caps to try: without a success there are no percentiles to take them from',
    'name them, for instance --passes 10,20,40',
    EXIT.no,
  );
}

function cannotCount({ inexact, runs, lacking }: Uncountable, engine: EngineOption): CommandError {
  const reasons = Object.entries(lacking).map(
    ([what, count]) => `${LACKS[what] ?? `their ${what} are not all known`} (${count})`,
  );
  return new CommandError(
    `${inexact} of ${plural(runs, 'run')} cannot be counted by a database under these caps: ${reasons.join(', ')}`,
    `leave out the caps on what is not known, or sweep in memory, which gives bounds: ${inMemory(engine)}`,
    EXIT.usage,
  );
}

const LACKS: Readonly<Record<string, string>> = {
  passes: 'their passes are not all recorded',
  totals: 'totals stand where passes lack the figure',
};
