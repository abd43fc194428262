import type { Command } from 'commander';
import type { Act } from '../action.js';
import { withDeriving, withPolicyWords, withPrinting, withReading } from '../flags.js';

const EXAMPLE = 'datasets/worked-example/runs.jsonl';

/** `capfit report`: its flags, and its work. */
export function addReport(program: Command, act: Act): void {
  const command = program
    .command('report <runs...>')
    .summary('one HTML page with live what-if: opened by a double click, mailed as it is')
    .description(
      'One self-contained HTML file: the caps and where they come from, what they would have done, the runs they cut, the diagnosis and the card, and controls that replay the recorded runs in the page.',
    )
    .option('-o, --output <file>', 'where to write the page')
    .option('--policy <file>', 'report on this policy instead of the derived one')
    .option('--preset <name>', 'the rules and the order of this preset instead of one repeat rule');
  withReading(command);
  withDeriving(command);
  withPolicyWords(command);
  withPrinting(command, `capfit report ${EXAMPLE} -o report.html`);
  act(command, async () => (await import('./report.js')).reportCommand);
}
