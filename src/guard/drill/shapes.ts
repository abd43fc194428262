import { toAtoms } from '../../model/atoms.js';
import { ExactNumber, type Json } from '../../model/json.js';

/** What kind of value a field holds. */
export interface Shape {
  readonly isRight: (value: Json) => boolean;
  readonly words: string;
}

const ANYTHING: Shape = { isRight: () => true, words: 'there, and null where there is none' };
const COUNT: Shape = {
  isRight: (value) => value === null || (Number.isSafeInteger(value) && Number(value) >= 0),
  words: 'a whole number, or null where it is not known',
};

/**
 * What every report must carry beside `status` and `reason`, whatever the exit: held against its kind where a scenario
 * does not say the value.
 */
export const CARRIED: { readonly [field: string]: Shape } = {
  passes: COUNT,
  tokens: COUNT,
  seconds: {
    isRight: (value) => value === null || (isNumber(value) && toAtoms('seconds', value) !== null),
    words: 'a number of seconds, or null where it is not known',
  },
  transcript_id: {
    isRight: (value) => value === null || (typeof value === 'string' && value !== ''),
    words: 'a text, or null where there is none',
  },
  answer: ANYTHING,
  check_output: ANYTHING,
  partial_work: ANYTHING,
};

function isNumber(value: Json): value is number | ExactNumber {
  return typeof value === 'number' || value instanceof ExactNumber;
}
