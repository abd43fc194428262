import type { Questions } from '../../calibrate/questions.js';
import { LIMITS } from '../../model/limits.js';
import { EMPTY_POLICY } from '../../policy/policy.js';
import { capsAsked } from '../../replay/asked-derive.js';
import { isUncountable, sweepAsked, type Uncountable } from '../../replay/asked-sweep.js';
import type { GridCaps, SweepResult } from '../../replay/sweep.js';
import { usualCapsOf } from '../../replay/sweep-default.js';
import { checkPushedDown, type EngineFlags, type EngineOption } from '../engine-option.js';
import { CommandError, EXIT } from '../errors.js';
import type { Io } from '../io.js';
import { withQuestions } from '../open-questions.js';
import { deriveOptions } from '../options.js';

const CAPS_ONLY = 'a database counts what caps alone let through: replay --engine asks it of one whole policy';
const NOT_ASKED: Readonly<Record<string, string>> = {
  policy: CAPS_ONLY,
  preset: CAPS_ONLY,
  repeat: CAPS_ONLY,
  exempt: CAPS_ONLY,
};

/** A sweep of caps over runs that lie in a database, and the caps that were tried. */
export async function sweepByEngine(
  typed: readonly string[],
  raw: EngineFlags,
  engine: EngineOption,
  named: GridCaps,
  io: Io,
): Promise<{ readonly result: SweepResult; readonly caps: GridCaps }> {
  checkPushedDown(raw, NOT_ASKED);
  const population = { claimed: raw.claimed === true, finishedOnly: raw.finishedOnly === true };
  return withQuestions(typed, raw, engine, io, 'passes', async (questions) => {
    const caps = LIMITS.some((limit) => named[limit] !== undefined) ? named : await usualCapsAsked(questions, raw);
    const result = await sweepAsked(questions, caps, population);
    if (isUncountable(result)) throw cannotCount(result);
    return { result, caps };
  });
}

async function usualCapsAsked(questions: Questions, raw: EngineFlags): Promise<GridCaps> {
  const { claimed, finishedOnly } = deriveOptions(raw);
  const options = { claimed, finishedOnly };
  const caps = await capsAsked(questions, options, (derived, sample) =>
    usualCapsOf(derived, sample, EMPTY_POLICY.caps),
  );
  if (LIMITS.some((limit) => caps[limit] !== undefined)) return caps;
  throw new CommandError(
    'no caps to try: without a success there are no percentiles to take them from',
    'name them, for instance --passes 10,20,40',
    EXIT.no,
  );
}

function cannotCount({ inexact, runs }: Uncountable): CommandError {
  return new CommandError(
    `${inexact} of ${runs} runs lack passes or what these caps count, so that a database cannot count what they let through`,
    'leave the caps on what is missing out, or those runs (--where), or sweep in memory, which gives bounds',
    EXIT.no,
  );
}
