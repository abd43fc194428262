import { CAPS } from './caps.js';
import { ANSWERS, HALTS } from './endings.js';
import type { Scenario } from './scenario.js';
import { STREAKS } from './streaks.js';

/**
 * The drill: every exit, and everything that must not be one, run on purpose. Plain data, so that a loop in any
 * language can be driven with it (docs/drill.md).
 */
export const SCENARIOS: readonly Scenario[] = [...ANSWERS, ...CAPS, ...STREAKS, ...HALTS];

/** The scenarios as a file holds them. */
export function drillFile(): { readonly schema: 'capfit/drill@1'; readonly scenarios: readonly Scenario[] } {
  return { schema: 'capfit/drill@1', scenarios: SCENARIOS };
}
