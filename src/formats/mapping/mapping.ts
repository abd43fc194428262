import type { Problem } from '../../model/problem.js';
import type { Run } from '../../model/run.js';
import {
  type Format,
  isProblem,
  problem,
  type Reading,
  type ReadingOptions,
  RecordError,
  type Source,
} from '../format.js';
import { kindOf } from './mapping-documents.js';
import type { Mapping } from './mapping-plan.js';
import { type MappedRecord, recordsOf, textOf } from './mapping-records.js';
import { runOfMapped } from './mapping-run.js';
import { watched } from './mapping-watch.js';

/*
 * Recordings of any shape, as JSON, JSON lines or CSV, read as a mapping file says (docs/mapping.md): where the runs
 * are, and an expression (JSONata) for each field of the run record. Which field a number comes from stands in the
 * mapping file; docs/mappings/ holds examples that were tried on public recordings.
 */

export { type MappingReading, readMapping } from './mapping-file.js';
export type { Mapping } from './mapping-plan.js';
export { mappingJsonSchema } from './mapping-schema.js';

/** The format that a mapping file describes. */
export function mappedFormat(mapping: Mapping): Format {
  return {
    id: 'map',
    description: mapping.name ?? 'recordings that a mapping file describes',
    ...(mapping.areIdsLocal ? { localIds: true as const } : {}),
    detect: (head) => isOfKind(mapping, head),
    read: (source, options) => readMapped(mapping, source, options),
  };
}

/** Whether the mapping is meant for a file of this name; what it holds is not looked at. */
export function appliesTo(mapping: Mapping, path: string): boolean {
  return mapping.files === null || mapping.files.some((glob) => matches(glob, path));
}

/** The user says what the files are, so a file in which some record is broken is still one of them. */
function isOfKind({ documents }: Mapping, head: string): boolean {
  const kind = kindOf(head);
  if (kind === null) return false;
  if (documents === 'json') return kind !== 'csv';
  if (documents === 'jsonl') return /^\s*[[{]/m.test(head);
  // Prose is not told from a table by anything but its commas.
  return documents === 'csv' || kind !== 'csv' || /^.*,/.test(head.trimStart());
}

/** Compares as many parts of the path, from its end, as the glob has; the ending of a packed file does not count. */
function matches(glob: string, path: string): boolean {
  const wanted = glob.split('/');
  const parts = path
    .replace(/\.(?:gz|zst)$/, '')
    .split(/[/\\]/)
    .slice(-wanted.length);
  return wanted.length === parts.length && wanted.every((part, index) => patternOf(part).test(parts[index] ?? ''));
}

/** `*` is any text, `?` one character, `{a,b}` one of several. */
function patternOf(glob: string): RegExp {
  const source = glob
    .replace(/[\\^$.|+()[\]]/g, '\\$&')
    .replace(/\*+/g, '[^]*')
    .replace(/\?/g, '[^]');
  const choices = source.replace(/\{([^{}]*)\}/g, (_, list: string) => `(?:${list.replaceAll(',', '|')})`);
  return new RegExp(`^${choices.replace(/[{}]/g, '\\$&')}$`);
}

async function* readMapped(mapping: Mapping, source: Source, options: ReadingOptions): Reading {
  const watch = watched(mapping);
  for await (const record of recordsOf(source, watch.mapping)) {
    yield isProblem(record) ? record : await runOrProblem(record, watch.mapping, options);
  }
  options.onTallies?.(watch.tallies(source.name));
}

async function runOrProblem(record: MappedRecord, mapping: Mapping, options: ReadingOptions): Promise<Run | Problem> {
  try {
    return await runOfMapped(record, mapping, options);
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    const { file, line } = record.place;
    return problem(file, line, record.raw ?? textOf(record.value), `${record.path}${error.message}`, error.hint);
  }
}
