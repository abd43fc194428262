import type { Command } from 'commander';
import type { Act } from '../action.js';
import { withPrinting } from '../flags.js';

/** `capfit export`: its flags; the work is loaded when it is called. */
export function addExport(program: Command, act: Act): void {
  const command = program
    .command('export')
    .description(
      "The policy in a framework's own settings: units translated, and what the framework cannot say listed on standard error.",
    )
    .option('--policy <file>', 'the policy file, YAML or JSON')
    .option('--to <name>', 'the framework; --list names all')
    .option('--list', 'list the frameworks')
    .option('-o, --output <file>', 'write to a file instead of standard output');
  withPrinting(
    command,
    'capfit export --policy reports/worked-example/policy.yaml --to openai-agents-js',
    'capfit export --list',
  );
  act(command, async () => (await import('./export.js')).exportCommand);
}
