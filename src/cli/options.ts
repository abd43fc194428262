import type { DeriveOptions } from '../calibrate/options.js';
import { METHODS } from '../calibrate/result.js';
import { DEFAULT_READING, type ReadingOptions, SUBAGENT_MODES } from '../formats/format.js';
import { atomsToFraction } from '../model/atoms.js';
import { compare, type Fraction, parseDecimal } from '../model/decimal.js';
import { METRICS, type Metric } from '../model/limits.js';
import { choiceOption, didYouMean } from './choice.js';
import { usageError } from './errors.js';
import type { OnError } from './ingest.js';
import { amountOption, decimalIn, decimalOption, type Range, wholeOption } from './numbers.js';
import { type Condition, parseCondition } from './where.js';

/** Shares closer to 0 or 1 than this are no percentile of anything that can be recorded. */
const FINEST: Fraction = { num: 1n, den: 1_000_000_000n };
const LARGEST_UNIT: Fraction = { num: 10n ** 12n, den: 1n };
const PADDING: Range = { least: 1, most: 1000, noun: 'times', example: '1.2' };
const IDLE_GAP: Range = { least: 1e-6, most: 1e9, noun: 'seconds', example: '600' };
const PASS_MARK: Range = { least: 1e-9, most: 1e9, noun: 'points', example: '0.5' };

/** What `--on-error` may say; the last one with a file. */
export const ON_ERROR: readonly OnError[] = ['fail', 'skip', 'quarantine'];

/** What the user typed, as commander hands it over: every flag may be missing. */
export interface RawOptions {
  readonly from?: string;
  readonly where?: readonly string[];
  readonly by?: readonly string[];
  readonly onError?: string;
  readonly threads?: string;
  readonly map?: string;
  readonly outcomes?: string;
  readonly passed?: string;
  readonly outcomeId?: string;
  readonly passMark?: string;
  readonly prices?: string;
  readonly trustJudge?: boolean;
  readonly subagents?: string;
  readonly idleGap?: string;
  readonly json?: boolean;
  readonly markdown?: boolean;
  readonly explain?: boolean;
  readonly color?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  readonly p?: string;
  readonly falseStop?: string;
  readonly padding?: string;
  readonly method?: string;
  readonly round?: readonly string[];
  readonly partialUsd?: boolean;
  readonly claimed?: boolean;
  readonly finishedOnly?: boolean;
  readonly repeat?: string | false;
  readonly key?: string;
  readonly exempt?: readonly string[];
  readonly policy?: string;
  readonly preset?: string;
  readonly counts?: string;
  readonly name?: string;
  readonly check?: string;
  readonly timeout?: readonly string[];
  readonly haltOn?: readonly string[];
  readonly wrapUp?: boolean;
  readonly source?: string;
  readonly date?: string;
  readonly out?: string;
  readonly output?: string;
  readonly format?: string;
  readonly to?: string;
  readonly profile?: string;
  readonly runs?: string;
  readonly seed?: string;
  readonly list?: boolean;
  readonly scenarios?: boolean;
  readonly results?: string;
  readonly joint?: boolean;
  readonly crossValidate?: boolean;
  readonly cluster?: string;
  readonly optimize?: boolean;
  readonly spend?: string;
}

/** More are not asked for by mistake only. */
const MOST_THREADS = 64;

/** How runs are read and filtered. */
export interface ReadOptions {
  readonly from: string | null;
  readonly map: string | null;
  readonly onError: OnError;
  readonly threads: number | null;
  readonly reading: ReadingOptions;
  readonly quarantineFile: string | null;
  /** File of verdicts to join, with the expressions to read it by. */
  readonly outcomes: { readonly file: string; readonly passed: string | null; readonly key: string | null } | null;
  /** Price file for what has no recorded cost, or `builtin`; `null`: nothing is priced. */
  readonly prices: string | null;
  readonly where: readonly Condition[];
  readonly quiet: boolean;
  readonly verbose: boolean;
}

export function readOptions(raw: RawOptions): ReadOptions {
  const { onError, quarantineFile } = onErrorOption(raw.onError ?? 'fail');
  return {
    from: raw.from ?? null,
    map: raw.map ?? null,
    onError,
    threads: raw.threads === undefined ? null : wholeOption('--threads', raw.threads, 1, MOST_THREADS),
    reading: readingOption(raw),
    quarantineFile,
    outcomes: outcomesOption(raw),
    prices: raw.prices ?? null,
    where: (raw.where ?? []).map(parseCondition),
    quiet: raw.quiet === true,
    verbose: raw.verbose === true,
  };
}

