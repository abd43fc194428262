import { contentKey } from '../model/call-columns.js';
import type { Call } from '../model/run.js';
import type { RuleTracker } from './tracker.js';

/** Whether a call lengthens the streak; `null` when the record does not say, which breaks it. */
type Judge = (call: Call) => boolean | null;

/** `stale`: calls in a row whose result an earlier call of the run had brought. */
export function trackStale(exempt: ReadonlySet<string>): RuleTracker {
  const seen = new Set<string>();
  return trackCalls(exempt, (call) => {
    const result = contentKey(call.result, call.resultDigest);
    if (result === null) return null;
    const isKnown = seen.has(result);
    seen.add(result);
    return isKnown;
  });
}

/** `errors`: calls in a row that failed. */
export function trackErrors(exempt: ReadonlySet<string>): RuleTracker {
  return trackCalls(exempt, (call) => call.error);
}

function trackCalls(exempt: ReadonlySet<string>, lengthens: Judge): RuleTracker {
  const tracker = {
    count: 0,
    current: 0,
    blind: false,
    observe(call: Call) {
      if (exempt.has(call.tool)) return;
      const judged = lengthens(call);
      if (judged === null) tracker.blind = true;
      tracker.current = judged === true ? tracker.current + 1 : 0;
      if (tracker.current > tracker.count) tracker.count = tracker.current;
    },
    endPass() {
      // A pass without calls neither counts for nor breaks a streak of calls.
    },
  };
  return tracker;
}

/** `idle`: passes in a row without a call; one with exempt calls only is not idle. */
export function trackIdle(): RuleTracker {
  const tracker = {
    count: 0,
    current: 0,
    blind: false,
    observe() {
      // Only the end of a pass tells whether it made calls.
    },
    endPass(calls: number) {
      tracker.current = calls === 0 ? tracker.current + 1 : 0;
      if (tracker.current > tracker.count) tracker.count = tracker.current;
    },
  };
  return tracker;
}
