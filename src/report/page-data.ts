import type { PopulationOptions } from '../calibrate/population.js';
import type { Metric } from '../model/limits.js';
import type { Policy } from '../policy/policy.js';
import type { PolicyRecord } from '../policy/policy-record.js';
import { policyRecord } from '../policy/record.js';

/** What the page's own program is given: today's policy, and the runs that it replays. */
export interface PageData {
  readonly schema: 'capfit/page@1';
  readonly population: PopulationOptions;
  readonly policy: PolicyRecord;
  /** The percentile in force of each metric, of all runs that the page is about; `null`: there is none. */
  readonly percentile: {
    readonly name: string;
    readonly values: { readonly [metric in Metric]: number | null };
  } | null;
  /** A label by which stops are split; `null`: the runs carry none that splits them. */
  readonly label: string | null;
  /** The packed table as `toPlain` wrote it, deflated, in base64. */
  readonly runs: string;
}

/** A policy as the page is given it: with its whole order, since a cap that is not set today may be set there. */
export function pagePolicy(policy: Policy): PolicyRecord {
  return { ...(policyRecord(policy) as unknown as PolicyRecord), order: policy.order };
}
