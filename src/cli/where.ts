import type { Run } from '../model/run.js';
import { usageError } from './errors.js';

/** One `--where`: a label, or a field of the run, equal or unequal to a text. */
export interface Condition {
  readonly name: string;
  readonly value: string;
  readonly negated: boolean;
}

/** What conditions may ask of a run. */
type Asked = Pick<Run, 'id' | 'status' | 'check' | 'reason' | 'claim' | 'labels'>;

/** Fields of the run that conditions may name where no label of that name is set. */
const FIELDS: Readonly<Record<string, (run: Asked) => string | null>> = {
  id: (run) => run.id,
  status: (run) => run.status,
  check: (run) => run.check,
  reason: (run) => run.reason,
  claim: (run) => run.claim,
};

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
  return conditions.every(({ name, value, negated }) => {
    const found = run.labels.get(name) ?? FIELDS[name]?.(run) ?? null;
    return negated ? found !== value : found === value;
  });
}
