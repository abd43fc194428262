import type { JointOptions, JointReport } from '../replay/joint-result.js';
import { CommandError, EXIT, usageError } from './errors.js';
import type { RawOptions } from './options.js';
import { spendOption } from './spend-option.js';

/** `--joint`, `--optimize` and `--spend` as typed; `null` where each cap is taken by itself. */
export function jointOption(raw: RawOptions): JointOptions | null {
  const spend = spendOption(raw.spend);
  if (raw.optimize === true) return { aim: 'cheapest', spend };
  if (raw.joint === true) return { aim: 'common', spend };
  if (spend !== null) throw usageError(`--spend ${spend} is for --optimize and --joint`, 'add one of them');
  return null;
}

/**
 * Whether what spend is to be weighed in is known at all.
 *
 * @throws CommandError where no run tells
 */
export function checkWeighed(joint: JointReport | undefined, asked: JointOptions | null): void {
  const metric = asked?.spend ?? null;
  if (metric === null || joint?.each_alone == null || joint.each_alone.spend[metric] !== null) return;
  throw new CommandError(
    `--spend ${metric}: no run tells its ${metric}`,
    metric === 'usd' ? 'price the runs with --prices, or leave --spend out' : 'leave --spend out',
    EXIT.no,
  );
}
