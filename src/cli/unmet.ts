import { nearest } from '../formats/nearest.js';
import { shownValue } from '../model/words.js';
import { nameText } from '../report/escape.js';
import { didYouMean } from './choice.js';
import { type Asked, askedOf, type Condition, FIELDS } from './where.js';

/** What runs have that meet no `--where`, so that a mistyped one can be told from one that is true of none. */
export interface Unmet {
  see(run: Asked): void;
  /** What to do about it. */
  hint(): string;
}

/** Beyond these, more runs tell nothing new. */
const MOST_RUNS = 10_000;
const MOST_WORDS = 1000;
const SHOWN = 20;

export function createUnmet(conditions: readonly Condition[]): Unmet {
  const labels = new Set<string>();
  const asked = conditions.map((condition) => ({ condition, values: new Set<string>() }));
  let seen = 0;
  return {
    see(run) {
      if (seen++ >= MOST_RUNS) return;
      for (const label of run.labels.keys()) note(labels, label);
      for (const { condition, values } of asked) {
        const value = askedOf(run, condition.name);
        if (value !== null) note(values, value);
      }
    },
    hint() {
      const missed = asked.find(({ condition: { value, negated }, values }) => !negated && !values.has(value));
      if (missed !== undefined) return hintOf(missed.condition, [...missed.values], [...labels]);
      return conditions.length > 1
        ? 'some runs meet each of them, and none meets all'
        : 'check the label and its value';
    },
  };
}

function note(words: Set<string>, word: string): void {
  if (words.size < MOST_WORDS) words.add(word);
}

/** @param values what the runs have of the label that the condition names */
function hintOf({ name, value }: Condition, values: readonly string[], labels: readonly string[]): string {
  if (values.length > 0) {
    const near = nearest(value, values);
    const meant = near === null ? '' : `did you mean ${nameText(name)}=${nameText(shownValue(near))}? `;
    return `${meant}Values of ${nameText(name)} in these runs: ${listed(values.map(shownValue))}`;
  }
  const meant = didYouMean(name, [...labels, ...FIELDS.keys()]);
  const known = labels.length === 0 ? 'the runs carry no labels' : `labels of these runs: ${listed(labels)}`;
  return `no run has the label ${nameText(name)}; ${meant}${meant === '' ? known : capitalized(known)}`;
}

function listed(words: readonly string[]): string {
  const shown = words.slice(0, SHOWN).map((word) => nameText(word));
  return words.length > SHOWN ? `${shown.join(', ')}, …` : shown.join(', ');
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
