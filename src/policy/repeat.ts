import { eventKey } from './events.js';
import type { RepeatKey, RepeatRule } from './policy.js';
import type { RuleTracker } from './tracker.js';

/** What a repeat rule compares: a text, or a number that stands for it; `null` equals nothing. */
export type Event = string | number | null;

/** Tells how many identical events there are, told one event after the other. */
export type EventCounter = (event: Event) => number;

/** Counts identical events under the rule's scope. */
export function trackRepeat(rule: RepeatRule): RuleTracker {
  return trackEvents(rule.key, new Set(rule.exempt), counterOf(rule));
}

/** The tracker of a plain `repeat`: the longest streak of identical events, with the given tools exempt. */
export function trackStreak(key: RepeatKey, exempt: ReadonlySet<string> = new Set()): RuleTracker {
  return trackEvents(key, exempt, countStreak());
}

/** The counter of a rule's scope. */
export function counterOf(rule: RepeatRule): EventCounter {
  if (rule.scope === 'run') return countInRun();
  if (rule.scope === 'window') return countInWindow(rule.window ?? rule.count);
  return rule.period === 1 ? countStreak() : countBlocks(rule.minPeriod, rule.period);
}

function trackEvents(key: RepeatKey, exempt: ReadonlySet<string>, count: EventCounter): RuleTracker {
  const tracker = {
    count: 0,
    current: 0,
    blind: false,
    observe(call: Parameters<RuleTracker['observe']>[0]) {
      if (exempt.has(call.tool)) return;
      const event = eventKey(call, key);
      if (event === null) tracker.blind = true;
      tracker.current = count(event);
      if (tracker.current > tracker.count) tracker.count = tracker.current;
    },
    endPass() {
      // A pass without calls neither counts for nor breaks a streak of calls.
    },
  };
  return tracker;
}

function countStreak(): EventCounter {
  let last: Event = null;
  let streak = 0;
  return (event) => {
    streak = event !== null && event === last ? streak + 1 : 1;
    last = event;
    return streak;
  };
}

/**
 * The most repetitions, one after the other and up to the newest event, of a block of `shortest` to `longest` events.
 * An event continues blocks of p events as long as it equals the one p before it.
 */
function countBlocks(shortest: number, longest: number): EventCounter {
  const events: Event[] = [];
  const continued = new Array<number>(longest + 1).fill(0);
  return (event) => {
    let most = 0;
    for (let period = shortest; period <= longest; period++) {
      const before = events.length < period ? null : (events[events.length - period] ?? null);
      const run = event !== null && event === before ? (continued[period] as number) + 1 : 0;
      continued[period] = run;
      const blocks = events.length + 1 < period ? 0 : Math.floor(run / period) + 1;
      if (blocks > most) most = blocks;
    }
    events.push(event);
    if (events.length > longest) events.shift();
    return most;
  };
}

function countInRun(): EventCounter {
  const counts = new Map<Event, number>();
  return (event) => {
    if (event === null) return 1;
    const count = (counts.get(event) ?? 0) + 1;
    counts.set(event, count);
    return count;
  };
}

/** How often the newest event occurs among the last `size` calls, itself one of them. */
function countInWindow(size: number): EventCounter {
  const counts = new Map<Event, number>();
  const recent: Event[] = [];
  return (event) => {
    if (recent.length === size) forget(counts, recent.shift() ?? null);
    recent.push(event);
    if (event === null) return 1;
    const count = (counts.get(event) ?? 0) + 1;
    counts.set(event, count);
    return count;
  };
}

function forget(counts: Map<Event, number>, event: Event): void {
  if (event === null) return;
  const left = (counts.get(event) ?? 0) - 1;
  if (left > 0) counts.set(event, left);
  else counts.delete(event);
}
