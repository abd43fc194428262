import type { LimitName } from '../model/limits.js';
import type { OrderEntry, Policy, RepeatKey, RuleTime } from './policy.js';
import type { POLICY_VERSION } from './record.js';

interface RuleRecordBase {
  readonly name?: string | undefined;
  readonly count?: number | undefined;
  readonly exempt?: readonly string[] | undefined;
  readonly when?: RuleTime | undefined;
}

export interface RepeatRecord extends RuleRecordBase {
  readonly rule: 'repeat';
  readonly key?: RepeatKey | undefined;
  readonly scope?: 'consecutive' | 'run' | undefined;
  readonly window?: number | undefined;
  readonly period?: number | undefined;
  readonly min_period?: number | undefined;
}

export type RuleRecord = RepeatRecord | (RuleRecordBase & { readonly rule: 'stale' | 'errors' | 'idle' });

/** A policy as its file holds it, in the units of the file: seconds and dollars as decimals, nothing decided. */
export interface PolicyRecord {
  readonly capfit: typeof POLICY_VERSION;
  readonly name?: string | undefined;
  readonly caps?: { readonly [limit in LimitName]?: number | undefined } | undefined;
  readonly order?: readonly OrderEntry[] | undefined;
  readonly rules?: readonly RuleRecord[] | undefined;
  readonly steps_at?: Policy['stepsAt'] | undefined;
  readonly timeouts?: { readonly model_call?: number | undefined; readonly tool?: number | undefined } | undefined;
  readonly wrap_up?: boolean | undefined;
  readonly halt_on?: readonly string[] | undefined;
  readonly check?: string | undefined;
  readonly measured?: { readonly [key: string]: unknown } | undefined;
}
