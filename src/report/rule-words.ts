import type { RepeatRule, Rule } from '../policy/policy.js';

/** What a rule fires at, in words; a new kind of rule needs its own. */
export function describeRule(rule: Rule): string {
  switch (rule.rule) {
    case 'repeat':
      return describeRepeat(rule, `${rule.count}`);
    case 'stale':
      return `${rule.count} calls in a row that each brought a result seen before in this run`;
    case 'errors':
      return `${rule.count} failed calls in a row`;
    case 'idle':
      return `${rule.count} passes in a row without a call`;
  }
}

const SAME: Readonly<Record<RepeatRule['key'], string>> = {
  call: 'the same call (tool, arguments, result)',
  request: 'the same request (tool, arguments)',
  result: 'the same result',
};

/** @param count how often, in words: a number, or a letter for any */
export function describeRepeat(rule: RepeatRule, count: string): string {
  const where = {
    consecutive: 'in a row',
    run: 'anywhere in the run',
    window: `within the last ${rule.window} calls`,
  }[rule.scope];
  const blocks =
    rule.period === 1
      ? SAME[rule.key]
      : `the same block of ${rule.minPeriod === rule.period ? rule.period : `${rule.minPeriod} to ${rule.period}`} events, each ${SAME[rule.key].replace('the same', 'a')},`;
  const when = rule.when === 'before_dispatch' ? '; the last one is not run' : '';
  return `${blocks} ${count} times ${where}, the first one counted${when}`;
}
