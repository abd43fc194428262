import type { RepeatRule, Rule } from '../../policy/policy.js';
import { addEvents, addPart, KEY_PARTS, type Part } from './calls.js';
import type { Layer } from './layers.js';
import { inRowSql, shiftedSql, wholeSql } from './words.js';

/** Where a rule's count is reached, and where it cannot judge: as expressions, places or 0. */
export interface RuleSought {
  readonly layer: Layer;
  /** The place of the call, or of the pass, that reaches the count. */
  readonly reached: string;
  /** The place of the first call that lacks what the rule compares. */
  readonly blind: string;
}

/** What a rule needs of the calls. */
export function rulePartsOf(rule: Rule): readonly Part[] {
  const own = ownParts(rule);
  return rule.exempt.length > 0 && rule.rule !== 'idle' ? [...own, 'tool'] : own;
}

function ownParts(rule: Rule): readonly Part[] {
  if (rule.rule === 'repeat') return KEY_PARTS[rule.key];
  return rule.rule === 'stale' ? ['result'] : rule.rule === 'errors' ? ['failed'] : [];
}

/** @param from has `f_place`, the place of each call, and `f_before`, the place before the first call of each pass */
export function ruleSought(from: Layer, rule: Rule): RuleSought {
  if (rule.rule === 'idle') {
    const flags = inRowSql('arrayMap(n -> n = 0, made)', String(rule.count));
    return { layer: from, reached: `f_before[${firstSql(flags)}]`, blind: 'toInt64(0)' };
  }
  const { layer: placed, column: place } = addPart(from, rule.exempt, 'place');
  const { layer, flags, blind } = callsSought(placed, rule);
  return {
    layer,
    reached: `${place}[${firstSql(flags)}]`,
    blind: blind === null ? 'toInt64(0)' : `${place}[arrayFirstIndex(${blind})]`,
  };
}

/** The place of the first flag that is set, 0 where none is. */
function firstSql(flags: string): string {
  return `arrayFirstIndex(f -> f > 0, ${flags})`;
}

interface CallsSought {
  readonly layer: Layer;
  /** For each call that is not exempt, whether the current count stands at the rule's own or above. */
  readonly flags: string;
  /** What tells calls that cannot be judged; `null`: all can. */
  readonly blind: string | null;
}

function callsSought(from: Layer, rule: Exclude<Rule, { rule: 'idle' }>): CallsSought {
  if (rule.rule === 'errors') {
    const { layer, column } = addPart(from, rule.exempt, 'failed');
    const flags = inRowSql(`arrayMap(f -> f = 1, ${column})`, String(rule.count));
    return { layer, flags, blind: `f -> f < 0, ${column}` };
  }
  if (rule.rule === 'stale') {
    const { layer, column } = addPart(from, rule.exempt, 'result');
    const known = `arrayMap((n, r) -> n > 1 AND r != '', arrayEnumerateUniq(${column}), ${column})`;
    return { layer, flags: inRowSql(known, String(rule.count)), blind: `r -> r = '', ${column}` };
  }
  const { layer, flags } = repeatSought(from, rule);
  if (rule.key === 'request') return { layer, flags, blind: null };
  const results = addPart(layer, rule.exempt, 'result');
  return { layer: results.layer, flags, blind: `r -> r = '', ${results.column}` };
}

/** For each call that is not exempt, whether a repeat's current count stands at the rule's own or above. */
export function repeatSought(from: Layer, rule: RepeatRule): { readonly layer: Layer; readonly flags: string } {
  const { layer, column } = addEvents(from, rule.exempt, rule.key);
  return { layer, flags: repeatFlags(rule, column) };
}

function repeatFlags({ count, scope, window, minPeriod, period }: RepeatRule, events: string): string {
  // The first of an event or a block is itself.
  if (count === 1) return `arrayMap(i -> i >= ${minPeriod}, arrayEnumerate(${events}))`;
  if (scope === 'run') return `arrayMap(n -> n >= ${count}, arrayEnumerateUniq(${events}))`;
  if (scope === 'window') return windowFlags(events, count, window ?? count);
  if (minPeriod === period) return blockFlags(events, String(period), count);
  // Blocks longer than half of the calls do not come again.
  const longest = `least(toInt64(${period}), intDiv(toInt64(length(${events})), 2))`;
  const number = `range(toUInt64(greatest(${longest} - ${minPeriod} + 1, 0)))`;
  const each = `arrayMap(p -> ${blockFlags(events, 'p', count)}, arrayMap(k -> toInt64(k) + ${minPeriod}, ${number}))`;
  return `arrayReduce('sumForEach', arrayConcat([arrayMap(e -> toUInt8(0), ${events})], ${each}))`;
}

/** Whether a block of so many events has come that often in a row: each equals the one a period before it. */
function blockFlags(events: string, period: string, count: number): string {
  const same = `arrayMap((x, y) -> x = y, ${events}, ${shiftedSql(events, period, 'toInt64(0)')})`;
  return inRowSql(same, `${period} * ${count - 1}`);
}

/** No run makes as many calls. */
const APART = 2 ** 32;

/**
 * Whether an event has come that often within the window. Sorted by event and place, the one so many before it must be
 * near; events lie further apart than any window. What that says is then sorted back by place.
 */
function windowFlags(events: string, count: number, window: number): string {
  const keyed = `arraySort(arrayMap((e, i) -> e * ${wholeSql(APART)} + toInt64(i), ${events}, arrayEnumerate(${events})))`;
  const earlier = shiftedSql(keyed, String(count - 1), `toInt64(-${NOWHERE})`);
  const near = `x - y < ${Math.min(window, APART / 2)}`;
  const placed = `arrayMap((x, y) -> bitAnd(x, ${APART - 1}) * 2 + (${near}), ${keyed}, ${earlier})`;
  return `arrayMap(x -> bitAnd(x, 1), arraySort(${placed}))`;
}

/** Below any key, and not so far that the difference to one overflows. */
const NOWHERE = 2 ** 62;
