import type { PopulationOptions } from '../../calibrate/population.js';
import type { Questions } from '../../calibrate/questions.js';
import type { Policy } from '../../policy/policy.js';
import { capsAsked } from '../../replay/asked-derive.js';
import { beatenCapsAsked, replayAsked } from '../../replay/asked-replay.js';
import { diagnosePolicy } from '../../replay/diagnosis-policy.js';
import type { ReplayReport } from '../../replay/result.js';
import { type ChosenPolicy, tellDerivedCaps } from '../chosen-policy.js';
import type { EngineFlags, EngineOption } from '../engine-option.js';
import { EXIT } from '../errors.js';
import { exemptOption, tellUnknown } from '../exempt-option.js';
import type { Io } from '../io.js';
import { checkLabels, withQuestions } from '../open-questions.js';
import { printBlocks, printJson } from '../print.js';

/** `capfit replay --engine`: the same of runs that lie in a database. */
export async function replayByEngine(
  typed: readonly string[],
  raw: EngineFlags,
  engine: EngineOption,
  chosen: ChosenPolicy,
  io: Io,
): Promise<number> {
  const population = { claimed: raw.claimed === true, finishedOnly: raw.finishedOnly === true };
  const report = await withQuestions(typed, raw, engine, io, 'calls', async (questions) => {
    await checkLabels(questions, raw.by ?? []);
    const exempt = exemptOption(raw);
    if (exempt.length > 0) tellUnknown(new Set(await questions.toolNames()), exempt, io);
    const policy = await chosen.whenAsked((options) => capsAsked(questions, options, (caps) => caps));
    if (chosen.derivesCaps && raw.quiet !== true) tellDerivedCaps(policy, io);
    const replay = await replayAsked(questions, policy, { ...population, by: raw.by ?? [] });
    return { ...replay, warnings: [...replay.warnings, ...(await diagnosed(questions, policy, replay, population))] };
  });
  if (raw.json === true) printJson(io, report);
  else await printBlocks(io, (await import('../../report/replay-blocks.js')).replayBlocks(report));
  return EXIT.done;
}

async function diagnosed(
  questions: Questions,
  policy: Policy,
  replay: ReplayReport,
  population: PopulationOptions,
): Promise<ReplayReport['warnings']> {
  const repeat = policy.rules.find((rule) => rule.rule === 'repeat') ?? null;
  const tools = repeat === null ? [] : await questions.repeatedTools(repeat, population);
  return diagnosePolicy({
    policy,
    replay,
    beatenCaps: await beatenCapsAsked(questions, policy, replay),
    repeatedInSuccesses: new Map(tools.map(({ tool, runs }) => [tool, runs])),
  });
}
