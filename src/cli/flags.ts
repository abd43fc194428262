import { type Command, Option } from 'commander';

/* Flags that commands share, each group under the noun that it is about. */

export function collect(value: string, earlier: readonly string[] | undefined): readonly string[] {
  return [...(earlier ?? []), value];
}

export function withReading(command: Command): void {
  command
    .option('--from <format>', 'read every input as this format instead of finding it by content')
    .option('--map <file>', 'read every input as this mapping file says (docs/mapping.md)')
    .option(
      '--where <label=value>',
      'only runs with this label (or label!=value; also status, check, reason, claim, id); repeatable',
      collect,
    )
    .option('--on-error <mode>', 'bad records: fail (default), skip, or quarantine FILE')
    .option(
      '--outcomes <file>',
      'verdicts from elsewhere, joined by run id, task id or file name: CSV, JSON, JSONL, or a list of passed ids',
    )
    .option('--passed <expression>', 'what counts as passed in an entry of --outcomes (JSONata)')
    .option('--outcome-id <expression>', 'whose verdict an entry of --outcomes is (JSONata)')
    .option('--pass-mark <score>', 'score from which on a verdict counts as passed (default 1)')
    .option('--prices <file>', "price file in LiteLLM's layout for passes without a recorded cost, or builtin")
    .option('--trust-judge', 'take a verdict that a model gave for a check')
    .option('--subagents <mode>', 'passes of sub-agents: fold (default), separate, or ignore')
    .option('--idle-gap <seconds>', 'longest wait inside a pass that counts as work')
    .option(
      '--threads <n>',
      'how many threads read a file of run records; without it as many as there are processors, up to 8, above 100 MB',
    );
}

/** A database to be asked in place of memory. */
export function withEngine(command: Command): void {
  command
    .addOption(
      new Option(
        '--engine <name>',
        'ask a database instead of holding the runs in memory: duckdb (files, larger than memory too), or clickhouse (RUNS is a table or view; the server is named by CAPFIT_CLICKHOUSE_URL, CLICKHOUSE_USER, CLICKHOUSE_PASSWORD)',
      ),
    )
    .option(
      '--engine-memory <size>',
      'memory that DuckDB may take, such as 4GB (default 1GB); beyond it, it writes to disk',
    )
    .option('--engine-timeout <seconds>', 'how long ClickHouse may take for one question (default 600)');
}

/** Caps that are held to the accepted rate together. */
export function withJoint(command: Command): void {
  command
    .option('--joint', 'the lowest percentile at which all caps together stay within the accepted false-stop rate')
    .option('--optimize', 'the caps that spend least while all together stay within it; implies --joint')
    .option('--spend <metric>', 'what --optimize weighs: tokens (default where known), usd, seconds or passes');
}

/** How each cap came about. */
export function withExplain(command: Command): void {
  command.option('--explain', 'for each cap the ranked values around the cut, and the arithmetic from them to the cap');
}

/** Runs of one task that cross-validation keeps together. */
export function withCluster(command: Command): void {
  command.option(
    '--cluster <label>',
    'label whose runs stay together in cross-validation (default task_id or task, with 10 values or more)',
  );
}

export function withPopulation(command: Command): void {
  command.option('--by <label>', 'also for each value of this label; repeatable', collect);
  withSuccesses(command);
}

/** Which runs count as successes. */
function withSuccesses(command: Command): void {
  command
    .option('--claimed', 'count runs that say they are done where no check looked as successes; every output says so')
    .option('--finished-only', 'leave out successes that were stopped, halted or lost while recording');
}

export function withDeriving(command: Command): void {
  withCaps(command);
  withPopulation(command);
}

/** The same for a command whose answer is of one set of runs, and knows no groups. */
export function withDerivingOnce(command: Command): void {
  withCaps(command);
  withSuccesses(command);
}

function withCaps(command: Command): void {
  command
    .option('--false-stop <rate>', 'accepted false-stop rate (default 1%)')
    .option('--p <p>', 'the percentile itself, such as 0.99, instead of --false-stop')
    .option('--padding <factor>', 'what the percentile is multiplied by (default 1.2)')
    .option('--round <metric=unit>', 'unit a cap is rounded up to, such as tokens=1000; repeatable', collect)
    .option('--partial-usd', 'derive a usd cap although the cost of some successes is not known')
    .option('--method <method>', 'nearest-rank (default), or linear for comparison');
}

export function withPolicyWords(command: Command): void {
  command
    .option('--repeat <n>', 'stop at the n-th identical call in a row (default 3)')
    .option('--no-repeat', 'no repeat rule')
    .option('--key <key>', 'what must be the same: call (tool, arguments, result), request, or result')
    .option('--exempt <tool>', 'a tool meant to poll, which the repeat rule does not see; repeatable', collect)
    .option('--name <text>', "the policy's name")
    .option('--check <program>', 'the program that pronounces a run finished, for the card')
    .option(
      '--timeout <call=seconds>',
      'seconds for one call, such as model_call=60 or tool=30, for the card; repeatable',
      collect,
    )
    .option(
      '--halt-on <class>',
      'an error class that must end a run, for the card; repeatable; without it a usual list',
      collect,
    )
    .option('--wrap-up', 'one last model call may sum up after a stop, for the card')
    .option('--source <text>', 'where the runs came from, for the card')
    .option('--date <day>', 'day of the measurement; without it the day of the newest run');
}

/** Options, by their attributes, that say to print something else; not every command has all of them. */
const OTHER_FORMS = ['json', 'csv', 'format', 'scenarios'];

/** Flags of a command whose answer is a report: text for a terminal, or the same as Markdown. */
export function withReport(command: Command, ...examples: string[]): void {
  command.addOption(
    new Option('--markdown', "print the report as GitHub's Markdown, for a pull request").conflicts(OTHER_FORMS),
  );
  withPrinting(command, ...examples);
}

export function withPrinting(command: Command, ...examples: string[]): void {
  command
    .option('--json', 'print the answer as JSON')
    .option('--no-color', 'no colour')
    .option('-q, --quiet', 'no progress bar, no lists on standard error')
    .option('-v, --verbose', 'list everything that was left out');
  command.addHelpText(
    'after',
    `\nExample${examples.length > 1 ? 's' : ''}:\n${examples.map((each) => `  $ ${each}\n`).join('')}`,
  );
}
