import { isJsonObject, type Json } from '../../model/json.js';
import { RecordError } from '../format.js';
import { compileExpression } from '../verdicts/expression.js';
import { plainQuestion, type Scope, UNDECIDED } from './mapping-path.js';
import type { Slot } from './mapping-schema.js';
import { freeNames } from './mapping-variables.js';

export type { Scope } from './mapping-path.js';

/** What a mapping asks of a record, a pass, an event or a call. */
export interface Ask {
  /** The key of the mapping file that it stands under, for messages. */
  readonly key: string;
  /** The expression; `null` for a value that is the same for every run. */
  readonly text: string | null;
  /** Names behind `$` that it uses. */
  readonly names: ReadonlySet<string>;
  /**
   * The value, or `null` where the expression finds nothing.
   *
   * @throws RecordError when the expression fails on this value
   */
  of(value: Json, scope: Scope): Promise<Json>;
}

/**
 * Compiles what a key of the mapping file holds.
 *
 * @throws RecordError when it is no expression
 */
export function compileAsk(key: string, slot: Slot): Ask {
  if (typeof slot !== 'string') return { key, text: null, names: new Set(), of: () => Promise.resolve(slot) };
  const text = slot.trim();
  const fault = (error: RecordError): RecordError =>
    new RecordError(`${key}: ${error.message.replace(/\s+/g, ' ')}`, error.hint);
  const expression = orFault(() => compileExpression(text), fault);
  const names = freeNames(text);
  const plain = plainQuestion(text);
  return {
    key,
    text,
    names,
    async of(value, scope) {
      const found = plain === null ? UNDECIDED : plain(value, scope);
      if (found !== UNDECIDED) return found;
      // Variables are copied at every evaluation: only those that are used. What is not known is no null to JSONata,
      // which counts one, but nothing.
      const used = Object.fromEntries(Object.entries(scope).filter(([name, each]) => each !== null && names.has(name)));
      try {
        return await expression.evaluate(value, used);
      } catch (error) {
        throw error instanceof RecordError ? fault(error) : error;
      }
    },
  };
}

function orFault<Value>(make: () => Value, fault: (error: RecordError) => RecordError): Value {
  try {
    return make();
  } catch (error) {
    throw error instanceof RecordError ? fault(error) : error;
  }
}

/** A list as it is, one value as a list of one (JSONata makes no difference), nothing as `null`. */
export function listOf(value: Json): readonly Json[] | null {
  if (value === null) return null;
  return Array.isArray(value) ? value : [value];
}

/** Whether what a condition gives means yes, as JSONata's $boolean does; the text "false" of a table means no. */
export function isYes(value: Json): boolean {
  if (typeof value === 'string') return value !== '' && value.toLowerCase() !== 'false';
  if (Array.isArray(value)) return value.some(isYes);
  if (isJsonObject(value)) return Object.keys(value).length > 0;
  return value !== null && value !== false && value !== 0;
}
