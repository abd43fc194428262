import { fromAtoms } from '../model/atoms.js';
import type { Metric } from '../model/limits.js';
import type { HeldRun } from './replayer.js';
import type { State } from './state.js';

/** What a slider may be set to: from one step up to a cap that is looser than any that matters. */
export interface CapRange {
  readonly metric: Metric;
  readonly most: number;
  readonly step: number;
}

/** Steps that a slider has about. */
const STEPS = 400;

/** So far beyond the largest run, and today's cap, a slider goes. */
const ROOM = 1.25;

/** What each slider may be set to: up to beyond what the largest run used, or today's cap where that is above it. */
export function rangesOf(runs: readonly HeldRun[], metrics: readonly Metric[], { caps }: State): CapRange[] {
  return metrics.map((metric) => {
    const most = runs.reduce((largest, { counted }) => Math.max(largest, counted.whole[metric] ?? 0), 0);
    const largest = ROOM * Math.max(fromAtoms(metric, most), caps[metric] ?? 0);
    const least = metric === 'passes' || metric === 'tokens' ? 1 : 0;
    const step = Math.max(least, roundStep(largest / STEPS));
    return { metric, step, most: Number((step * Math.max(1, Math.ceil(largest / step))).toPrecision(12)) };
  });
}

/** The next 1, 2 or 5 times a power of ten. */
function roundStep(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const factor = [1, 2, 5, 10].find((each) => each * power >= value * 0.999_999) ?? 10;
  return Number((factor * power).toPrecision(3));
}
