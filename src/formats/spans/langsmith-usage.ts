import { addDecimals } from '../../model/decimal.js';
import { ExactNumber, isJsonObject, type Json } from '../../model/json.js';
import { quote } from '../fields.js';
import { RecordError } from '../format.js';
import type { Usage } from './span.js';
import { usageOfBuckets } from './token-buckets.js';

/*
 * Tokens and dollars of one LangSmith run. Input tokens are "the sum of all input token types" and output tokens likewise
 * (UsageMetadata in python/langsmith/schemas.py at bc8dd672), so cache and reasoning are inside; a total that says
 * otherwise goes before, see token-buckets.ts. 0 is what the API writes where nothing was measured.
 */

type JsonObject = { readonly [key: string]: Json };

const INPUT = ['prompt_tokens', 'input_tokens', 'promptTokens', 'inputTokens'];
const OUTPUT = ['completion_tokens', 'output_tokens', 'completionTokens', 'outputTokens'];
const TOTAL = ['total_tokens', 'totalTokens'];
const INPUT_DETAILS = ['prompt_token_details', 'input_token_details', 'prompt_tokens_details', 'input_tokens_details'];
const CACHE_READ = ['cache_read', 'cached_tokens', 'cache_read_input_tokens'];
const CACHE_WRITE = ['cache_creation', 'cache_write', 'cache_creation_input_tokens'];
const CACHE_WRITE_LIVES = ['ephemeral_5m_input_tokens', 'ephemeral_1h_input_tokens'];

/** What a run used; of a model run also by what its provider answered. `null` where nothing was measured. */
export function usageOfRun(run: JsonObject, isModelCall: boolean, path: string): Usage | null {
  for (const place of isModelCall ? [...ROLLED_UP, ...ANSWERED] : ROLLED_UP) {
    const found = objectAt(run, place);
    const usage = found === null ? null : usageOf(found, [path, ...place].join('.'));
    if (usage !== null) return usage;
  }
  return null;
}

/** LangSmith's own figures; on a run that is no model call they are the sum of those below it. */
const ROLLED_UP: readonly (readonly string[])[] = [[], ['token_usage']];
/** What the tracer was told by the model, where the export lacks LangSmith's own figures. */
const ANSWERED = [
  ['usage_metadata'],
  ['extra', 'metadata', 'usage_metadata'],
  ['outputs', 'usage_metadata'],
  ['outputs', 'usage'],
  ['outputs', 'llm_output', 'token_usage'],
  ['outputs', 'llm_output', 'usage'],
  ['outputs', 'generations', '0', '0', 'message', 'kwargs', 'usage_metadata'],
  ['outputs', 'generations', '0', '0', 'message', 'usage_metadata'],
];

function objectAt(run: JsonObject, place: readonly string[]): JsonObject | null {
  let value: Json | undefined = run;
  for (const key of place) {
    if (Array.isArray(value)) value = (value as readonly Json[])[Number(key)];
    else value = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return isJsonObject(value) ? value : null;
}

function usageOf(counts: JsonObject, path: string): Usage | null {
  const first = (from: JsonObject, names: readonly string[], at: string): number | null => {
    const name = names.find((each) => from[each] !== undefined && from[each] !== null);
    return name === undefined ? null : countOf(from[name], `${at}.${name}`);
  };
  const name = INPUT_DETAILS.find((each) => isJsonObject(counts[each])) ?? '';
  const found = objectAt(counts, [name]) ?? {};
  const details = isJsonObject(found.raw) ? found.raw : found;
  const lives = CACHE_WRITE_LIVES.map((each) => first(details, [each], `${path}.${name}`) ?? 0).reduce((a, b) => a + b);
  const write = first({ ...counts, ...details }, CACHE_WRITE, `${path}.${name}`);
  return usageOfBuckets({
    input: first(counts, INPUT, path) || null,
    output: first(counts, OUTPUT, path) || null,
    total: first(counts, TOTAL, path) || null,
    cacheRead: first({ ...counts, ...details }, CACHE_READ, `${path}.${name}`),
    // One of the two ways of telling the writes may be 0 where the other is used.
    cacheWrite: write === null && lives === 0 ? null : Math.max(write ?? 0, lives),
    otherInput: 0,
    outputParts: 0,
    others: 0,
    inside: true,
  });
}

function countOf(value: Json | undefined, path: string): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new RecordError(
    `${path} is ${quote(value)}`,
    `${path} must be a whole number, 0 or more; leave it out where it is not known`,
  );
}

/** Dollars of one run: `total_cost`, else its two parts. 0 stands for a model without a price and is not known. */
export function usdOfRun(run: JsonObject, path: string): number | null {
  for (const place of [[], ['costs'], ['usage_metadata'], ['extra', 'metadata', 'usage_metadata']]) {
    const costs = objectAt(run, place);
    if (costs === null) continue;
    const at = [path, ...place].join('.');
    const read = (name: string): number => dollarsOf(costs[name], `${at}.${name}`);
    const whole = read('total_cost') || addDecimals(read('prompt_cost'), read('completion_cost'));
    if (whole > 0) return whole;
  }
  return null;
}

/** The API writes dollars as texts, so that no digit is lost. */
function dollarsOf(value: Json | undefined, path: string): number {
  if (value === undefined || value === null || value === '') return 0;
  const text = value instanceof ExactNumber ? value.text : value;
  const dollars = typeof text === 'string' ? Number(text) : text;
  if (typeof dollars === 'number' && Number.isFinite(dollars) && dollars >= 0) return dollars;
  throw new RecordError(
    `${path} is ${quote(value)}`,
    `${path} must be a number of dollars, 0 or more; leave it out where it is not known`,
  );
}
