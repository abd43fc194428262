import { pathToFileURL } from 'node:url';
import type { DrillResult } from '../../../src/guard/drill/judge.js';
import type { Scenario } from '../../../src/guard/drill/scenario.js';
import type { RunReport } from '../../../src/guard/index.js';
import type { PolicyRecord } from '../../../src/policy/policy-record.js';

interface Stub {
  readonly world: object;
  readonly seen: { readonly saved: RunReport | null; readonly toolRuns: number; readonly death: Promise<void> };
}

const example = (name: string): string => pathToFileURL(`docs/examples/${name}`).href;
const { runAgent } = (await import(example('loop.mjs'))) as {
  runAgent: (policy: PolicyRecord, world: object) => Promise<RunReport>;
};
const { stubWorld } = (await import(example('stub.mjs'))) as { stubWorld: (scenario: Scenario) => Stub };

/** Plays a scenario on the example loop, set to that policy. */
export async function play(scenario: Scenario, policy: PolicyRecord = scenario.policy): Promise<DrillResult> {
  const { world, seen } = stubWorld(scenario);
  await Promise.race([runAgent(policy, world), seen.death]);
  return { scenario: scenario.id, report: JSON.parse(JSON.stringify(seen.saved)), tool_runs: seen.toolRuns };
}
