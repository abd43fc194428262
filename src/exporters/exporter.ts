import type { Json } from '../model/json.js';
import type { LimitName } from '../model/limits.js';
import type { Policy, Rule } from '../policy/policy.js';

/** What a snippet is written in; a comment begins accordingly. */
export type Language = 'python' | 'typescript' | 'yaml' | 'json' | 'jsonc' | 'shell';

/** How many model calls are paid under a pass cap of N by a model that never stops. */
export type Billed = 'N' | 'N + 1' | 'not known';

/** How sure the statements about a target are. */
export type Evidence =
  | 'run here with a stub model'
  | 'read in its source'
  | 'its documentation'
  | 'our own form, read back by a test';

/** What the target was checked against, and how. */
export interface Checked {
  readonly version: string;
  readonly how: Evidence;
}

/** A part of a policy that the target can say: exactly, or with the difference that is named. */
export type Saying = 'exactly' | { readonly differs: string };

/** Which parts of a policy a target has a setting for; a part that is not named here is a loss where it is asked for. */
export interface Sayings {
  readonly caps?: { readonly [limit in LimitName]?: Saying };
  /** The order in which the target itself asks its limits; `any` follows the policy's. */
  readonly order?: readonly LimitName[] | 'any';
  /** How a rule is said, or `null` where this one cannot be. */
  readonly rule?: (rule: Rule) => Saying | null;
  readonly modelCallTimeout?: Saying;
  readonly toolTimeout?: Saying;
  /** `always`: a last call is made after a stop, asked for or not. */
  readonly wrapUp?: 'as asked' | 'always';
  readonly haltOn?: Saying;
  readonly check?: Saying;
}

/** The settings a snippet sets, for programs: what the snippet says and nothing else. */
export type Settings = { readonly [name: string]: Json };

/** Reasons why a part of a policy is left out although the target has a setting for it. */
export interface Unsaid {
  readonly seconds?: string;
  readonly toolTimeout?: string;
}

/** What an exporter makes of a policy. */
export interface Written {
  readonly settings: Settings;
  /** Lines of the snippet, without the head that all snippets share. */
  readonly code: readonly string[];
  /** Differences and losses that depend on the figures, such as rounding. */
  readonly differs?: readonly string[];
  readonly cannot?: readonly string[];
  /** Parts that the target has a setting for, which does not hold this figure: why, and what is done instead. */
  readonly unsaid?: Unsaid;
}

/** A target: what is known of a framework, and how a policy is written as its settings. */
export interface Exporter {
  readonly id: string;
  readonly title: string;
  readonly language: Language;
  /** The setting that the pass cap becomes, with the framework's default. */
  readonly setting: string;
  /** What one unit of that setting is, and how many of them P passes are. */
  readonly unit: string;
  readonly checked: Checked;
  readonly billed: Billed;
  /** What is billed beyond the cap, or why that is not known; empty where there is nothing to add. */
  readonly billedNote: string;
  /** What the caller holds in hands when the pass cap fires. */
  readonly receives: string;
  readonly says: Sayings;
  /** What the framework does of its own, whatever the policy asks. */
  readonly quirks: readonly string[];
  readonly write: (policy: Policy) => Written;
}

/** A policy as the settings of one framework, with what is lost on the way. */
export interface Export {
  readonly id: string;
  readonly title: string;
  readonly language: Language;
  readonly settings: Settings;
  readonly text: string;
  readonly checkedAgainst: Checked;
  /** The cap on passes that was translated, `null` where the policy has none. */
  readonly passCap: number | null;
  readonly callerReceives: string;
  /** Model calls paid for a run that never stops, where the policy caps passes and the framework is known. */
  readonly billedCalls: { readonly rule: Billed; readonly calls: number | null; readonly note: string };
  /** Parts of this policy that are said, but not quite as the policy means them. */
  readonly differs: readonly string[];
  /** Parts of this policy for which the framework has no setting. */
  readonly cannotExpress: readonly string[];
}
