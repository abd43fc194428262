import { resolve } from 'node:path';
import type { FieldTally } from '../formats/format.js';
import type { Depth } from '../model/depth.js';
import { figuresIn } from '../model/figures.js';
import { stringifyJson } from '../model/json.js';
import { formatPlace, type Problem } from '../model/problem.js';
import type { Run } from '../model/run.js';
import { createRunTable, type RunTable } from '../model/table.js';
import { plural } from '../model/words.js';
import { escapeTerminal, nameText } from '../report/escape.js';
import { didYouMean } from './choice.js';
import { CommandError, EXIT, usageError } from './errors.js';
import { type Ingest, ingest } from './ingest.js';
import type { IngestSummary } from './ingest-summary.js';
import { intoTable, type Target } from './into-table.js';
import type { Io } from './io.js';
import type { ReadOptions } from './options.js';
import { folderTold, writeWhole } from './output.js';
import { kindOfPath } from './path-kind.js';
import { loadPricer, tellPricing } from './pricing.js';
import { createProgress } from './progress.js';
import { unansweredLines } from './unanswered.js';
import { createUnmet, type Unmet } from './unmet.js';
import { joinVerdicts } from './verdicts.js';
import { meets } from './where.js';

/** Runs in memory, filtered, and what was read beside them. */
export interface Loaded {
  readonly runs: RunTable;
  readonly summary: IngestSummary;
}

/**
 * Whether every label that the runs are grouped by occurs: a mistyped one would make a single group of all.
 *
 * @throws CommandError that lists the labels there are
 */
export function checkGrouping(runs: Iterable<Run>, by: readonly string[], flag = '--by'): void {
  if (by.length === 0) return;
  const seen = new Set<string>();
  for (const { labels } of figuresIn(runs)) for (const label of labels.keys()) seen.add(label);
  const missing = by.find((label) => !seen.has(label));
  if (missing === undefined) return;
  const known = [...seen]
    .slice(0, 20)
    .map((name) => nameText(name))
    .join(', ');
  throw usageError(
    `${flag} ${missing}: no run has that label`,
    known === '' ? 'the runs carry no labels' : `${didYouMean(missing, [...seen])}Labels of these runs: ${known}`,
  );
}

/** Reads all inputs into a table: what deriving and replaying need, at about 20 bytes a pass, or less as `depth` says. */
export async function loadRuns(
  typed: readonly string[],
  options: ReadOptions,
  io: Io,
  depth: Depth = 'calls',
): Promise<Loaded> {
  const table = createRunTable(depth);
  const { runs, summary } = readRuns(
    typed,
    { ...options, where: options.outcomes === null ? options.where : [] },
    io,
    false,
    table,
  );
  for await (const run of runs) table.add(run);
  if (options.outcomes === null) return { runs: table, summary };
  const { apply } = await joinVerdicts(table, options, io);
  const joined = createRunTable();
  const unmet = createUnmet(options.where);
  for (const run of table) {
    const checked = apply(run);
    if (meets(checked, options.where)) joined.add(checked);
    else unmet.see(checked);
  }
  if (joined.length === 0) throw noneMeets(summary, options, unmet);
  return { runs: joined, summary };
}

/**
 * The runs that meet the conditions, priced, one by one as they are read; where verdicts are joined, all are read
 * first. At the end, what could not be read or priced is reported on standard error; a set without any run is an error.
 *
 * @param target runs go straight into its table where that is quicker, and are then not among those that come out
 */
