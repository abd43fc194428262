import type { Command } from 'commander';
import type { Act } from '../action.js';
import { withDerivingOnce, withReading, withReport } from '../flags.js';

const EXAMPLE = 'datasets/worked-example/runs.jsonl';

/** `capfit plan`: its flags, and its work. */
export function addPlan(program: Command, act: Act): void {
  const command = program
    .command('plan [runs...]')
    .summary('how many more verified runs it takes to claim a false-stop rate')
    .description(
      'What may be claimed of caps with the verified runs there are, and how many more a stronger claim takes. Without runs, the numbers that hold for any. Exit code 1 when nothing can be claimed.',
    )
    .option('--target <share>', 'the share of good runs that may be cut, such as 1%', '1%')
    .option('--confidence <share>', 'how sure the claim has to be', '95%')
    .option('--above <n>', 'how many verified runs lie above the cap, instead of what the runs say')
    .option('--policy <file>', 'a policy file to claim for, beside the derived caps');
  withReading(command);
  withDerivingOnce(command);
  withReport(command, `capfit plan ${EXAMPLE} --target 1%`, 'capfit plan --target 0.5% --above 2');
  act(command, async () => (await import('./plan.js')).planCommand);
}
