import { plural } from '../../model/words.js';
import { generateRuns } from '../../synth/generate.js';
import type { Profile } from '../../synth/profile.js';
import { findProfile, PROFILES } from '../../synth/profiles.js';
import type { Action } from '../action.js';
import { EXIT, usageError } from '../errors.js';
import { wholeOption } from '../numbers.js';
import type { RawOptions } from '../options.js';
import { batched, writeWhole } from '../output.js';
import { printJson } from '../print.js';
import { runForm, writtenRuns } from '../write-runs.js';

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
  const text = writtenRuns(form, () => generateRuns(profile, { runs, seed }));
  if (raw.output === undefined) {
    for await (const chunk of batched(text)) await io.out(chunk);
    return EXIT.done;
  }
  await writeWhole(raw.output, text);
  if (raw.json === true)
    printJson(io, { schema: 'capfit/generate@1', output: raw.output, form, profile: profile.name, runs, seed });
  else if (raw.quiet !== true)
    io.err(`${plural(runs, 'run')} of profile ${profile.name}, seed ${seed}, written to ${raw.output}\n`);
  return EXIT.done;
};

function profileOption(raw: RawOptions): Profile {
  const profile = findProfile(raw.profile as string);
  if (profile !== null) return profile;
  throw usageError(`--profile ${raw.profile}: unknown`, `one of: ${PROFILES.map(({ name }) => name).join(', ')}`);
}
