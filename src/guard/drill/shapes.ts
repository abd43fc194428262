import type { Json } from '../../model/json.js';

/** What every report must carry, whatever the exit; `null` where there is none. */
export const REQUIRED_FIELDS = [
  'status',
  'reason',
  'passes',
  'tokens',
  'seconds',
  'transcript_id',
  'answer',
  'check_output',
  'partial_work',
] as const;

interface Shape {
  readonly isRight: (value: Json) => boolean;
  readonly words: string;
}

const ANYTHING: Shape = { isRight: () => true, words: 'there; null where there is none' };
const COUNT: Shape = {
  isRight: (value) => value === null || (Number.isSafeInteger(value) && Number(value) >= 0),
  words: 'a whole number, or null where it is not known',
};
const WORD: Shape = { isRight: (value) => typeof value === 'string' && value !== '', words: 'a text' };

/** What kind of value a field holds, where a scenario does not say which one. */
export const FIELD_SHAPES: { readonly [field in (typeof REQUIRED_FIELDS)[number]]: Shape } = {
  status: WORD,
  reason: { isRight: (value) => value === null || WORD.isRight(value), words: 'a text, or null where there is none' },
  passes: COUNT,
  tokens: COUNT,
  seconds: {
    isRight: (value) => value === null || (typeof value === 'number' && value >= 0),
    words: 'a number of seconds, or null where it is not known',
  },
  transcript_id: {
    isRight: (value) => value === null || WORD.isRight(value),
    words: 'a text, or null where there is none',
  },
  answer: ANYTHING,
  check_output: ANYTHING,
  partial_work: ANYTHING,
};
