import type { Command } from 'commander';
import type { Act } from '../action.js';
import { collect, withEngine, withReading, withReport } from '../flags.js';

const EXAMPLE = 'datasets/worked-example/runs.jsonl';

/** `capfit sweep`: its flags, and its work. */
export function addSweep(program: Command, act: Act): void {
  const command = program
    .command('sweep <runs...>')
    .summary('a grid of caps: false stops and spend of every combination, and those that no other beats')
    .description(
      'What every combination of caps would have done to the recorded runs. Caps are a list such as 10,15,20, a range from:to:step, or none; without any, high percentiles of the verified successes are tried. Each combination that no other beats says what the next good run costs, and --value picks the one that costs least in all.',
    )
    .option('--passes <caps>', 'caps on passes, such as 10,15,20,none or 10:30:5')
    .option('--tokens <caps>', 'caps on tokens')
    .option('--seconds <caps>', 'caps on seconds')
    .option('--usd <caps>', 'caps on dollars')
    .option('--steps <caps>', 'caps on steps')
    .option(
      '--repeat <counts>',
      "counts of the policy's repeat rule, or of the same call so many times in a row, such as 2,3,4,none",
    )
    .option('--policy <file>', 'a policy whose rules, order and other caps are kept')
    .option('--preset <name>', 'a published policy instead, see capfit rules --list')
    .option('--exempt <tool>', 'a tool that the rules of the preset, or --repeat, do not see; repeatable', collect)
    .option('--spend <metric>', 'what is weighed against false stops: tokens, usd, seconds or passes')
    .option(
      '--value <amount>',
      'what a finished success is worth, such as 2.50usd or 400000tokens: what costs least in all is told',
    )
    .option(
      '--false-stop <rate>',
      'how many of the good runs a cap may stop, for the advice (default 1%); not with --policy',
    )
    .option('--claimed', 'count runs that say they are done where no check looked as successes; every output says so')
    .option('--finished-only', 'leave out successes that were stopped, halted or lost while recording')
    .option('--csv', 'print every combination as CSV');
  withReading(command);
  withEngine(command);
  withReport(
    command,
    `capfit sweep ${EXAMPLE}`,
    `capfit sweep ${EXAMPLE} --repeat 2,3,4,none --value 400_000tokens`,
    `capfit sweep ${EXAMPLE} --passes 10:40:2 --tokens 200_000,400_000,none --csv`,
  );
  act(command, async () => (await import('./sweep.js')).sweepCommand);
}