export function readRuns(
  typed: readonly string[],
  options: ReadOptions,
  io: Io,
  joins = true,
  target: Target | null = null,
): Ingest {
  const progress = createProgress(io, options.quiet);
  const tallies: FieldTally[] = [];
  const reading = { ...options.reading, onTallies: (each: readonly FieldTally[]) => void tallies.push(...each) };
  let count = 0;
  const unmet = createUnmet(options.where);
  const into =
    target === null || options.prices !== null
      ? null
      : intoTable(target, options, unmet, (runs) => {
          count += runs;
        });
  const { runs, summary } = ingest(typed, { ...options, reading }, io, progress, into);
  async function* meeting(): AsyncGenerator<Run> {
    if (options.quarantineFile !== null) checkQuarantine(options.quarantineFile);
    const pricer = options.prices === null ? null : await loadPricer(options.prices);
    try {
      for await (const run of options.outcomes === null || !joins ? runs : withVerdicts(runs, options, io)) {
        if (!meets(run, options.where)) {
          unmet.see(run);
          continue;
        }
        count++;
        yield pricer?.price(run) ?? run;
      }
    } catch (error) {
      // What was put aside before the end is kept: it may be why there is nothing to answer from.
      if (options.onError !== 'fail') await reportProblems(summary, tallies, options, io);
      throw error;
    } finally {
      progress.stop();
    }
    await reportProblems(summary, tallies, options, io);
    if (pricer !== null && !options.quiet) tellPricing(pricer.summary, options.prices ?? '', options.verbose, io);
    if (count === 0) throw noneMeets(summary, options, unmet);
  }
  return { runs: meeting(), summary };
}

async function* withVerdicts(runs: AsyncIterable<Run>, options: ReadOptions, io: Io): AsyncGenerator<Run> {
  const held: Run[] = [];
  for await (const run of runs) held.push(run);
  const { apply } = await joinVerdicts(held, options, io);
  for (const run of held) yield apply(run);
}

function noneMeets(summary: IngestSummary, options: ReadOptions, unmet: Unmet): CommandError {
  const conditions = options.where.map(({ name, value, negated }) => `${name}${negated ? '!=' : '='}${value}`);
  return new CommandError(
    `none of ${plural(summary.records, 'run')} meets --where ${conditions.join(' --where ')}`,
    unmet.hint(),
    EXIT.no,
  );
}

const SHOWN = 10;

async function reportProblems(
  summary: IngestSummary,
  tallies: readonly FieldTally[],
  options: ReadOptions,
  io: Io,
): Promise<void> {
  const { problems } = summary;
  // The file of verdicts may lie among the runs: it has been read, if not as runs.
  const verdicts = options.outcomes === null ? null : resolve(options.outcomes.file);
  const unrecognised = summary.unrecognised.filter((path) => resolve(path) !== verdicts);
  if (options.quarantineFile !== null && problems.length > 0) {
    await writeWhole(
      options.quarantineFile,
      problems.map((each) => `${stringifyJson(quarantined(each))}\n`),
      folderTold(options, io),
    );
  }
  const shown = options.verbose ? Number.POSITIVE_INFINITY : options.quiet ? 0 : SHOWN;
  const list = (lines: readonly string[], title: string): void => {
    if (lines.length === 0) return;
    io.err(`${title}\n`);
    for (const line of lines.slice(0, shown)) io.err(`  ${escapeTerminal(line, 400)}\n`);
    if (lines.length > shown && !options.quiet) io.err(`  … and ${lines.length - shown} more (--verbose lists all)\n`);
  };
  const where =
    options.quarantineFile === null ? 'left out' : `left out, kept in ${escapeTerminal(options.quarantineFile, 200)}`;
  list(
    problems.map((each) => `${formatPlace(each.place)}: ${each.reason} (${each.hint})`),
    `${plural(problems.length, 'bad record')} ${where}:`,
  );
  // Nothing of these is lost, so that their names are for who asks.
  const { companions } = summary;
  if (companions.length > 0 && !options.quiet) {
    const title = `${plural(companions.length, 'file')} counted as part of a Harbor trial or trajectory, not apart`;
    if (options.verbose) list(companions, `${title}:`);
    else io.err(`${title} (--verbose lists them)\n`);
  }
  list(unrecognised, `${plural(unrecognised.length, 'file')} without recorded runs in a known form:`);
  if (!options.quiet)
    list(unansweredLines(tallies), `the mapping ${escapeTerminal(options.map ?? '', 200)} asks for what is not there:`);
}

/** Before anything is read, so that no bad record is lost at the end. */
function checkQuarantine(file: string): void {
  if (kindOfPath(file).kind !== 'folder') return;
  throw usageError(
    `--on-error quarantine ${file}: it is a folder`,
    'name a file that does not exist yet for the bad records',
  );
}

/** A bad record as a quarantine file keeps it. */
function quarantined({ place, reason, hint, raw }: Problem): object {
  return { file: place.file, line: place.line, reason, hint, raw };
}
