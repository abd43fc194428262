import type { RunCondition } from '../calibrate/questions.js';
import type { Run } from '../model/run.js';
import { usageError } from './errors.js';

/** One `--where`. */
export type Condition = RunCondition;

/** What conditions may ask of a run. */
export type Asked = Pick<Run, 'id' | 'status' | 'check' | 'reason' | 'claim' | 'labels'>;

/** Fields of the run that conditions may name where no label of that name is set. */
export const FIELDS: ReadonlyMap<string, (run: Asked) => string | null> = new Map([
  ['id', (run: Asked) => run.id],
  ['status', (run: Asked) => run.status],
  ['check', (run: Asked) => run.check],
  ['reason', (run: Asked) => run.reason],
  ['claim', (run: Asked) => run.claim],
]);

/** Reads `label=value` or `label!=value`. */
export function parseCondition(text: string): Condition {
  const match = /^([^=!]+)(!?)=(.*)$/s.exec(text);
  if (match === null)
    throw usageError(`--where ${text}: not a condition`, 'for instance --where task_type=refund, or task_type!=refund');
  const [, name = '', negation, value = ''] = match;
  return { name, value, negated: negation === '!' };
}

/** Whether a run meets all conditions. A label that a run lacks equals nothing. */
export function meets(run: Asked, conditions: readonly Condition[]): boolean {
  return conditions.every(({ name, value, negated }) => (askedOf(run, name) === value) !== negated);
}

/** What a run has where a condition names a label or a field; `null`: nothing. */
export function askedOf(run: Asked, name: string): string | null {
  return run.labels.get(name) ?? FIELDS.get(name)?.(run) ?? null;
}
