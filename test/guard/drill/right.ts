import type { DrillResult } from '../../../src/guard/drill/judge.js';
import type { Scenario } from '../../../src/guard/drill/scenario.js';
import type { Json } from '../../../src/model/json.js';

/** What every report carries, where a scenario does not say the value. */
const CARRIED = {
  passes: 1,
  tokens: 1_000,
  seconds: 2.5,
  transcript_id: 'transcript-1',
  answer: null,
  check_output: null,
  partial_work: null,
};

/** A result in which nothing is wrong. */
export function rightResult({
  id,
  expect,
}: Scenario): Omit<DrillResult, 'report'> & { readonly report: { [field: string]: Json } } {
  const { tool_runs, ...fields } = JSON.parse(JSON.stringify(expect)) as { [field: string]: Json };
  return {
    scenario: id,
    report: { schema: 'mine/1', ...CARRIED, ...fields },
    ...(tool_runs === undefined ? {} : { tool_runs }),
  };
}
