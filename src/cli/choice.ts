import { nearest } from '../formats/nearest.js';
import { usageError } from './errors.js';

/** What to do about a word that is none of those known: the nearest one, and all of them. */
export function choiceHint(typed: string, known: readonly string[]): string {
  return `${didYouMean(typed, known)}One of: ${known.join(', ')}`;
}

/** The same as a sentence by itself. */
export function choiceSentence(typed: string, known: readonly string[]): string {
  return choiceHint(typed, known).replace(/^d/, 'D');
}

/** `did you mean tokens? `, or nothing where no known word is near. */
export function didYouMean(typed: string, known: readonly string[]): string {
  const near = nearest(typed, known);
  return near === null ? '' : `did you mean ${near}? `;
}

/**
 * The known word that was typed for a flag.
 *
 * @throws CommandError with the nearest of them, and all
 */
export function choiceOption<Word extends string>(flag: string, typed: string, known: readonly Word[]): Word {
  const found = known.find((word) => word === typed);
  if (found === undefined) throw usageError(`${flag} ${typed}: unknown`, choiceHint(typed, known));
  return found;
}
