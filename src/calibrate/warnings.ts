import { decimalOf, type Fraction, toNumber } from '../model/decimal.js';
import { METRICS, type Metric } from '../model/limits.js';
import type { Warning } from '../model/problem.js';
import { plural } from '../model/words.js';
import { sampleSizeForMaximum, sampleSizeForShare, upperLimit } from '../stats/interval.js';
import type { DeriveOptions } from './options.js';
import { percentileName } from './quantiles.js';
import type { CapReport } from './result.js';
import { lacksUsd, type Sampled } from './sample.js';

/** What a reader of percentiles and caps must know about them. */
export function deriveWarnings(
  sample: Sampled,
  caps: { readonly [metric in Metric]: CapReport | null },
  options: DeriveOptions,
): Warning[] {
  if (sample.verified === 0) return [nothingToDerive(sample, options), ...zeroPassWarnings(sample)];
  const warnings: Warning[] = [];
  if (options.claimed) {
    warnings.push({
      code: 'claimed',
      message: 'the population includes runs that only say they are done: claimed, not verified',
      hint: 'add a program that checks the work, and derive from the runs it passed',
    });
  }
  warnings.push(...smallSampleWarnings(sample, caps, options.p), ...nearTheSample(caps));
  for (const metric of METRICS) {
    const n = sample.values[metric].length;
    if (metric === 'usd' && n > 0 && lacksUsd(sample, options)) {
      warnings.push(usdCoverage(n, sample.verified));
      continue;
    }
    if (n > 0 && n < sample.verified) warnings.push(partlyKnown(metric, n, sample.verified));
    if (n > 0 && caps[metric] === null) warnings.push(zeroPercentile(metric, options.p));
  }
  warnings.push(...zeroPassWarnings(sample));
  if (sample.passedUnfinished > 0) {
    warnings.push({
      code: 'passed_unfinished',
      message: `${plural(sample.passedUnfinished, 'verified success', 'verified successes')} ended as stopped, halted or lost, yet the check passed`,
      hint: 'they count at the size recorded; --finished-only leaves them out',
    });
  }
  return warnings;
}

function zeroPassWarnings(sample: Sampled): Warning[] {
  if (sample.zeroPass === 0) return [];
  return [
    {
      code: 'zero_pass_runs',
      message: `${plural(sample.zeroPass, 'run')} made no model call; no percentile takes them in, whatever their check says`,
      hint: 'look for runs that failed to start',
    },
  ];
}

function nothingToDerive(sample: Sampled, options: DeriveOptions): Warning {
  if (sample.checked === 0 && !options.claimed) {
    return {
      code: 'no_check',
      message: `none of ${plural(sample.runs, 'run')} carries the verdict of a check, so no run is a verified success`,
      hint: 'where the verdicts are in another file (eval_results.json, final_report.json, a list of passed ids), name it with --outcomes FILE; else record check passed or failed with each run; --claimed takes the runs that say they are done, and says so in every output',
    };
  }
  return {
    code: 'no_verified',
    message: `none of ${plural(sample.runs, 'run')} is a verified success, so there is nothing to read a percentile from`,
    hint: 'record runs that succeed under a generous cap, and let a program check them',
  };
}

/** Small samples, by metric: n < 1/(1-p), then n too small for the accepted rate at 95 % confidence. */
function smallSampleWarnings(
  sample: Sampled,
  caps: { readonly [metric in Metric]: CapReport | null },
  p: Fraction,
): Warning[] {
  const metricsByCase = new Map<string, { metrics: Metric[]; n: number; above: number; own: Fraction }>();
  for (const metric of METRICS) {
    const cap = caps[metric];
    if (cap === null) continue;
    // Caps that are held to the rate together have percentiles of their own.
    const own = cap.joint === undefined ? p : decimalOf(cap.p);
    const key = `${cap.n}/${cap.above}/${percentileName(own)}`;
    const known = metricsByCase.get(key) ?? { metrics: [], n: cap.n, above: cap.above, own };
    known.metrics.push(metric);
    metricsByCase.set(key, known);
  }
  const warnings: Warning[] = [];
  for (const { metrics, n, above, own } of metricsByCase.values()) {
    // One sentence for all metrics serves where they say the same; otherwise the metrics are named.
    const who = metricsByCase.size === 1 ? '' : `${metrics.join(', ')}: `;
    if (isJustTheMaximum(n, own)) warnings.push(justTheMaximum(who, n, own));
    if (p.num < p.den && n < sampleSizeForMaximum(toNumber(p))) warnings.push(fewRuns(who, n, above, p));
  }
  return sample.verified === 0 ? [] : warnings;
}

