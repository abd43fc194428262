import type { Command } from 'commander';
import type { Act } from '../action.js';
import { collect, withReading, withReport } from '../flags.js';

const EXAMPLE = 'datasets/worked-example/runs.jsonl';

/** `capfit rules`: its flags, and its work. */
export function addRules(program: Command, act: Act): void {
  const command = program
    .command('rules [runs...]')
    .summary('the detector bench: stop rules of all presets, counts swept, exemptions proposed')
    .description(
      'What the rules of every preset, and plain rules at several counts, would have done to the recorded runs, and which tools look meant to poll.',
    )
    .option('--list', 'tell the presets, what each stands for and what it leaves out; no runs are needed')
    .option('--counts <list>', 'counts at which the plain rules are tried (default 2 to 10), such as 2,3,4,6')
    .option('--exempt <tool>', 'a tool that no rule sees; repeatable', collect)
    .option('--repeat <n>', 'the repeat rule for which exemptions are sought (default 3)')
    .option('--key <key>', 'what must be the same for it: call (tool, arguments, result), request, or result')
    .option('--preset <name>', 'seek exemptions for the rules of this preset instead')
    .option('--false-stop <rate>', 'accepted false-stop rate of the best preset (default 1%)')
    .option('--claimed', 'count runs that say they are done where no check looked as successes; every output says so')
    .option('--finished-only', 'leave out successes that were stopped, halted or lost while recording');
  withReading(command);
  withReport(command, `capfit rules ${EXAMPLE}`, 'capfit rules --list');
  act(command, async () => (await import('./rules.js')).rulesCommand);
}
