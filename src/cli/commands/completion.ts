import type { Command } from 'commander';
import type { Action } from '../action.js';
import { bashScript } from '../completion/bash.js';
import { fishScript } from '../completion/fish.js';
import { type ProgramSpec, programSpec } from '../completion/spec.js';
import { zshScript } from '../completion/zsh.js';
import { EXIT } from '../errors.js';
import { printJson } from '../print.js';
import type { Shell } from './completion-flags.js';

const SCRIPTS: { readonly [shell in Shell]: (program: ProgramSpec) => string } = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** `capfit completion`: the script that completes the commands of a program. */
export function completing(program: Command): Action {
  return async ([shell], raw, io) => {
    const spec = programSpec(program);
    if (raw.json === true) printJson(io, { schema: 'capfit/completion@1', shell, ...spec });
    else io.out(SCRIPTS[shell as Shell](spec));
    return EXIT.done;
  };
}
