import { expect } from 'vitest';
import type { Link, Mark, RunsAsked } from '../../../src/engine/ask/dialect.js';
import type { Run } from '../../../src/model/run.js';
import type { RepeatRule, Rule } from '../../../src/policy/policy.js';
import { ask, asText } from './ask.js';
import {
  countersOracle,
  labelsOracle,
  marksOracle,
  passesOracle,
  reachedToolsOracle,
  runsOracle,
  wanted,
} from './oracle.js';

/** Holds every question of the contract against what it says, for some runs. */
export async function expectAnswers(
  link: Link,
  runs: readonly Run[],
  asked: RunsAsked,
  marks: readonly Mark[],
): Promise<void> {
  const { dialect } = link;
  const own = runColumns(asked);
  expect(await ask(link, dialect.runs(asked), own)).toEqual(asText(runsOracle(runs, asked), own));

  const marked = [
    ...own,
    ...marks.flatMap((mark, i) => [`p${i}`, `b${i}`, ...(mark.kind === 'rule' ? [`e${i}`] : [])]),
  ];
  expect(await ask(link, dialect.marks(asked, marks), marked)).toEqual(asText(marksOracle(runs, asked, marks), marked));

  const after = [...own, ...['at', 'before', 'first'].flatMap((at) => LIMITS.map((limit) => `${at}_${limit}`))];
  // Some place that differs between the runs, and lies beyond the kept passes of some.
  const relation = `(SELECT *, ${dialect.remainder('ord * 2 + 1', '7')} AS after FROM (${dialect.marks(asked, marks)}))`;
  const counters = wanted(runs, asked.where).map(([run, ord], index) => ({
    ...(runsOracle(runs, asked)[index] as object),
    ...countersOracle(run, (ord * 2 + 1) % 7),
  }));
  expect(await ask(link, dialect.withCounters(relation), after)).toEqual(asText(counters, after));

  const each = [...own, 'pass', ...['before', 'add'].flatMap((at) => LIMITS.map((limit) => `${at}_${limit}`))];
  expect(await ask(link, dialect.passes(asked), each, ['ord', 'pass'])).toEqual(
    asText(passesOracle(runs, asked), each),
  );

  const labels = [...own, 'label', 'value', 'place'];
  expect(await ask(link, dialect.labels(asked), labels, ['ord', 'place'])).toEqual(
    asText(labelsOracle(runs, asked), labels),
  );

  const repeat = marks.map((mark) => (mark.kind === 'rule' ? mark.rule : null)).find((rule) => rule?.rule === 'repeat');
  if (repeat === undefined) return;
  const tools = [...own, 'tool', 'place'];
  expect(await ask(link, dialect.reachedTools(asked, repeat as RepeatRule), tools, ['ord', 'place'])).toEqual(
    asText(reachedToolsOracle(runs, asked, repeat as RepeatRule), tools),
  );
}

/** Holds rules alone against what they say, all of them asked at once. */
export async function expectRules(link: Link, runs: readonly Run[], rules: readonly Rule[]): Promise<void> {
  const asked: RunsAsked = { by: [], where: [], calls: false };
  const marks = rules.map((rule): Mark => ({ kind: 'rule', rule }));
  const columns = ['ord', ...marks.flatMap((_, index) => [`p${index}`, `b${index}`, `e${index}`])];
  const expected = asText(marksOracle(runs, asked, marks), columns);
  expect(await ask(link, link.dialect.marks(asked, marks), columns)).toEqual(expected);
  // Rules that no run reaches, or all do at once, would tell nothing.
  const places = rules.map((_, index) => new Set(expected.map((row) => row[`p${index}`])).size);
  expect(Math.min(...places), places.join()).toBeGreaterThan(2);
  for (const rule of rules) {
    if (rule.rule !== 'repeat') continue;
    const tools = ['ord', 'tool', 'place'];
    const reached = asText(reachedToolsOracle(runs, asked, rule), tools);
    expect(await ask(link, link.dialect.reachedTools(asked, rule), tools, ['ord', 'place'])).toEqual(reached);
  }
}

const LIMITS = ['tokens', 'seconds', 'usd', 'steps'];

function runColumns({ by, calls }: RunsAsked): string[] {
  return [
    ...['ord', 'id', 'status', 'verdict', 'claim', 'reason', 'kept'],
    ...['stated_passes', 'stated_tokens', 'stated_seconds', 'stated_usd'],
    ...LIMITS.map((limit) => `sum_${limit}`),
    ...['under_passes', 'under_tokens', 'under_seconds', 'under_usd', 'under_steps'],
    ...by.map((_, index) => `l${index}`),
    ...(calls ? ['streak', 'lacks'] : []),
  ];
}
