import type { Warning } from '../model/problem.js';
import type { CrossValidated } from './cross-validate-result.js';
import { percent } from './drift-words.js';

/** A difference is worth a word from so many successes on, and from so much of what the sample shows. */
const FEWEST_MORE = 1;
const LEAST_MORE = 1.1;

/** Whether the runs that gave the caps show fewer false stops than others would, by more than a trifle. */
export function isOptimistic({ count, in_sample }: CrossValidated): boolean {
  if (count === null || in_sample === null) return false;
  return count - in_sample.count >= FEWEST_MORE && count >= LEAST_MORE * in_sample.count;
}

/** Says so where they do. */
export function optimismWarnings(sure: CrossValidated): Warning[] {
  const { rate, in_sample, successes } = sure;
  if (rate === null || in_sample === null || !isOptimistic(sure)) return [];
  return [
    {
      code: 'in_sample_optimism',
      message: `on runs that they were not taken from, the caps cut about ${percent(rate)} of the successes, not the ${percent(in_sample.rate)} that is counted on the ${successes} that gave them`,
      hint: 'go by the cross-validated rate; more padding or more verified runs bring the two together',
    },
  ];
}