/** n < 1/(1-p), exactly: then ceil(p n) = n and the percentile is the largest value seen. */
function isJustTheMaximum(n: number, p: Fraction): boolean {
  return BigInt(n) * (p.den - p.num) < p.den;
}

function justTheMaximum(who: string, n: number, p: Fraction): Warning {
  const supported =
    n > 1
      ? `the highest percentile that ${n} runs support is p${Math.floor((1000 * (n - 1)) / n) / 10}`
      : 'one run supports no percentile';
  return {
    code: 'percentile_is_maximum',
    message: `${who}${percentileName(p)} of ${plural(n, 'verified run')} is just the largest value seen; ${supported}`,
    hint: 'record more verified runs, or pad more (1.5 below 100 runs)',
  };
}

function fewRuns(who: string, n: number, above: number, p: Fraction): Warning {
  const accepted = toNumber({ num: p.den - p.num, den: p.den });
  const needed = above === 0 ? sampleSizeForMaximum(toNumber(p)) : sampleSizeForShare(above, accepted);
  const claim = upperLimit(above, n);
  const seen = above === 0 ? '' : ` (${above} above the cap)`;
  return {
    code: 'small_sample',
    message: `${who}at n = ${n}${seen} you may claim at most ${roundedUp(100 * claim)} % false stops with 95 % confidence; ${plural(needed - n, 'more verified run')} for ${trim(100 * accepted)} %`,
    hint:
      above === 0
        ? 'record more verified runs before you promise the accepted rate'
        : 'the count of further runs holds if none of them lies above the cap',
  };
}

/** Caps less than this above their percentile stand where the sample itself put them. */
const CLEAR_OF_SAMPLE = 1.1;

/**
 * A cap at one of the values seen cuts fewer of the runs it was taken from than of others, and each further cap is fitted
 * to them anew; docs/simulated-truth.md has the figures.
 */
function nearTheSample(caps: { readonly [metric in Metric]: CapReport | null }): Warning[] {
  const near = METRICS.filter((metric) => {
    const cap = caps[metric];
    // 50 padded to 55 is clear, whichever way the last digits are rounded.
    return cap !== null && cap.cap / cap.quantile < CLEAR_OF_SAMPLE - 1e-9;
  });
  if (near.length === 0) return [];
  const who = near.length === 1 ? `the ${near[0]} cap stands` : `the caps on ${near.join(', ')} stand`;
  const interval = near.length === 1 ? '' : ', and their interval can be too narrow';
  return [
    {
      code: 'in_sample_interval',
      message: `${who} less than 10 % above the value that these very runs gave: counted on the same runs, false stops come out too low${interval}`,
      hint: near.some((metric) => caps[metric]?.joint === 'cheapest')
        ? 'caps that spend least are not cross-validated: hold them against runs that were not among these, or pad by 1.2'
        : 'go by the cross-validated rate (calibrate shows it, derive with --cross-validate), or pad by 1.2',
    },
  ];
}

function partlyKnown(metric: Metric, n: number, verified: number): Warning {
  return {
    code: 'partly_known',
    message: `${metric} are known for ${n} of ${verified} verified successes; the percentile speaks of those only`,
    hint: `record ${metric} for every pass: the runs that lack them may be the long ones`,
  };
}

function usdCoverage(n: number, verified: number): Warning {
  return {
    code: 'usd_coverage',
    message: `usd is not known for ${verified - n} of ${plural(verified, 'verified success', 'verified successes')}, so no usd cap is derived; its percentiles speak of the other ${n}`,
    hint: 'give the prices of their models with --prices, or take a cap from the known ones with --partial-usd',
  };
}

function zeroPercentile(metric: Metric, p: Fraction): Warning {
  return {
    code: 'zero_percentile',
    message: `${percentileName(p)} of ${metric} is 0, so no cap on ${metric} is derived`,
    hint:
      metric === 'usd'
        ? 'a recorded cost of 0 often means that no price was known'
        : `were ${metric} recorded as 0 where they were not known?`,
  };
}

/** A number for a sentence: at most two significant decimals, no trailing zeros. */
function trim(value: number): string {
  return String(Number(value.toPrecision(value >= 10 ? 3 : 2)));
}

/** An upper limit for a sentence: two significant digits, never below the limit itself. */
export function roundedUp(value: number): string {
  const unit = 10 ** (Math.floor(Math.log10(value)) - 1);
  return String(Number((Math.ceil(Number((value / unit).toPrecision(12))) * unit).toPrecision(2)));
}
