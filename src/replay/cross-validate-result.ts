/** Successes that caps cut, as a share of all. */
export interface CountedRate {
  readonly count: number;
  readonly rate: number;
  /** Exact (Clopper-Pearson) two-sided 95 % interval of the rate, to the high end of that of `rate_at_most`. */
  readonly ci95: readonly [number, number];
  /** The rate if every run that may have been cut was, known in total or not at all; `null` where each run tells. */
  readonly rate_at_most: number | null;
}

/** The false-stop rate of derived caps on runs that they were not taken from, and on those that they were. */
export interface CrossValidated {
  readonly successes: number;
  /** Mean over the repeats; `null` with everything that belongs to it where `not_judged` says why. */
  readonly rate: number | null;
  /** Successes cut while they were set aside, mean over the repeats. */
  readonly count: number | null;
  /** Two-sided 95 % interval of the rate: Clopper and Pearson's formula at the mean count, wider where tasks differ; to the high end of `rate_at_most`. */
  readonly ci95: readonly [number, number] | null;
  /** Successes cut in each repeat. */
  readonly counts: readonly number[];
  /** The lowest and the highest rate of a repeat. */
  readonly rates: readonly [number, number] | null;
  /** The rate if every run that may have been cut was; `null` where each run tells. */
  readonly rate_at_most: number | null;
  /** From how many successes each set of caps was taken, about. */
  readonly trained_on: number | null;
  /** How far the rate lies above the one counted in the sample. */
  readonly optimism: number | null;
  readonly folds: number;
  readonly repeats: number;
  readonly seed: number;
  /** The label whose runs stayed together; `null`: each run stood for itself. */
  readonly cluster: { readonly label: string; readonly tasks: number } | null;
  /** The caps of all successes, held against these same successes; `null` without any. */
  readonly in_sample: CountedRate | null;
  /** Why there is no rate. */
  readonly not_judged: string | null;
}
