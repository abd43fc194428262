import { csvPasses, csvSummary } from './csv/csv.js';
import type { Format } from './format.js';
import { jsonArray } from './json-array.js';
import { jsonl } from './jsonl.js';

/** capfit's own kinds of input, which are asked before all others whether a file is theirs. */
export const OWN_FORMATS: readonly Format[] = [
  // An array may hold a record a line, and its last line is one without a comma: it is asked first.
  jsonArray,
  jsonl,
  csvPasses,
  csvSummary,
];

/** The first of these formats that claims the head of a file, or `null`. */
export function detectAmong(formats: readonly Format[], head: Uint8Array): Format | null {
  const text = new TextDecoder('utf-8').decode(head);
  return formats.find((format) => format.detect(text)) ?? null;
}
