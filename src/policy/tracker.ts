import type { Call } from '../model/run.js';

/** Follows one rule through a run, call by call, in recorded order. */
export interface RuleTracker {
  /** The rule's own count: the most that was reached so far, so that it never falls. */
  readonly count: number;
  /** What the count stands at now; one below the rule's own is the moment to warn. */
  readonly current: number;
  /** Whether some call lacked what the rule compares, so that the rule could not judge the run whole. */
  readonly blind: boolean;
  /** Told every call that is not exempt. */
  observe(call: Call): void;
  /** Told the end of every pass, with the calls it made, exempt ones included. */
  endPass(calls: number): void;
}
