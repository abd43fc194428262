import type { RunCondition } from '../../calibrate/questions.js';
import type { LimitName } from '../../model/limits.js';
import type { RepeatRule, Rule } from '../../policy/policy.js';

/*
 * What databases say in different words. Everything else of a question is one SQL text for all of them, written in what
 * they share: subqueries, GROUP BY, CASE, comparison and whole-number arithmetic. All numbers are 64-bit signed whole
 * numbers in atoms, flags are 0 or 1, a relation is what may stand behind FROM (a SELECT in parentheses, or a name), what is not known is NULL, and texts of the runs that are not there ('claim',
 * 'reason') are ''.
 */

/** What is needed of the runs. */
export interface RunsAsked {
  /** Label names; the columns `l0`, `l1` … hold their values, NULL where a run has no such label. */
  readonly by: readonly string[];
  /** Only runs that meet all of these. */
  readonly where: readonly RunCondition[];
  /** Whether `streak` and `lacks` are asked for. */
  readonly calls: boolean;
}

/** A counter that is summed over passes, and whose cap is reached at some boundary of the run. */
export type SummedLimit = Exclude<LimitName, 'passes'>;
export const SUMMED_LIMITS: readonly SummedLimit[] = ['tokens', 'seconds', 'usd', 'steps'];

/** A cap or rule whose place in each run is asked for. */
export type Mark =
  | { readonly kind: 'cap'; readonly limit: SummedLimit; readonly cap: number; readonly atDispatch: boolean }
  | { readonly kind: 'rule'; readonly rule: Rule };

/**
 * Places in a run as whole numbers, so that the first of several is the smallest: 2k steps are the boundary after k
 * passes, and 2k - 1 steps and the number of the call are inside pass k, before that call (from 1) is run.
 */
export const STEP = 2 ** 20;
export const NO_PLACE = 2 ** 60;

export interface Dialect {
  /** For messages. */
  readonly name: string;
  /**
   * A SELECT with one row a run:
   *
   * - `ord` place in the order of the recording, `id`, `status`, `verdict` (the check), `claim`, `reason`
   * - `kept` passes recorded one by one, -1 where they were not recorded (0: the run made none)
   * - `stated_passes`, `stated_tokens`, `stated_seconds`, `stated_usd`: totals recorded beside them, NULL without
   * - `sum_tokens`, `sum_seconds`, `sum_usd`, `sum_steps`: sums over the kept passes; NULL where a pass lacks its part or
   *   `kept` is -1, 0 where `kept` is 0. The tokens of a pass are known when input and output both are. Steps of a pass
   *   that states none are 1 + 2 a call, and 2 without calls
   * - `under_passes`, `under_tokens`, `under_seconds`, `under_usd`, `under_steps`: caps of the recording in atoms, or NULL
   * - `l0`, `l1` … the labels asked for
   * - where calls are asked for: `streak`, the longest row of identical calls (tool, arguments, result; a call without a
   *   result equals none; 0 without calls; NULL where `kept` is -1), and `lacks`: 1 where some tool is called twice and
   *   no call of the run has arguments
   */
  runs(asked: RunsAsked): string;
  /**
   * The same rows and columns, and for each mark i:
   *
   * - `p{i}`: the place where the limit is reached for the first time, NO_PLACE where it is not.
   *   A cap: the first boundary k, 1 <= k <= kept - 1, at which the counter is known and at the cap or above.
   *   Steps `atDispatch` also inside pass p (1 <= p <= kept): with b steps before the pass, known, and c > 0 calls, the cap
   *   is reached inside it if b + 2c >= cap, before call max(1, ceil((cap - b) / 2)); whichever place comes first.
   *   A rule judged before a call: the boundary after the pass p in which its count is reached, if p <= kept - 1.
   *   A rule `before_dispatch`: the call of the pass, in any pass.
   * - `b{i}`: the first place that it cannot judge, NO_PLACE where it can judge all: of a cap the first boundary k,
   *   1 <= k <= kept, with an unknown counter; of a rule the place of the first call, not exempt, that lacks what the rule
   *   compares (the result for keys `call` and `result` and for `stale`, whether it failed for `errors`), looked for up to
   *   the end of the pass in which the count is reached; `idle` is never blind
   * - `e{i}`, rules only: 1 where the count is reached anywhere in the kept passes
   *
   * and whatever `withCounters` needs.
   */
  marks(asked: RunsAsked, marks: readonly Mark[]): string;
  /**
   * All rows and columns of a relation made of `marks`, which has a column `after` (0: none) beside them, and for each
   * summed limit L: `at_L` the counter after `after` kept passes and `before_L` after one less (0 for `after` 1), NULL where
   * not known or where `after` is 0; and `first_L`, what the first kept pass used, whatever `after` says, NULL where that is
   * not known or no pass was kept.
   */
  withCounters(relation: string): string;
  /**
   * A SELECT with one row a kept pass of the runs whose `kept` is above 0: the columns of `runs`, `pass` from 1, and for
   * each summed limit L `before_L`, the counter before the pass (0 for the first), and `add_L`, what it used; NULL where
   * not known.
   */
  passes(asked: RunsAsked): string;
  /** A SELECT with the columns of `runs` (asked for as given) and one row for each label of a run: `label`, `value`, `place` from 0. */
  labels(asked: RunsAsked): string;
  /**
   * A SELECT with the columns of `runs` and one row for each tool of a run at one of whose calls the current count of a
   * repeat rule (not the most it ever was) is at the rule's own or above: `tool`, and `place`, how many calls come before
   * the first such call of it in the run.
   */
  reachedTools(asked: RunsAsked, rule: RepeatRule): string;
  /**
   * A SELECT of `groups` (column names of the relation), `rank` and `value`: the values of the column at these ranks, from
   * 1, ascending within each group; rows whose value is NULL are left out, ranks above a group's size give no row.
   */
  ranks(relation: string, column: string, groups: readonly string[], ranks: readonly number[]): string;
  /**
   * A SELECT of `groups`, `n`, `doubled` (twice the sum of midranks, text) and `ties` (the sum of t^3 - t over all sets of
   * t equal values of all groups, the same in every row, text) of a relation with the columns `value`, never NULL, and
   * `groups`.
   */
  rankSums(relation: string, groups: readonly string[]): string;
  /** An exact sum of whole numbers however large it grows, as text; NULL is left out, and of none it is '0'. */
  sum(expression: string): string;
  /** `a / b` of whole numbers, not negative, rounded down. */
  divide(a: string, b: string): string;
  /** The rest of that division. */
  remainder(a: string, b: string): string;
  /** A text as a literal, quotes and control characters and all. */
  text(value: string): string;
}

/** Answers of a database, row by row, each value as text. */
export type Row = readonly (string | null)[];

/** Where questions are asked. Faults are thrown as `EngineError`. */
export interface Link {
  readonly dialect: Dialect;
  query(sql: string): AsyncIterable<Row>;
  /**
   * Keeps the rows of a SELECT for as long as they are asked, where the database can: what comes back is a relation to
   * select from in its stead.
   */
  keep(sql: string): Promise<{ readonly relation: string; release(): Promise<void> }>;
  close(): Promise<void>;
}
