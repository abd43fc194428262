import { describe, expect, test } from 'vitest';
import type { Settings } from '../../src/exporters/exporter.js';
import type { Policy } from '../../src/policy/policy.js';
import { policy } from '../builders.js';
import { type Exported, exported, NOT_INSTALLED } from './exported.js';

/** How many passes a cap is tried at. */
const PASSES = [1, 3, 10] as const;

/** More passes than any default of a framework lets through. */
const MANY = 40;

/** What a run came to: model calls, tool runs, and how the caller learns of the end. */
export interface Outcome {
  readonly calls: number;
  readonly tools: number;
  readonly end: string;
}

/** The end of a run that answered: every stub says this and nothing else. */
export const ANSWERED = 'answer: done';

export interface CapSuite<Module> {
  readonly id: string;
  /** Runs the real package, under the snippet, on a model that answers in its `answersAt`-th call or never. */
  readonly run: (module: Module, answersAt: number) => Promise<Outcome>;
  /** What the snippet's options hold of the exported settings, to be held against them. */
  readonly settingsOf: (module: Module) => Settings;
  /** How the caller learns that the cap on passes fired. */
  readonly stopped: string;
  /** A word of that, as the export tells it to its reader. */
  readonly told: string;
}

/** Tests of one framework, or a word on why there are none. */
export function describeFramework(name: string, body: () => void): void {
  if (NOT_INSTALLED === null) describe(name, body);
  else describe.skip(`${name} (${NOT_INSTALLED})`, body);
}

/** Holds what an export states against what the framework does. */
export function testCaps<Module>({ id, run, settingsOf, stopped, told }: CapSuite<Module>): void {
  const load = (limits: Policy): Promise<Exported<Module>> => exported<Module>(id, limits);

  test.each(PASSES)('a cap of %d passes: as many model calls are billed as the export says', async (passes) => {
    const value = await load(policy({ caps: { passes } }));
    expect(settingsOf(value.module)).toEqual(value.settings);
    expect(await run(value.module, Number.POSITIVE_INFINITY)).toEqual({
      calls: value.billedCalls.calls,
      tools: passes,
      end: stopped,
    });
    expect(value.callerReceives).toContain(told);
  });

  test.each(PASSES)('a run that answers in its last allowed pass, the %dth, is not cut', async (passes) => {
    const { module } = await load(policy({ caps: { passes } }));
    expect(await run(module, passes)).toEqual({ calls: passes, tools: passes - 1, end: ANSWERED });
  });

  test('without a cap on passes no default of the framework bites', async () => {
    const { module } = await load(policy({}));
    expect(await run(module, MANY)).toEqual({ calls: MANY, tools: MANY - 1, end: ANSWERED });
  });
}
