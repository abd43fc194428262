import type { Fraction } from '../model/decimal.js';
import { METRICS, type Metric } from '../model/limits.js';
import { usageError } from './errors.js';
import { decimalOption } from './numbers.js';

/** What a finished success is worth. */
export interface GoodRunValue {
  readonly metric: Metric;
  /** In the metric's own unit, above zero. */
  readonly value: Fraction;
  /** As typed, for messages. */
  readonly typed: string;
}

/** A number, and what it counts: `2.50usd`, `400_000 tokens`. */
const VALUE = /^([\d._]+(?:e[+-]?\d+)?)\s*([a-z]*)$/i;
const RANGE = { least: 1e-9, most: 1e15 } as const;

/**
 * `--value` as typed.
 *
 * @throws CommandError where it is no amount of something that is spent
 */
export function valueOption(text: string): GoodRunValue {
  const [, number = '', unit = ''] = VALUE.exec(text.trim()) ?? [];
  const metric = METRICS.find((each) => each === unit.toLowerCase());
  if (number === '' || metric === undefined) {
    throw usageError(
      `--value ${text}: ${number === '' ? 'not an amount' : unit === '' ? 'an amount of what?' : `${unit} are not what runs spend`}`,
      `for instance --value 2.50usd, or --value 400000tokens; one of: ${METRICS.join(', ')}`,
    );
  }
  const value = decimalOption('--value', number, { ...RANGE, noun: metric, example: EXAMPLES[metric] });
  return { metric, value, typed: text };
}

const EXAMPLES: Readonly<Record<Metric, string>> = {
  passes: '40passes',
  tokens: '400000tokens',
  seconds: '600seconds',
  usd: '2.50usd',
};
