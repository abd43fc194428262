import type { Status } from '../model/status.js';
import type { DriftTest } from './drift-result.js';

/** An error fails the check; a warning is to be looked at; a note says what could not be told, or is good to know. */
export const FINDING_SEVERITIES = ['error', 'warning', 'note'] as const;
export type FindingSeverity = (typeof FINDING_SEVERITIES)[number];

/** One thing that is not as it should be: which number, which bound, what to do. */
export interface CheckFinding {
  readonly code: string;
  /** The code of the question that found it. */
  readonly check: string;
  readonly severity: FindingSeverity;
  readonly message: string;
  /** The figure, in the unit of its bound; `null` where it is not one number, or not known. */
  readonly value: number | null;
  readonly bound: number | null;
  readonly hint: string;
}

/** One question of the gate, asked whether or not anything was found. */
export interface Judgement {
  readonly code: string;
  /** What is judged, in a few words. */
  readonly title: string;
  /** The figure in words, and the bound in words. */
  readonly figure: string;
  readonly bound: string;
  readonly outcome: 'passed' | 'failed' | 'warned' | 'not judged' | 'off';
}

/** False stops over the successes that the policy could judge, with one-sided 95 % limits; `null`: none could be. */
export interface FalseStopRate {
  readonly count: number;
  /** Successes that at least one limit or rule could judge. */
  readonly judged: number;
  readonly rate: number | null;
  readonly lower95: number | null;
  readonly upper95: number | null;
}

/** The figures that the gate looked at. */
export interface CheckFigures {
  readonly false_stops: FalseStopRate & {
    /** Successes that were not stopped, and that something of the policy could not judge. */
    readonly not_judged: number;
  };
  /** A lower bound where something of the policy could not judge some runs. */
  readonly stopped: { readonly count: number; readonly share: number | null };
  readonly unverified_spend_share: number | null;
  readonly over_cap: number;
  /** Recorded endings; a record still running past the wall-clock cap counts as halted, for the reason `lost`. */
  readonly by_status: Readonly<Record<Status, number>>;
  readonly halted_by_reason: { readonly [reason: string]: number };
  readonly card_age_days: number | null;
}

/** Whether new traffic still fits a policy, as `check --json` prints it. */
export interface CheckReport {
  readonly schema: 'capfit/check@1';
  /** No finding is an error. */
  readonly passed: boolean;
  readonly population: string;
  readonly runs: number;
  readonly verified: number;
  readonly findings: readonly CheckFinding[];
  readonly checks: readonly Judgement[];
  readonly figures: CheckFigures;
  /** The accepted chance of any false drift alarm; `null`: drift was not looked for. */
  readonly alarm_rate: number | null;
  readonly drift: readonly DriftTest[];
}
