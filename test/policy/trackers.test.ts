import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Rule } from '../../src/policy/policy.js';
import { trackRule } from '../../src/policy/track-rule.js';
import { passRecords, ruleRecords } from '../arbitraries.js';
import { policy, run } from '../builders.js';

/* Each rule's count, once more from its definition: looked for afresh at every call, nothing carried along. */

/** A call as letters say it: tool, arguments, result (`?`: none), and `!` for one that failed, `~` for unknown. */
interface Event {
  readonly tool: string;
  readonly args: string;
  readonly result: string | null;
  readonly error: boolean | null;
}

function eventOf(text: string): Event {
  const [tool, args, result] = text as unknown as [string, string, string];
  const error = text.endsWith('!') ? true : text.endsWith('~') ? null : false;
  return { tool, args, result: result === '?' ? null : result, error };
}

const same = (a: Event, b: Event, key: string): boolean => {
  const knowsResult = a.result !== null && b.result !== null;
  const result = knowsResult && a.result === b.result;
  const request = a.tool === b.tool && a.args === b.args;
  return { call: request && result, request, result }[key] as boolean;
};

/** Whether m blocks of p events end at the newest. */
function endsInBlocks(events: readonly Event[], p: number, m: number, key: string): boolean {
  if (m * p > events.length) return false;
  const tail = events.slice(events.length - m * p);
  return tail.every((event, i) => i < p || same(event, tail[i % p] as Event, key));
}

function countAt(events: readonly Event[], rule: Rule): number {
  const newest = events.at(-1) as Event;
  const back = [...events].reverse();
  switch (rule.rule) {
    case 'repeat': {
      if (rule.scope !== 'consecutive') {
        const near = rule.scope === 'run' ? events : events.slice(-(rule.window as number));
        return 1 + near.slice(0, -1).filter((event) => same(event, newest, rule.key)).length;
      }
      const blocks = [];
      for (let p = rule.minPeriod; p <= rule.period; p++) {
        for (let m = 1; m <= events.length; m++) if (endsInBlocks(events, p, m, rule.key)) blocks.push(m);
      }
      return Math.max(0, ...blocks);
    }
    case 'stale': {
      const isStale = (event: Event, at: number): boolean =>
        events.slice(0, at).some(({ result }) => result !== null && result === event.result);
      const fresh = back.findIndex((event, i) => !isStale(event, events.length - 1 - i));
      return fresh === -1 ? events.length : fresh;
    }
    case 'errors': {
      const fine = back.findIndex(({ error }) => error !== true);
      return fine === -1 ? events.length : fine;
    }
    default:
      return 0;
  }
}

/** The highest count at any call, and what it stands at now. */
function counted(events: readonly Event[], rule: Rule): { count: number; current: number; blind: boolean } {
  const seen = events.filter(({ tool }) => !rule.exempt.includes(tool));
  const counts = seen.map((_, i) => countAt(seen.slice(0, i + 1), rule));
  const needsResult = rule.rule === 'stale' || (rule.rule === 'repeat' && rule.key !== 'request');
  return {
    count: Math.max(0, ...counts),
    current: counts.at(-1) ?? 0,
    blind: seen.some(
      ({ result, error }) => (needsResult && result === null) || (rule.rule === 'errors' && error === null),
    ),
  };
}

function tracked(events: readonly Event[], rule: Rule): { count: number; current: number; blind: boolean } {
  const tracker = trackRule(rule);
  const calls = events.map(({ tool, args, result, error }) => ({ tool, args, result, error }));
  for (const call of run({ passes: [{ calls }] }).passes?.[0]?.calls ?? []) tracker.observe(call);
  const { count, current, blind } = tracker;
  return { count, current, blind };
}

const ruleOf = (fields: object): Rule => policy({ rules: [fields] }).rules[0] as Rule;

