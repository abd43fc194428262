import jsonata from 'jsonata';
import { ExactNumber, isJsonObject, type Json } from '../../model/json.js';
import { RecordError } from '../format.js';
import { ExpressionStop, reasonOf, shownExpression } from './expression-faults.js';

/** A JSONata expression that the user wrote, ready to be asked of a value. */
export interface Expression {
  readonly text: string;
  /**
   * The value, or `null` where the expression finds nothing.
   *
   * @throws RecordError when it fails on this value
   */
  evaluate(value: Json, variables?: { readonly [name: string]: Json }): Promise<Json>;
}

/** Longest that one evaluation may take: a loop without end is a mistake to be told, not a reason to hang. */
const LONGEST_MILLIS = 5_000;
/** Deepest that steps of an expression may nest. */
const DEEPEST = 500;

/**
 * Compiles an expression (JSONata 2, docs.jsonata.org). It reads the value that it is asked of and nothing else: no
 * files, no environment, no code out of the data.
 *
 * @param clock milliseconds that only grow
 * @throws RecordError when the text is no expression: where, and why
 */
export function compileExpression(text: string, clock: () => number = () => performance.now()): Expression {
  const compiled = compile(text);
  const limits = boundSteps(compiled, clock);
  return {
    text,
    async evaluate(value, variables = {}) {
      limits.restart();
      try {
        return asJson(await compiled.evaluate(plain(value), plain(variables) as Record<string, unknown>));
      } catch (error) {
        throw new RecordError(
          `the expression ${shownExpression(text)} fails: ${reasonOf(error)}`,
          'correct the expression; docs.jsonata.org tells how they are written',
        );
      }
    },
  };
}

function compile(text: string): jsonata.Expression {
  try {
    const compiled = jsonata(text);
    // With it an expression could run text out of the data.
    compiled.registerFunction('eval', () => {
      throw new ExpressionStop('$eval is not available here');
    });
    return compiled;
  } catch (error) {
    throw new RecordError(
      `${shownExpression(text)} is no JSONata expression: ${reasonOf(error)}`,
      'docs.jsonata.org tells how expressions are written',
    );
  }
}

/** Stops an evaluation that nests or runs without end, through the hooks that JSONata calls around every step. */
function boundSteps(compiled: jsonata.Expression, clock: () => number): { restart(): void } {
  let depth = 0;
  let started = 0;
  const assign = compiled.assign.bind(compiled) as unknown as (name: symbol, hook: () => void) => void;
  assign(Symbol.for('jsonata.__evaluate_entry'), () => {
    depth++;
    if (depth > DEEPEST) throw new ExpressionStop(`it nests more than ${DEEPEST} steps deep`);
    if (clock() - started > LONGEST_MILLIS) throw new ExpressionStop(`it runs longer than ${LONGEST_MILLIS / 1000} s`);
  });
  assign(Symbol.for('jsonata.__evaluate_exit'), () => {
    depth--;
  });
  return {
    restart() {
      depth = 0;
      started = clock();
    },
  };
}

/** JSONata knows doubles only: a number beyond them goes in as its text. */
function plain(value: Json): unknown {
  if (value instanceof ExactNumber) return value.text;
  if (Array.isArray(value)) return value.map(plain);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each)]));
}

/** Results without JSONata's marks on sequences; functions and undefined are nothing. */
function asJson(result: unknown): Json {
  const isFunction =
    typeof result === 'function' || (typeof result === 'object' && result !== null && '_jsonata_lambda' in result);
  if (result === undefined || isFunction) return null;
  return JSON.parse(JSON.stringify(result) ?? 'null') as Json;
}
