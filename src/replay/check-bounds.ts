import { type PopulationOptions, VERIFIED } from '../calibrate/population.js';
import { CARD_LABELS } from './labels-seen.js';

/** The most of something that is let pass: a number of runs, or a share of all. */
export type Most = { readonly count: number } | { readonly share: number };

/** By which end of what is known of a rate it is judged. */
export const CONFIDENCES = ['lower', 'point', 'upper'] as const;
export type Confidence = (typeof CONFIDENCES)[number];

/** What a gate lets pass. `null` switches a bound off. */
export interface CheckBounds extends PopulationOptions {
  /** `accepted`: the rate that the policy's caps were derived for, 1 % where it does not say. */
  readonly maxFalseStops: number | 'accepted' | null;
  /**
   * Whether false stops fail by the one-sided exact 95 % lower limit of their rate (the runs show that more is cut than
   * accepted), by the rate seen, or by its upper limit (the runs do not show that no more is cut).
   */
  readonly confidence: Confidence;
  /** Share of the runs that end as `stopped_budget` under the policy. */
  readonly maxStopped: number | null;
  /** Share of the recorded tokens that went to runs without a passed check. */
  readonly maxUnverifiedSpend: number | null;
  /** Runs that went on after the cap that they were recorded under. */
  readonly maxOverCap: Most | null;
  /** Runs halted for a permission or a guardrail. */
  readonly maxHalts: Most | null;
  /** Records still running past the wall-clock cap. */
  readonly maxLost: Most | null;
  /** Accepted chance of any false drift alarm. */
  readonly alarmRate: number | null;
  readonly maxAgeDays: number | null;
  /** Labels whose values must be those of the measurement. */
  readonly labels: readonly string[];
  /** The moment of the check, ISO 8601; `null`: not known. */
  readonly now: string | null;
}

/** What is held where nothing is said: no share bounds, no age; everything that needs no number of yours. */
export const CHECK_DEFAULTS: CheckBounds = {
  ...VERIFIED,
  maxFalseStops: 'accepted',
  // The accepted rate is one of many runs: at 310 successes chance alone lifts every third sample above it.
  confidence: 'lower',
  maxStopped: null,
  maxUnverifiedSpend: null,
  maxOverCap: { count: 0 },
  maxHalts: { count: 0 },
  maxLost: { count: 0 },
  alarmRate: 0.05,
  maxAgeDays: null,
  labels: CARD_LABELS,
  now: null,
};

/** The accepted false-stop rate where the policy keeps none. */
export const USUAL_RATE = 0.01;
