import type { Rule } from './policy.js';
import { trackRepeat } from './repeat.js';
import { trackErrors, trackIdle, trackStale } from './streaks.js';
import type { RuleTracker } from './tracker.js';

/** The tracker that a rule asks for. */
export function trackRule(rule: Rule): RuleTracker {
  switch (rule.rule) {
    case 'repeat':
      return trackRepeat(rule);
    case 'stale':
      return trackStale(new Set(rule.exempt));
    case 'errors':
      return trackErrors(new Set(rule.exempt));
    case 'idle':
      return trackIdle();
  }
}
