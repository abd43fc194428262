import { beatenCapsOf } from '../../replay/calibrate.js';
import { diagnosePolicy } from '../../replay/diagnosis-policy.js';
import { repeatsInSuccesses } from '../../replay/evidence.js';
import { simulate } from '../../replay/simulate.js';
import type { Action } from '../action.js';
import { choosePolicy, tellDerivedCaps } from '../chosen-policy.js';
import { engineOption } from '../engine-option.js';
import { EXIT, usageError } from '../errors.js';
import { tellUnknownTools } from '../exempt-option.js';
import { checkGrouping, loadRuns } from '../load.js';
import { readOptions } from '../options.js';
import { printBlocks, printJson } from '../print.js';

/** `capfit replay`: what a policy would have done to every recorded run. */
export const replayCommand: Action = async (typed, raw, io) => {
  const chosen = await choosePolicy(raw);
  if (chosen === null) {
    throw usageError('replay needs --policy FILE or --preset NAME', 'capfit rules --list tells the presets');
  }
  if (raw.exempt !== undefined && raw.preset === undefined) {
    throw usageError('--exempt is for --preset', 'a policy file names the exempt tools of each rule itself');
  }
  const engine = engineOption(raw);
  if (engine !== null) return (await import('./replay-engine.js')).replayByEngine(typed, raw, engine, chosen, io);
  const { runs } = await loadRuns(typed, readOptions(raw), io);
  checkGrouping(runs, raw.by ?? []);
  tellUnknownTools(runs, raw, io);
  const population = { claimed: raw.claimed === true, finishedOnly: raw.finishedOnly === true };
  const { policy, derived } = chosen.for(runs);
  if (derived !== null && raw.quiet !== true) tellDerivedCaps(policy, io);
  const replay = simulate(runs, policy, { ...population, by: raw.by ?? [] });
  const repeat = policy.rules.find((rule) => rule.rule === 'repeat') ?? null;
  const found = diagnosePolicy({
    policy,
    replay,
    beatenCaps: beatenCapsOf(runs, policy, replay),
    repeatedInSuccesses: repeat === null ? new Map() : repeatsInSuccesses(runs, population, repeat),
  });
  const report = { ...replay, warnings: [...replay.warnings, ...found] };
  if (raw.json === true) printJson(io, report);
  else await printBlocks(io, (await import('../../report/replay-blocks.js')).replayBlocks(report));
  return EXIT.done;
};
