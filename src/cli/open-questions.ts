import type { Questions } from '../calibrate/questions.js';
import type { Link } from '../engine/ask/dialect.js';
import type { Depth } from '../model/depth.js';
import { plural } from '../model/words.js';
import { labelMap } from '../replay/asked-replay.js';
import { nameText } from '../report/escape.js';
import { didYouMean } from './choice.js';
import { CONNECTIONS } from './connections.js';
import { checkPushedDown, type EngineFlags, type EngineOption } from './engine-option.js';
import { CommandError, EXIT, usageError } from './errors.js';
import type { Io } from './io.js';
import { type ReadOptions, readOptions } from './options.js';
import { asCommandError } from './parquet-format.js';
import { stageFiles } from './stage-files.js';
import { createUnmet } from './unmet.js';
import type { Asked, Condition } from './where.js';

/** What only a reader of files can do. */
const OF_FILES =
  'a table holds what was read already: say it where the table is filled (capfit convert --to pass-table)';
const NOT_FOR_TABLES: Readonly<Record<string, string>> = {
  from: OF_FILES,
  map: OF_FILES,
  onError: OF_FILES,
  prices: OF_FILES,
  trustJudge: OF_FILES,
  subagents: OF_FILES,
  idleGap: OF_FILES,
  threads: OF_FILES,
  ...verdictsFrom(OF_FILES),
};

function verdictsFrom(hint: string): Readonly<Record<string, string>> {
  return { outcomes: hint, passed: hint, outcomeId: hint, passMark: hint };
}

/**
 * Asks a database while `use` runs, and closes it behind it. Everything that the database says is wrong ends the command.
 *
 * @param depth what is asked of the runs: what lies deeper need not be put into a database that is made for it
 * @throws CommandError
 */
export async function withQuestions<Answer>(
  typed: readonly string[],
  raw: EngineFlags,
  engine: EngineOption,
  io: Io,
  depth: Depth,
  use: (questions: Questions) => Promise<Answer>,
): Promise<Answer> {
  // DuckDB runs in this process, and ends with it.
  const interrupt = engine.name === 'clickhouse' ? watchInterrupts() : null;
  try {
    const questions = await openQuestions(typed, raw, engine, io, depth, interrupt?.signal);
    try {
      return await use(questions);
    } finally {
      await questions.close();
    }
  } catch (error) {
    if (interrupt?.signal.aborted === true) throw new CommandError('interrupted', null, INTERRUPTED);
    throw asCommandError(error);
  } finally {
    interrupt?.stop();
  }
}

/** What a shell says of a program that was interrupted. */
const INTERRUPTED = 130;

/** Whoever interrupts the command does not want the server to go on: the question is given up there first. */
function watchInterrupts(): { readonly signal: AbortSignal; stop(): void } {
  const giving = new AbortController();
  const give = (): void => giving.abort();
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const each of signals) process.once(each, give);
  return {
    signal: giving.signal,
    stop() {
      for (const each of signals) process.off(each, give);
    },
  };
}

async function openQuestions(
  typed: readonly string[],
  raw: EngineFlags,
  engine: EngineOption,
  io: Io,
  depth: Depth,
  signal: AbortSignal | undefined,
): Promise<Questions> {
  const options = readOptions(raw);
  if (engine.name === 'clickhouse') {
    checkPushedDown(raw, NOT_FOR_TABLES);
    const { openClickHouse } = await import('../engine/ask-clickhouse/link.js');
    const { createServerProgress } = await import('./server-progress.js');
    const progress = createServerProgress(io, options.quiet);
    const link = await openClickHouse({
      table: tableName(typed),
      env: io.env ?? {},
      ...CONNECTIONS,
      ...(engine.timeout === null ? {} : { maxSeconds: engine.timeout }),
      onProgress: (read) => progress.see(read),
      ...(signal === undefined ? {} : { signal }),
    }).catch((error: unknown) => {
      progress.stop();
      throw error;
    });
    const closing: Link = {
      ...link,
      async close() {
        progress.stop();
        await link.close();
      },
    };
    return checked(closing, options);
  }
  checkPushedDown(raw, verdictsFrom('join the verdicts first: capfit convert RUNS --outcomes FILE -o runs.parquet'));
  const { openDuckDb } = await import('../engine/ask-duckdb/link.js');
  const stage = await stageFiles(typed, options, io, { depth, memory: engine.memory });
  return checked(openDuckDb(stage), options);
}

function tableName(typed: readonly string[]): string {
  const [name, ...others] = typed;
  if (name !== undefined && others.length === 0) return name;
  throw usageError(
    `--engine clickhouse asks one table or view, and ${typed.length} are named`,
    'make a view over them: CREATE VIEW all_passes AS SELECT … UNION ALL SELECT …',
  );
}

/** Nothing is answered of no runs. */
async function checked(link: Link, { where }: ReadOptions): Promise<Questions> {
  const { questionsOf } = await import('../engine/ask/questions.js');
  const questions = questionsOf(link, where);
  try {
    if ((await questions.endings([])).length > 0) return questions;
    throw await noneMeets(questionsOf(link), where);
  } catch (error) {
    await questions.close();
    throw error;
  }
}

/** @param all asks of all runs, whatever the conditions */
async function noneMeets(all: Questions, where: readonly Condition[]): Promise<CommandError> {
  const unmet = createUnmet(where);
  let runs = 0;
  let last: Asked | null = null;
  for (const { name } of where.length === 0 ? [{ name: '' }] : where) {
    runs = 0;
    for (const ending of await all.endings(name === '' ? [] : [name])) {
      runs += ending.runs;
      last = { ...ending, id: '', reason: null, labels: labelMap(ending.labels) };
      unmet.see(last);
    }
  }
  if (last === null) return new CommandError('there are no runs in it', 'was anything put in?', EXIT.unreadable);
  const others = (await all.labelNames()).filter((label) => where.every(({ name }) => name !== label));
  unmet.see({ ...last, labels: new Map(others.map((label) => [label, ''])) });
  const conditions = where.map(({ name, value, negated }) => `${name}${negated ? '!=' : '='}${value}`);
  return new CommandError(
    `none of ${plural(runs, 'run')} meets --where ${conditions.join(' --where ')}`,
    unmet.hint(),
    EXIT.no,
  );
}

/**
 * Whether every label that is grouped by occurs.
 *
 * @throws CommandError that lists the labels there are
 */
export async function checkLabels(questions: Questions, by: readonly string[]): Promise<void> {
  if (by.length === 0) return;
  const names = await questions.labelNames();
  const missing = by.find((label) => !names.includes(label));
  if (missing === undefined) return;
  const known = names.slice(0, 20).map((name) => nameText(name));
  throw usageError(
    `--by ${missing}: no run has that label`,
    known.length === 0
      ? 'the runs carry no labels'
      : `${didYouMean(missing, [...names])}Labels of these runs: ${known.join(', ')}`,
  );
}