function outcomesOption(raw: RawOptions): ReadOptions['outcomes'] {
  if (raw.outcomes !== undefined) return { file: raw.outcomes, passed: raw.passed ?? null, key: raw.outcomeId ?? null };
  if (raw.passed === undefined && raw.outcomeId === undefined) return null;
  throw usageError('--passed and --outcome-id say how --outcomes is read', 'name the file of verdicts with --outcomes');
}

function readingOption(raw: RawOptions): ReadingOptions {
  return {
    subagents: choiceOption('--subagents', raw.subagents ?? DEFAULT_READING.subagents, SUBAGENT_MODES),
    idleGap: raw.idleGap === undefined ? null : amountOption('--idle-gap', raw.idleGap, IDLE_GAP),
    trustJudge: raw.trustJudge === true,
    passMark:
      raw.passMark === undefined ? DEFAULT_READING.passMark : amountOption('--pass-mark', raw.passMark, PASS_MARK),
  };
}

function onErrorOption(text: string): { onError: OnError; quarantineFile: string | null } {
  const [mode, file] = cutAtEqualsSign(text);
  if (mode === 'quarantine' && file !== '') return { onError: 'quarantine', quarantineFile: file };
  if ((text === 'fail' || text === 'skip') && file === '') return { onError: text, quarantineFile: null };
  if (text === 'quarantine') throw usageError('--on-error quarantine names no file', 'say --on-error quarantine FILE');
  throw usageError(`--on-error ${text}: unknown`, `${didYouMean(mode, ON_ERROR)}One of: fail, skip, quarantine FILE`);
}

/** How percentiles and caps are taken. */
export function deriveOptions(raw: RawOptions): DeriveOptions {
  return {
    claimed: raw.claimed === true,
    finishedOnly: raw.finishedOnly === true,
    p: percentileOption(raw),
    padding: decimalOption('--padding', raw.padding ?? '1.2', PADDING),
    method: choiceOption('--method', raw.method ?? 'nearest-rank', METHODS),
    units: unitsOption(raw.round ?? []),
    partialUsd: raw.partialUsd === true,
    by: raw.by ?? [],
  };
}

function percentileOption(raw: RawOptions): Fraction {
  if (raw.p !== undefined && raw.falseStop !== undefined) {
    throw usageError('--p and --false-stop say the same thing twice', 'give one of them');
  }
  if (raw.p !== undefined) return between(raw.p.replace(/^p(?=\d)/, ''), raw.p, '--p', /^p\d/.test(raw.p));
  const rate = between(raw.falseStop ?? '1%', raw.falseStop ?? '1%', '--false-stop', false);
  return { num: rate.den - rate.num, den: rate.den };
}

/** A share strictly between 0 and 1, as `0.99`, `99%` or (in percent) `p99`. */
function between(text: string, typed: string, flag: string, isPercent: boolean): Fraction {
  const percent = isPercent || text.endsWith('%');
  const value = parseDecimal(text.replace(/%$/, ''));
  const share = value === null ? null : percent ? { num: value.num, den: value.den * 100n } : value;
  const isBetween =
    share !== null && compare(share, FINEST) >= 0 && compare(share, { num: FINEST.den - 1n, den: FINEST.den }) <= 0;
  if (share === null || !isBetween) {
    throw usageError(
      `${flag} ${typed}: not a share between 0 and 1`,
      `for instance ${flag} ${flag === '--p' ? '0.99' : '1%'}`,
    );
  }
  return share;
}

function unitsOption(settings: readonly string[]): { [metric in Metric]?: Fraction } {
  const units: { [metric in Metric]?: Fraction } = {};
  for (const setting of settings) {
    const [name, text] = cutAtEqualsSign(setting);
    const metric = METRICS.find((each) => each === name);
    const unit = decimalIn(text);
    const isUnit = metric !== undefined && unit !== null && isUnitOf(metric, unit);
    if (!isUnit) {
      throw usageError(
        `--round ${setting}: not a unit`,
        `${metric === undefined ? didYouMean(name, METRICS) : ''}For instance --round tokens=1000; metrics: ${METRICS.join(', ')}`,
      );
    }
    if ((metric === 'passes' || metric === 'tokens') && unit.num % unit.den !== 0n) {
      throw usageError(`--round ${setting}: ${metric} stay whole`, `for instance --round ${metric}=1`);
    }
    units[metric] = unit;
  }
  return units;
}

/** A cap is kept in atoms: no unit is finer. */
function isUnitOf(metric: Metric, unit: Fraction): boolean {
  return compare(unit, atomsToFraction(metric, 1)) >= 0 && compare(unit, LARGEST_UNIT) <= 0;
}

/** What stands before the first equals sign, and all that stands behind it. */
export function cutAtEqualsSign(setting: string): readonly [name: string, value: string] {
  const at = setting.indexOf('=');
  return at === -1 ? [setting, ''] : [setting.slice(0, at), setting.slice(at + 1)];
}
