import { Argument, type Command } from 'commander';
import { withPrinting } from '../flags.js';

/** Shells whose completion can be written. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** `capfit completion`: its arguments and flags. */
export function completionCommand(program: Command): Command {
  const command = program
    .command('completion')
    .summary('a script that lets the shell complete commands, flags, choices and files')
    .description(
      'Prints a script for a shell: with it the tab key completes commands, flags, their choices, and files. It is made from the commands themselves; --json prints those instead.',
    )
    .addArgument(new Argument('<shell>', 'whose script').choices(SHELLS));
  withPrinting(command);
  command.addHelpText(
    'after',
    `
Examples:
  $ source <(capfit completion bash)    in ~/.bashrc
  $ source <(capfit completion zsh)     in ~/.zshrc, behind compinit
  $ capfit completion fish > ~/.config/fish/completions/capfit.fish
`,
  );
  return command;
}
