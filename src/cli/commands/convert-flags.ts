import { type Command, Option } from 'commander';
import type { Act } from '../action.js';
import { withPrinting, withReading } from '../flags.js';
import { RUN_FORMS } from '../run-forms.js';

const EXAMPLE = 'datasets/worked-example/runs.jsonl';

/** `capfit convert`: its flags, and its work. */
export function addConvert(program: Command, act: Act): void {
  const command = program
    .command('convert <runs...>')
    .description('Any supported recording to run records.')
    .option('-o, --output <file>', 'where to write; standard output without it; .gz packs')
    .addOption(
      new Option(
        '--to <format>',
        'jsonl, csv (one row a pass), csv-summary (one row a run), parquet (one row a pass, by the optional package @duckdb/node-api), or pass-table (rows for ClickHouse: INSERT INTO capfit_passes FORMAT JSONEachRow); without it by the ending of --output',
      ).choices(RUN_FORMS),
    );
  withReading(command);
  withPrinting(command, `capfit convert ${EXAMPLE} -o runs.csv`);
  act(command, async () => (await import('./convert.js')).convertCommand);
}

/** `capfit generate`: its flags, and its work. */
export function addGenerate(program: Command, act: Act): void {
  const command = program
    .command('generate')
    .description('Seeded synthetic runs whose right answer is known: the same seed gives the same bytes.')
    .option('--profile <name>', 'what kind of runs', 'worked-example')
    .option(
      '--runs <n>',
      "how many; without it the profile's own number, at which the worked example is fitted to its published figures: sets of other sizes are free draws, and differ from it",
    )
    .option('--seed <n>', "a whole number; without it the profile's own seed")
    .option('--list', 'list the profiles')
    .option('-o, --output <file>', 'where to write; standard output without it; .gz packs')
    .addOption(
      new Option(
        '--to <format>',
        'jsonl, csv, csv-summary, parquet or pass-table; without it by the ending of --output',
      ).choices(RUN_FORMS),
    );
  withPrinting(
    command,
    'capfit generate --profile worked-example -o runs.jsonl',
    'capfit generate --runs 100000 --seed 7 -o runs.jsonl.gz',
  );
  act(command, async () => (await import('./generate.js')).generateCommand);
}
