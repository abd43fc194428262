import type { Format, Source } from '../formats/format.js';
import { detectAmong, OWN_FORMATS } from '../formats/own.js';
import { choiceHint } from './choice.js';
import { usageError } from './errors.js';
import { type Input, STDIN } from './expand.js';
import type { MappedInput } from './mapping-option.js';
import { parquet } from './parquet-format.js';

/** What an input is read as. */
export interface Recognised {
  readonly format: Format;
  /** Who says so: the user, the content, or, where no format claims the content, the name alone. */
  readonly by: 'user' | 'content' | 'name';
  /** What its sources are given as `formatOf`. Our own readers do not ask, so that theirs need not know all formats. */
  readonly formatOf?: NonNullable<Source['formatOf']>;
}

/** The format asked for, else by content, else by the ending of a file that the user named: its faults have lines. */
export async function recognise(
  input: Input,
  from: string | null,
  mapped: MappedInput | null,
  head: Uint8Array,
): Promise<Recognised | null> {
  if (mapped !== null) return found(mappedFormatOf(input, mapped, head), 'user');
  if (from !== null) return found(await formatNamed(from), 'user');
  if (parquet.detect(new TextDecoder('latin1').decode(head.subarray(0, 4)))) return found(parquet, 'content');
  return (await found(await formatByContent(head), 'content')) ?? found(formatByName(input), 'name');
}

/** Whether a format is one of our own, whose readers are always there. */
export function isOwn(format: Format): boolean {
  return OWN_FORMATS.includes(format);
}

async function found(format: Format | null, by: Recognised['by']): Promise<Recognised | null> {
  if (format === null) return null;
  if (isOwn(format)) return { format, by };
  return { format, by, formatOf: (await import('./all-formats.js')).formatOfLine };
}

/** Our own formats are asked first of all, so that the others are loaded only for what is none of them. */
async function formatByContent(head: Uint8Array): Promise<Format | null> {
  return detectAmong(OWN_FORMATS, head) ?? (await import('./all-formats.js')).detectFormat(head);
}

async function formatNamed(id: string): Promise<Format> {
  const own = ownFormat(id);
  if (own !== null) return own;
  const { ALL_FORMATS, FORMAT_IDS } = await import('./all-formats.js');
  const format = ALL_FORMATS.find((each) => each.id === id);
  if (format !== undefined) return format;
  throw usageError(`--from ${id}: no such format`, choiceHint(id, FORMAT_IDS));
}

function ownFormat(id: string): Format | null {
  return OWN_FORMATS.find((format) => format.id === id) ?? null;
}

function formatByName(input: Input): Format | null {
  if (!input.named) return null;
  const ending = /\.(jsonl|ndjson|csv|tsv)(?:\.(?:gz|zst))?$/i.exec(input.path)?.[1]?.toLowerCase();
  if (ending === 'csv' || ending === 'tsv') return ownFormat('csv');
  return ending !== undefined || input.path === STDIN ? ownFormat('jsonl') : null;
}

/** The mapping's format where it is meant for a file of this name and content; the others are listed as not read. */
function mappedFormatOf(input: Input, mapped: MappedInput, head: Uint8Array): Format | null {
  if (!(input.path === STDIN || mapped.appliesTo(input.path))) return null;
  return mapped.format.detect(new TextDecoder().decode(head)) ? mapped.format : null;
}
