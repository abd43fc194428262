import type { Run } from '../../model/run.js';
import { plural } from '../../model/words.js';
import { generateRuns } from '../../synth/generate.js';
import type { Profile } from '../../synth/profile.js';
import { findProfile, PROFILES } from '../../synth/profiles.js';
import type { Action } from '../action.js';
import { choiceHint } from '../choice.js';
import { EXIT, usageError } from '../errors.js';
import { wholeOption } from '../numbers.js';
import type { RawOptions } from '../options.js';
import { batched, folderTold } from '../output.js';
import { printJson } from '../print.js';
import { runForm, type TextForm } from '../run-forms.js';
import { writeRuns, writtenRuns } from '../write-runs.js';

/** More would be terabytes: a slip of the finger. */
const MOST_RUNS = 1_000_000_000;

/** `capfit generate`: seeded synthetic runs, streamed. */
export const generateCommand: Action = async (_typed, raw, io) => {
  if (raw.list === true) {
    if (raw.json === true)
      printJson(
        io,
        PROFILES.map(({ name, about, size, seed }) => ({ name, about, runs: size, seed })),
      );
    else for (const { name, about } of PROFILES) io.out(`${name}\n  ${about}\n`);
    return EXIT.done;
  }
  const profile = profileOption(raw);
  const runs = raw.runs === undefined ? profile.size : wholeOption('--runs', raw.runs, 1, MOST_RUNS);
  const seed = raw.seed === undefined ? profile.seed : wholeOption('--seed', raw.seed, 0);
  const form = runForm(raw.to, raw.output);
  const made = (): Iterable<Run> => generateRuns(profile, { runs, seed });
  if (raw.output === undefined) {
    for await (const chunk of batched(writtenRuns(form as TextForm, made))) await io.out(chunk);
    return EXIT.done;
  }
  await writeRuns(form, raw.output, made, folderTold(raw, io));
  if (raw.json === true)
    printJson(io, { schema: 'capfit/generate@1', output: raw.output, form, profile: profile.name, runs, seed });
  else if (raw.quiet !== true)
    io.err(`${plural(runs, 'run')} of profile ${profile.name}, seed ${seed}, written to ${raw.output}\n`);
  return EXIT.done;
};

function profileOption(raw: RawOptions): Profile {
  const typed = raw.profile as string;
  const profile = findProfile(typed);
  if (profile !== null) return profile;
  throw usageError(
    `--profile ${typed}: unknown`,
    choiceHint(
      typed,
      PROFILES.map(({ name }) => name),
    ),
  );
}