/** Few letters, so that repeats of all kinds are frequent. */
const events = fc.array(
  fc
    .tuple(
      fc.constantFrom('s', 'r', 'p'),
      fc.constantFrom('x', 'x', 'x', 'y'),
      fc.constantFrom('1', '1', '2', '?'),
      fc.constantFrom('', '!', '!', '~'),
    )
    .map((parts) => eventOf(parts.join(''))),
  { maxLength: 14 },
);
const TOOLS: { readonly [word: string]: string } = { search: 's', read: 'r', poll: 'p' };

describe("a rule's count equals its definition", () => {
  test('for every kind of rule over calls', () => {
    fc.assert(
      fc.property(events, ruleRecords, (made, record) => {
        const exempt = ((record.exempt ?? []) as string[]).map((tool) => TOOLS[tool]);
        const rule = ruleOf({ ...record, exempt });
        if (rule.rule !== 'idle') expect(tracked(made, rule)).toEqual(counted(made, rule));
      }),
      { seed: 42, numRuns: 5000 },
    );
  });

  test('for passes without calls', () => {
    fc.assert(
      fc.property(fc.array(passRecords, { maxLength: 12 }), fc.subarray(['search', 'poll']), (passes, exempt) => {
        const tracker = trackRule(ruleOf({ rule: 'idle', exempt }));
        const idle = (run({ passes }).passes ?? []).map(({ calls }) => {
          for (const call of calls) tracker.observe(call);
          tracker.endPass(calls.length);
          return calls.length === 0 ? 'i' : 'c';
        });
        const streaks = idle.join('').split('c');
        const now = (streaks.at(-1) ?? '').length;
        expect([tracker.count, tracker.current, tracker.blind]).toEqual([
          Math.max(...streaks.map((streak) => streak.length)),
          now,
          false,
        ]);
      }),
      { seed: 42, numRuns: 1000 },
    );
  });

  test.each([
    ['A,B,A,B is no repeat of period 1', 'sx1 rx1 sx1 rx1', { rule: 'repeat' }, 1],
    ['A,B,A,B is a block of two, twice', 'sx1 rx1 sx1 rx1', { rule: 'repeat', period: 2 }, 2],
    ['half a block does not count', 'sx1 rx1 sx1 rx1 sx1', { rule: 'repeat', period: 2 }, 2],
    ['a shorter block counts as well', 'sx1 sx1 sx1', { rule: 'repeat', period: 3 }, 3],
    [
      'min_period leaves it out: A,A,A,A is two blocks of two',
      'sx1 sx1 sx1 sx1',
      { rule: 'repeat', period: 2, min_period: 2 },
      2,
    ],
    ['three calls around', 'sx1 rx1 px1 sx1 rx1 px1', { rule: 'repeat', period: 3 }, 2],
    ['anywhere in the run', 'sx1 rx1 sx1 rx2 sx1', { rule: 'repeat', scope: 'run' }, 3],
    ['too far apart for the window', 'sx1 rx1 rx2 sx1 sx1', { rule: 'repeat', window: 3 }, 2],
    ['an unknown result is like no other', 'sx? sx? sx?', { rule: 'repeat' }, 1],
    ['but the request may be', 'sx? sx? sx?', { rule: 'repeat', key: 'request' }, 3],
    ['stale: brought before by any call', 'sx1 rx2 ry1 sy2 sy3', { rule: 'stale' }, 2],
    ['errors', 'sx1! sx2! sx3 sx4!', { rule: 'errors' }, 2],
    ['an unknown failure breaks the row', 'sx1! sx2~ sx3!', { rule: 'errors' }, 1],
    ['exempt calls are invisible', 'sx1 px2 sx1 px2 sx1', { rule: 'repeat', exempt: ['p'] }, 3],
    ['what an exempt call brought is not known', 'px1 sx1 sy1', { rule: 'stale', exempt: ['p'] }, 1],
  ])('%s: %s', (_, text, fields, count) => {
    expect(tracked(text.split(' ').map(eventOf), ruleOf(fields)).count).toBe(count);
  });
});
