import { choiceOption } from './choice.js';
import { usageError } from './errors.js';
import { wholeOption } from './numbers.js';
import type { RawOptions } from './options.js';

/** Databases that can be asked instead of runs in memory. */
export const ENGINES = ['duckdb', 'clickhouse'] as const;
export type EngineName = (typeof ENGINES)[number];

/** What was typed of the engine. */
export interface EngineFlags extends RawOptions {
  readonly engine?: string;
  readonly engineMemory?: string;
  readonly engineTimeout?: string;
}

export interface EngineOption {
  readonly name: EngineName;
  /** A size as DuckDB says it; `null`: what the engine takes by itself. */
  readonly memory: string | null;
  /** Seconds a question may take; `null`: what the engine takes by itself. */
  readonly timeout: number | null;
}

const LONGEST = 7 * 24 * 3600;

/** The engine that was asked for, `null` for none. */
export function engineOption(raw: EngineFlags): EngineOption | null {
  if (raw.engine === undefined) {
    const lone =
      raw.engineMemory === undefined
        ? raw.engineTimeout === undefined
          ? null
          : '--engine-timeout'
        : '--engine-memory';
    if (lone !== null) {
      throw usageError(
        `${lone} is for --engine`,
        `add --engine ${lone === '--engine-memory' ? 'duckdb' : 'clickhouse'}`,
      );
    }
    return null;
  }
  const name = choiceOption('--engine', raw.engine, ENGINES);
  if (name === 'duckdb' && raw.engineTimeout !== undefined) {
    throw usageError('--engine-timeout is for --engine clickhouse', 'DuckDB runs here: stop the command to stop it');
  }
  if (name === 'clickhouse' && raw.engineMemory !== undefined) {
    throw usageError('--engine-memory is for --engine duckdb', 'a ClickHouse server has limits of its own');
  }
  return {
    name,
    memory: raw.engineMemory === undefined ? null : memoryOption(raw.engineMemory),
    timeout: raw.engineTimeout === undefined ? null : wholeOption('--engine-timeout', raw.engineTimeout, 1, LONGEST),
  };
}

/** A size such as 512MB or 4GB. */
function memoryOption(text: string): string {
  if (/^[1-9]\d{0,5}\s?[KMGT]i?B$/i.test(text.trim())) return text.trim();
  throw usageError(`--engine-memory ${text}: not a size`, 'for instance --engine-memory 4GB');
}

/** What to do where a database is not asked: RUNS are files under one engine, and a table under the other. */
export function inMemory({ name }: EngineOption): string {
  return name === 'duckdb'
    ? 'leave --engine out, with --where to hold fewer runs in memory'
    : 'name the files that the table was filled from, without --engine';
}

/**
 * Flags that a database is not asked for.
 *
 * @throws CommandError that names the first and says what to do
 */
export function checkPushedDown(raw: EngineFlags, notAsked: Readonly<Record<string, string>>): void {
  for (const [attribute, hint] of Object.entries(notAsked)) {
    const typed = (raw as Readonly<Record<string, unknown>>)[attribute];
    if (typed === undefined || typed === false) continue;
    throw usageError(`${flagOf(attribute)} is not asked of a database`, hint);
  }
}

function flagOf(attribute: string): string {
  return `--${attribute.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
