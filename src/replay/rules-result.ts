import type { Json } from '../model/json.js';
import type { Metric } from '../model/limits.js';
import type { Warning } from '../model/problem.js';
import type { FalseStops } from './result.js';

/** What a rule would have saved, over the runs for which the figure is known, in the metric's own unit. */
export interface Saved {
  readonly amount: number;
  /** Of what those runs were recorded to use; `null` where they used nothing. */
  readonly share: number | null;
  readonly known_runs: number;
  /** Stopped runs that do not tell what they had used by then: left out of all of the above. */
  readonly unknown_stops: number;
}

/** What rules alone, without any cap, would have done to the recorded runs. */
export interface RuleFigures {
  readonly false_stops: Omit<FalseStops, 'runs'>;
  /** Stopped runs that are no verified success. */
  readonly caught: number;
  /** Median pass at which those were stopped; `null` for none. */
  readonly median_catch: number | null;
  /** By metric; `null` where no run tells, or no stopped run what it had used by then. */
  readonly saved: { readonly [metric in Metric]: Saved | null };
  /** Runs that some rule could not judge whole, because the record lacks what it compares. */
  readonly not_judged: number;
}

/** The rules of one preset, its caps removed. */
export interface PresetRow extends RuleFigures {
  readonly preset: string;
  readonly stands_for: string;
  readonly leaves_out: string | null;
  readonly rules: readonly Json[];
}

/** One plain rule at several counts. */
export interface SweepRow {
  readonly rule: string;
  /** The rule as a policy file holds it, `count` left out. */
  readonly settings: { readonly [key: string]: Json };
  readonly counts: readonly (RuleFigures & { readonly count: number })[];
}

/** A tool at whose calls successes are stopped, and what exempting it alone would change. */
export interface ExemptionCandidate {
  readonly tool: string;
  /** Stopped successes that go free only if this tool is exempt. */
  readonly successes: number;
  readonly alone: RuleFigures;
}

/** Tools that are exempted together, and the figures after that. */
export interface ExemptionStep {
  readonly tools: readonly string[];
  readonly after: RuleFigures;
}

/** Tools that look meant to poll: their repeats end more good runs than others. */
export interface ExemptionReport {
  /** The rules looked at, as a policy file holds them, without the proposal. */
  readonly rules: readonly Json[];
  readonly before: RuleFigures;
  /** The most frequent first. */
  readonly candidates: readonly ExemptionCandidate[];
  /** How many more candidates there are. */
  readonly more_candidates: number;
  readonly steps: readonly ExemptionStep[];
  /** All tools of the steps; empty: nothing is proposed. */
  readonly proposed: readonly string[];
  readonly after: RuleFigures;
}

/** The detector bench's answer, as `rules --json` prints it. */
export interface RulesReport {
  readonly schema: 'capfit/rules@1';
  /** "verified", or "claimed, not verified" where the population was widened. */
  readonly population: string;
  readonly runs: number;
  readonly verified: number;
  /** The false-stop rate up to which a preset may be called the best one. */
  readonly accepted_rate: number;
  /** Tools exempted from every rule below. */
  readonly exempt: readonly string[];
  readonly presets: readonly PresetRow[];
  /** Presets that are caps only, and so not among these. */
  readonly without_rules: readonly string[];
  /** The metric in which savings are compared: the first of tokens, usd, seconds and passes that tells for all compared. */
  readonly compared_by: Metric;
  /** Of the presets within the accepted rate the one that saves most; `null`: none is, or none stops a run. */
  readonly best_preset: string | null;
  readonly sweep: readonly SweepRow[];
  readonly exemptions: ExemptionReport;
  readonly warnings: readonly Warning[];
}
