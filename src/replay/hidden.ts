import type { Derivation } from '../calibrate/derive.js';
import { createGroups } from '../calibrate/groups.js';
import type { DeriveOptions } from '../calibrate/options.js';
import { populationName } from '../calibrate/population.js';
import type { DeriveReport } from '../calibrate/result.js';
import { createSampler } from '../calibrate/sample.js';
import { toAtoms } from '../model/atoms.js';
import { figuresIn, type RunFigures } from '../model/figures.js';
import { LIMITS, type LimitName, perMetric } from '../model/limits.js';
import type { Run } from '../model/run.js';
import { createPassCounts, leavingOf } from './hidden-incidence.js';
import { hiddenCap, hiddenPercentiles } from './hidden-percentiles.js';
import type { HiddenFigures, HiddenReport } from './hidden-result.js';

/** A success is near a cap that it was recorded under from this share of it on. */
const NEAR = { num: 4, den: 5 };

/**
 * What the recording hid: runs that it ended early and that might have succeeded later, successes near the caps of the
 * day, what percentiles and caps could be at worst, and the share of runs that had succeeded by a number of passes.
 *
 * @param runs the same that were derived from, iterated once more
 */
export function hidden(runs: Iterable<Run>, report: Derivation['report'], options: DeriveOptions): HiddenReport {
  const whole = createHidden(options);
  const groups = createGroups(options.by, () => createHidden(options));
  for (const run of figuresIn(runs)) {
    whole.see(run);
    groups.of(run)?.see(run);
  }
  const caps = new Map(report.groups.map((group) => [JSON.stringify(group.labels), group.caps]));
  return {
    ...whole.finish(report.caps),
    groups: groups.map((labels, kept) => ({
      labels,
      ...kept.finish(caps.get(JSON.stringify(labels)) ?? NO_CAPS),
    })),
  };
}

const NO_CAPS: DeriveReport['caps'] = { passes: null, tokens: null, seconds: null, usd: null };

interface Hidden {
  see(run: RunFigures): void;
  finish(caps: DeriveReport['caps']): HiddenFigures;
}

function createHidden(options: DeriveOptions): Hidden {
  const sampler = createSampler(options);
  const passes = createPassCounts();
  const censored = { runs: 0, stopped_budget: 0, running: 0 };
  const near = { runs: 0, by: new Map<LimitName, number>() };
  const under = new Map<LimitName, number>();
  return {
    see(run) {
      sampler.see(run);
      const leaving = leavingOf(run, options);
      passes.add(run.whole.passes, leaving);
      const recorded = capsUnder(run);
      for (const [limit, cap] of recorded) under.set(limit, Math.max(cap, under.get(limit) ?? 0));
      if (leaving === 'censored') {
        censored.runs++;
        if (run.status === 'running') censored.running++;
        else censored.stopped_budget++;
      }
      if (leaving !== 'successes') return;
      const reached = recorded.filter(([limit, cap]) => isNear(limit, run.whole[limit], cap));
      if (reached.length > 0) near.runs++;
      for (const [limit] of reached) near.by.set(limit, (near.by.get(limit) ?? 0) + 1);
    },
    finish(caps) {
      const sample = sampler.finish();
      const provisional = under.get('passes') ?? null;
      return {
        population: populationName(options),
        runs: sample.runs,
        verified: sample.verified,
        censored,
        near_cap: { runs: near.runs, by: Object.fromEntries(near.by) },
        recorded_under: Object.fromEntries(under),
        percentiles: perMetric((metric) => hiddenPercentiles(metric, sample.values[metric], censored.runs, options)),
        caps: perMetric((metric) => hiddenCap(caps[metric], censored.runs, options.p)),
        incidence: passes.incidence({ provisional, cap: caps.passes?.cap ?? null }),
      };
    },
  };
}

/** The caps that a run was recorded under, as far as they are of our kinds. */
function capsUnder(run: RunFigures): [LimitName, number][] {
  return LIMITS.flatMap((limit): [LimitName, number][] => {
    const cap = run.recordedUnder.get(limit);
    return cap === undefined ? [] : [[limit, cap]];
  });
}

function isNear(limit: LimitName, used: number | null, cap: number): boolean {
  const atoms = toAtoms(limit, cap);
  return used !== null && atoms !== null && used * NEAR.den >= atoms * NEAR.num;
}

/** Whether the recording hid anything that is known of. */
export function hidesAnything({ censored, near_cap }: HiddenFigures): boolean {
  return censored.runs > 0 || near_cap.runs > 0;
}
