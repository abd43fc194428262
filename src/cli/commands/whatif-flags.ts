import type { Command } from 'commander';
import type { Act } from '../action.js';
import { collect, withReading, withReport } from '../flags.js';

const EXAMPLE = 'datasets/worked-example/runs.jsonl';
const POLICY = 'reports/worked-example/policy.yaml';

/** `capfit whatif`: its flags, and its work. */
export function addWhatIf(program: Command, act: Act): void {
  const command = program
    .command('whatif <runs...>')
    .summary("today's policy beside candidates: good runs lost, spend saved, how sure")
    .description(
      "Replays the recorded runs under today's policy and under each candidate, and tells every difference: good runs lost or regained, spend saved with its interval, which runs change sides, which limits bind. Today's policy is a file or a preset; without either it is the caps that these runs give, with the usual repeat rule.",
    )
    .option('--policy <file>', "today's policy, YAML or JSON; named again, a candidate", collect)
    .option('--preset <name>', "a published policy as today's, see capfit rules --list")
    .option('--exempt <tool>', 'a tool that no rule of the preset sees; repeatable', collect)
    .option(
      '--set <caps>',
      'other caps: passes=20,tokens=none; with --add-rule and --remove-rule, all of one candidate; repeatable',
      collect,
    )
    .option('--add-rule <rule>', 'one rule more, such as repeat:key=request,count=4, or JSON; repeatable', collect)
    .option('--remove-rule <name>', 'without this rule; repeatable', collect)
    .option(
      '--candidate <caps>',
      'a candidate of its own with these caps, such as passes=20,tokens=none; repeatable',
      collect,
    )
    .option('--scale <factor>', 'a candidate with all caps times this, such as 0.8, rounded up; repeatable', collect)
    .option('--with <file>', 'a policy file as a candidate; repeatable', collect)
    .option(
      '--spend <metric>',
      'what is weighed: tokens, usd, seconds or passes (default the first of these that is known)',
    )
    .option(
      '--cluster <label>',
      'resample whole groups of runs with one value of this label, or none (default task_id or task, where a run has it)',
    )
    .option('--seed <n>', 'seed of the resamples (default 1)')
    .option('--resamples <n>', 'how many resamples an interval is taken from (default 2000)')
    .option('--claimed', 'count runs that say they are done where no check looked as successes; every output says so')
    .option('--finished-only', 'leave out successes that were stopped, halted or lost while recording');
  withReading(command);
  withReport(
    command,
    `capfit whatif ${EXAMPLE} --policy ${POLICY} --set passes=20 --set tokens=none`,
    `capfit whatif ${EXAMPLE} --scale 0.8 --scale 1.2 --candidate passes=40`,
  );
  act(command, async () => (await import('./whatif.js')).whatIfCommand);
}
