import type { Format } from '../formats/format.js';
import { detectFormat, FORMATS, findFormat, formatOfLine } from '../formats/index.js';
import { withStranger } from '../formats/stranger.js';
import type { Problem } from '../model/problem.js';
import { choiceHint } from './choice.js';
import { type CommandError, fileError, usageError } from './errors.js';
import { type Input, STDIN } from './expand.js';
import type { MappedInput } from './mapping-option.js';
import { parquet } from './parquet-format.js';

/** What `--from` may say. */
export const FORMAT_IDS: readonly string[] = [...FORMATS, parquet].map(({ id }) => id);

/** What an input is read as. */
export interface Recognised {
  readonly format: Format;
  /** Who says so: the user, the content, or, where no format claims the content, the name alone. */
  readonly by: 'user' | 'content' | 'name';
}

/** The format asked for, else by content, else by the ending of a file that the user named: its faults have lines. */
export function recognise(
  input: Input,
  from: string | null,
  mapped: MappedInput | null,
  head: Uint8Array,
): Recognised | null {
  if (mapped !== null) return found(mappedFormatOf(input, mapped, head), 'user');
  if (from !== null) return found(formatNamed(from), 'user');
  if (parquet.detect(new TextDecoder('latin1').decode(head.subarray(0, 4)))) return found(parquet, 'content');
  return found(detectFormat(head), 'content') ?? found(formatByName(input), 'name');
}

function found(format: Format | null, by: Recognised['by']): Recognised | null {
  return format === null ? null : { format, by };
}

function formatNamed(id: string): Format {
  const format = id === parquet.id ? parquet : findFormat(id);
  if (format !== null) return format;
  throw usageError(`--from ${id}: no such format`, choiceHint(id, FORMAT_IDS));
}

function formatByName(input: Input): Format | null {
  if (!input.named) return null;
  const ending = /\.(jsonl|ndjson|csv|tsv)(?:\.(?:gz|zst))?$/i.exec(input.path)?.[1]?.toLowerCase();
  if (ending === 'csv' || ending === 'tsv') return findFormat('csv');
  return ending !== undefined || input.path === STDIN ? findFormat('jsonl') : null;
}

/** The mapping's format where it is meant for a file of this name and content; the others are listed as not read. */
function mappedFormatOf(input: Input, mapped: MappedInput, head: Uint8Array): Format | null {
  if (!(input.path === STDIN || mapped.appliesTo(input.path))) return null;
  return mapped.format.detect(new TextDecoder().decode(head)) ? mapped.format : null;
}

/** A bad record with the advice that its format may be another: the reader's own advice is for the one it knows. */
export function withAdvice(bad: Problem, { format, by }: Recognised): Problem {
  const advised = withStranger(bad, format.id, formatOfLine);
  if (by !== 'name') return advised;
  const hint = `${advised.hint}; no format claims the file by its content, so it is read as ${format.id}: --from names another`;
  return { ...advised, hint };
}

/** A file that the user named and no format claims. */
export function unrecognised(name: string, head: Uint8Array): CommandError {
  const isBinary = head.includes(0);
  return fileError(
    `${name}: not recognised as recorded runs`,
    isBinary
      ? 'the content is binary; capfit reads text, plain or packed with gzip or zstd'
      : `known formats: ${[...FORMATS, parquet].map((format) => `${format.id} (${format.description})`).join('; ')}; --from names one`,
  );
}
