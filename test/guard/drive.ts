import { createGuard, type Guard, type RunReport } from '../../src/guard/index.js';
import type { Run } from '../../src/model/run.js';
import type { Policy } from '../../src/policy/policy.js';

/** Feeds a recorded run to a guard with a clock that follows the recording, and obeys it. */
export function drive(run: Run, policy: Policy): RunReport {
  let micros = 0;
  const guard = createGuard(policy, { now: () => micros / 1000, transcriptId: run.id });
  for (const pass of run.passes ?? []) {
    if (guard.beforeCall() !== null) return guard.finish();
    micros += pass.micros ?? 0;
    guard.charge({
      inputTokens: pass.inputTokens,
      outputTokens: pass.outputTokens,
      usd: pass.nanos === null ? null : pass.nanos / 1e9,
      steps: pass.steps,
    });
    if (!makeCalls(guard, pass.calls)) return guard.finish();
  }
  if (run.check === 'passed') guard.verify({ passed: true });
  return guard.finish();
}

function makeCalls(guard: Guard, calls: NonNullable<Run['passes']>[number]['calls']): boolean {
  for (const call of calls) {
    const { tool, args, argsDigest, result, resultDigest, error } = call;
    const asked = { tool, args, argsDigest, resultDigest };
    if (guard.beforeDispatch(asked) !== null) return false;
    guard.observe(asked, result, { error });
  }
  return true;
}
