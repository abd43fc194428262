/**
 * capfit in a live loop: the stop decision that the replay uses, and nothing else. This entry has no dependencies.
 *
 * @module
 */

export type { Policy } from '../policy/policy.js';
export type { PolicyRecord } from '../policy/policy-record.js';
export type { GuardCall } from './call.js';
export type { ClaimKind, Decision, Verdict } from './endings.js';
export { createGuard, type Guard, type GuardOptions } from './guard.js';
export type { Usage } from './pass.js';
export type { Exit, RuleWarning, RunReport } from './report.js';
