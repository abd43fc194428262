import type { Command } from 'commander';
import type { Act } from '../action.js';
import { withReport } from '../flags.js';

/** `capfit drill` and its flags. */
export function addDrill(program: Command, act: Act): void {
  const command = program
    .command('drill')
    .summary('run each exit of a loop on purpose and judge what its caller gets')
    .description(
      'Scripted scenarios, one for each exit and for each thing that must not be one, to drive a loop with in any language (docs/drill.md). Without options they are listed; exit code 1 when a loop failed one.',
    )
    .option('--scenarios', 'print the scenarios as JSON')
    .option('-o, --output <file>', 'write the scenarios to a file instead of standard output; .gz packs')
    .option('--results <file>', 'judge what a loop reported: a JSON list, or one {"scenario", "report"} a line');
  withReport(command, 'capfit drill --scenarios -o scenarios.json', 'capfit drill --results results.json');
  act(command, async () => (await import('./drill.js')).drillCommand);
}
