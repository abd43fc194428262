import * as z from 'zod';

/** What the first line of a mapping file must say. */
export const MAPPING_VERSION = 'map/v1';

/** How the records of a file are laid out. */
export const DOCUMENT_KINDS = ['json', 'jsonl', 'csv'] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

export const TIME_UNITS = ['seconds', 'milliseconds', 'microseconds', 'nanoseconds'] as const;
export type TimeUnit = (typeof TIME_UNITS)[number];

/** Figures that may hold a value which stands for "not measured". */
export const FIGURES = [
  ...['passes', 'tokens', 'seconds', 'usd', 'steps'],
  ...['input_tokens', 'output_tokens', 'cache_read_tokens', 'cache_write_tokens'],
] as const;

const word = z.string().min(1);
/** An expression, or a value that is the same for every run. */
const slot = z.union([word, z.number(), z.boolean()]);
const asked = slot.optional();
const named = z.record(word, slot).optional();
const unknownValues = z.union([z.number(), z.string(), z.array(z.union([z.number(), z.string()]))]).optional();

const totals = z.strictObject({ passes: asked, tokens: asked, seconds: asked, usd: asked });

const pass = z.strictObject({
  input_tokens: asked.describe('all prompt tokens, cached ones included'),
  output_tokens: asked.describe('all tokens answered, reasoning included'),
  cache_read_tokens: asked.describe('a part of input_tokens'),
  cache_write_tokens: asked.describe('a part of input_tokens'),
  seconds: asked.describe('from the start of this pass to the start of the next one'),
  usd: asked,
  steps: asked,
  model: asked,
  time: asked.describe('when the pass started; seconds follow from it'),
  calls: asked.describe('the list of its tool calls'),
});

const call = z.strictObject({
  tool: slot,
  args: asked,
  result: asked,
  error: asked.describe('true or false'),
  args_digest: asked,
  result_digest: asked,
  id: asked.describe('what an event with the result names the call by'),
});

const result = z.strictObject({
  call_id: asked.describe('the id of the call; without it the first call that has no result yet'),
  result: asked,
  error: asked.describe('true or false'),
});

/** The mapping file, version 1: where the runs of a file are, and an expression for each field of the run record. */
export const mappingSchema = z.strictObject({
  capfit: z.literal(MAPPING_VERSION),
  name: z.string().optional(),
  files: z
    .union([word, z.array(word)])
    .optional()
    .describe('glob on the file name; default every file'),
  documents: z.enum(DOCUMENT_KINDS).optional().describe('default: found by content'),
  json_fields: z.array(word).optional().describe('fields or columns whose text is JSON'),
  ids: z.enum(['file', 'everywhere']).optional().describe('where ids are unique; default file'),
  with: z.record(word, word).optional().describe('JSON files beside the one read, by the name of a variable'),
  let: named.describe('asked once of each document, by the name of a variable'),
  runs: asked.describe('the list of runs in a document; default: the document, or the elements of a list'),
  group_by: asked.describe('records with the same key are one run'),
  time_unit: z.enum(TIME_UNITS).optional().describe('of times that are numbers; default seconds'),
  unknown: z
    .strictObject(Object.fromEntries(FIGURES.map((figure) => [figure, unknownValues])))
    .optional()
    .describe('values that stand for "not measured", by figure'),

  id: asked,
  status: asked.describe('done, stopped_budget, halted_error, running, done_verified or done_claimed'),
  check: asked.describe('true, false, a score or a word for passed or failed'),
  check_by: z.enum(['program', 'model']).optional().describe('who gives the verdict; default program'),
  claim: asked.describe('completed, blocked or impossible'),
  reason: asked,
  started_at: asked,
  ended_at: asked.describe('the end of the last pass'),
  labels: named,
  recorded_under: named,
  totals: totals.optional(),

  passes: asked.describe('the list of model calls'),
  events: asked.describe('a flat list of events, model calls among others'),
  pass_when: asked,
  call_when: asked,
  result_when: asked,
  time: asked.describe('when an event happened'),
  time_is: z.enum(['start', 'end']).optional().describe('what the time of a model call is; default start'),
  pass: pass.optional(),
  call: call.optional(),
  result: result.optional(),
});

export type MappingFile = z.infer<typeof mappingSchema>;
/** A text is an expression, a number or a boolean stands for itself. */
export type Slot = z.infer<typeof slot>;

/** Keys that may stand inside a key of the file; `null` where any name may. */
export function knownKeys(path: readonly string[]): readonly string[] | null {
  switch (path[0]) {
    case undefined:
      return Object.keys(mappingSchema.shape);
    case 'totals':
      return Object.keys(totals.shape);
    case 'pass':
      return Object.keys(pass.shape);
    case 'call':
      return Object.keys(call.shape);
    case 'result':
      return Object.keys(result.shape);
    case 'unknown':
      return FIGURES;
    default:
      return null;
  }
}

/** JSON Schema of the mapping file, for editors. */
export function mappingJsonSchema(): object {
  return {
    $id: 'capfit/map.schema.json',
    title: 'capfit mapping file, version 1',
    ...z.toJSONSchema(mappingSchema, { target: 'draft-2020-12', unrepresentable: 'any' }),
  };
}
