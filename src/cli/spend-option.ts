import { METRICS, type Metric } from '../model/limits.js';
import { choiceOption } from './choice.js';

/**
 * `--spend` as typed: what is weighed against false stops; `null` where it was left out.
 *
 * @throws CommandError where it names nothing that runs spend
 */
export function spendOption(name: string | undefined): Metric | null {
  return name === undefined ? null : choiceOption('--spend', name, METRICS);
}
