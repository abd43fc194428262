import { type Command, Option } from 'commander';
import type { Act } from '../action.js';
import { collect, withPrinting, withReading, withReport } from '../flags.js';

const EXAMPLE = 'datasets/worked-example/runs.jsonl';
const POLICY = 'reports/worked-example/policy.yaml';

/** `capfit check`: its flags, and its work. */
export function addCheck(program: Command, act: Act): void {
  const command = program
    .command('check <runs...>')
    .summary('for CI and cron: do new runs still fit the policy? exit code 1 when not')
    .description(
      'Holds new runs against a policy: false stops, stop share, spend, caps that were not obeyed, drift from what was measured, a stale card, caps that do nothing, and the alerts of the card. Exit code 1 when an error was found.',
    )
    .requiredOption('--policy <file>', 'the policy file, YAML or JSON')
    .option('--against <runs>', 'earlier runs to compare with: a file, a folder or a quoted glob')
    .option(
      '--max-false-stops <rate>',
      "such as 1%, or off (default: the rate that the policy's caps were derived for)",
    )
    .addOption(
      new Option(
        '--confidence <which>',
        'false stops fail by the one-sided 95 % lower limit of their rate (more is cut than accepted, and not by chance), by the rate seen, or by the upper limit',
      )
        .choices(['lower', 'point', 'upper'])
        .default('lower'),
    )
    .option('--max-stopped <share>', 'runs that may end as stopped_budget, such as 20% (default off)')
    .option('--max-unverified-spend <share>', 'tokens that may go to runs not verified, such as 50% (default off)')
    .option(
      '--max-over-cap <n>',
      'runs that may go on past their own recorded cap: a number, a share, or off (default 0)',
    )
    .option(
      '--max-halts <n>',
      'runs that may halt for a permission or guardrail: a number, a share, or off (default 0)',
    )
    .option('--max-lost <n>', 'records that may be running past the wall-clock cap: likewise (default 0)')
    .option('--max-age <days>', 'how old the measurement may be, such as 90d (default off)');
  withAlarmRate(command);
  command
    .option('--today <moment>', 'a day, or a moment in ISO 8601, for ages and overdue records (default today)')
    .addOption(
      new Option('--format <format>', 'how the answer is written')
        .choices(['text', 'markdown', 'json', 'junit', 'github'])
        .default('text'),
    )
    .option('-o, --output <file>', 'write to a file instead of standard output');
  withSuccesses(command);
  withReading(command);
  withReport(
    command,
    `capfit check ${EXAMPLE} --policy ${POLICY} --max-halts 2%`,
    'capfit check new/ --policy policy.yaml --against old/ --max-age 90d --format github',
  );
  act(command, async () => (await import('./check.js')).checkCommand);
}

/** `capfit drift`: its flags, and its work. */
export function addDrift(program: Command, act: Act): void {
  const command = program
    .command('drift <runs...>')
    .usage('[options] <old> <new>, or [options] <runs...> with --split-at or --split-half')
    .summary('have the runs moved?')
    .description(
      'Compares two sets of runs, each a file, a folder or a quoted glob, or the older and the newer runs of one set: the sizes of the verified successes as a whole, how many of them lie above the old percentile, how the runs end, and what the old caps do to the new runs. The answer is moved, not moved, or cannot tell.',
    )
    .option('--split-at <moment>', 'one set in two: runs that started before this day or moment, and from it on')
    .option('--split-half', 'one set in two: the older and the newer half by the time they started')
    .option('--policy <file>', 'the old policy; without it caps are derived from the old runs')
    .option('--p <p>', 'the old percentile whose tail is looked at, and that caps are derived from (default 0.99)')
    .option('--padding <factor>', 'what the percentile is multiplied by for a cap (default 1.2)');
  withAlarmRate(command);
  command.option('--fail-on-drift', 'exit code 1 when they have moved, and when it cannot be told');
  withSuccesses(command);
  withReading(command);
  withReport(
    command,
    `capfit drift ${EXAMPLE} datasets/worked-example/runs.csv`,
    `capfit drift ${EXAMPLE} --split-at 2026-03-04`,
  );
  act(command, async () => (await import('./drift.js')).driftCommand);
}

/** `capfit metrics`: its flags, and its work. */
export function addMetrics(program: Command, act: Act): void {
  const command = program
    .command('metrics <runs...>')
    .summary('runs by status and reason, and percentiles, as OpenMetrics text')
    .description(
      'Runs by status and reason, percentiles of the verified successes and, with --policy, false stops: gauges in the OpenMetrics text format.',
    )
    .option('--label <name>', 'a label of the runs that the samples carry; repeatable', collect)
    .option('--by <name>', 'the same', collect)
    .option('--policy <file>', 'a policy whose stops and false stops are told as well')
    .option('--today <moment>', 'a day, or a moment in ISO 8601, for overdue records (default today)')
    .option('--max-series <n>', 'most samples of a gauge; what is beyond is folded into "other" (default 1000)')
    .option('-o, --output <file>', 'write to a file, whole or not at all, instead of standard output');
  withSuccesses(command);
  withReading(command);
  withPrinting(
    command,
    `capfit metrics ${EXAMPLE} --label kind`,
    'capfit metrics runs/ --policy policy.yaml -o /var/lib/node_exporter/capfit.prom',
  );
  act(command, async () => (await import('./metrics.js')).metricsCommand);
}

function withAlarmRate(command: Command): void {
  command.option('--alarm-rate <rate>', 'accepted chance of any false drift alarm, over all tests made (default 5%)');
}

function withSuccesses(command: Command): void {
  command
    .option('--claimed', 'count runs that say they are done where no check looked as successes; every output says so')
    .option('--finished-only', 'leave out successes that were stopped, halted or lost while recording');
}
