import { type Json, stringifyJson } from '../../model/json.js';
import type { Place, Problem } from '../../model/problem.js';
import { documentProblem, readDocument, readJsonLines } from '../document.js';
import { nameOfFolder } from '../file-name.js';
import { isProblem, problem, RecordError, type Source } from '../format.js';
import { listOf, type Scope } from './mapping-ask.js';
import { documentsOf, type MappedDocument, withParsedFields } from './mapping-documents.js';
import type { Mapping } from './mapping-plan.js';
import { wordOf } from './mapping-values.js';

/** What one run is made of: a record, or the records of one key as a list. */
export interface MappedRecord {
  readonly kind: 'record';
  readonly value: Json;
  readonly place: Place;
  /** Where in its document it stands, such as `runs[3]`; empty where the place says enough. */
  readonly path: string;
  readonly raw: string | null;
  readonly scope: Scope;
  /** What records of this run have in common; `null` where they are not grouped. */
  readonly key: string | null;
  /** Whether a record that could not be read may have been one of this run. */
  readonly isDamaged: boolean;
}

/** The records of a source, one for each run, with a problem for each that cannot be had. */
export async function* recordsOf(source: Source, mapping: Mapping): AsyncGenerator<MappedRecord | Problem> {
  const scope: { [name: string]: Json } = {
    file: nameWithoutEnding(source.name),
    folder: nameOfFolder(source.name),
  };
  let isDamaged = false;
  for (const [name, path] of mapping.neighbours) {
    const beside = await neighbour(source, path, scope);
    scope[name] = beside.value;
    isDamaged ||= beside.problems.length > 0;
    yield* beside.problems;
  }
  const singles = singleRecords(source, mapping, scope, isDamaged);
  yield* mapping.groupBy === null ? singles : grouped(singles, mapping, isDamaged);
}

/** The name of a file without folder and ending, or `null` for a stream. */
function nameWithoutEnding(path: string): string | null {
  const base = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  const name = base.replace(/\.(?:gz|zst)$/, '').replace(/(?<=.)\.[A-Za-z]\w{0,9}$/, '');
  return name === '' || name.startsWith('<') ? null : name;
}

interface Beside {
  readonly value: Json;
  readonly problems: readonly Problem[];
}

/** The content of a file beside the source; `null` where there is none. Lines of JSON are a list. */
async function neighbour(source: Source, path: string, scope: Scope): Promise<Beside> {
  const names = path.replace(/\{(file|folder)\}/g, (_, name: string) => String(scope[name] ?? ''));
  const opened = await source.around.open(names);
  if (opened === null) return { value: null, problems: [] };
  if (!/\.(?:jsonl|ndjson)$/.test(path)) {
    try {
      return { value: await readDocument(opened), problems: [] };
    } catch (error) {
      return { value: null, problems: [documentProblem(opened, error)] };
    }
  }
  const value: Json[] = [];
  const problems: Problem[] = [];
  for await (const item of readJsonLines(opened)) {
    if (isProblem(item)) problems.push(item);
    else value.push(item.value);
  }
  return { value, problems };
}

async function* singleRecords(
  source: Source,
  mapping: Mapping,
  shared: Scope,
  isDamaged: boolean,
): AsyncGenerator<MappedRecord | Problem> {
  let index = 0;
  let isWanting = false;
  for await (const document of documentsOf(source, mapping)) {
    const records = isProblem(document) ? [document] : await recordsIn(source, document, mapping, shared);
    isWanting ||= records === null;
    for (const record of records ?? []) {
      yield isProblem(record) ? record : { ...record, scope: { ...record.scope, index }, isDamaged };
      index++;
    }
  }
  // Lines of other kinds hold no run, but a file should.
  if (isWanting && index === 0) {
    const hint = 'correct runs, or keep the file out with files';
    yield problem(source.name, null, null, 'runs finds nothing in the file', hint);
  }
}

/** The runs of one document, or what keeps them from being found; `null` where `runs` finds nothing. */
async function recordsIn(
  source: Source,
  document: MappedDocument,
  mapping: Mapping,
  shared: Scope,
): Promise<readonly (MappedRecord | Problem)[] | null> {
  const place = { file: source.name, line: document.line };
  const scope: { [name: string]: Json } = { ...shared, line: document.line };
  let values: readonly Json[] | null;
  try {
    for (const [name, ask] of mapping.lets) scope[name] = await ask.of(document.value, scope);
    values = await valuesIn(document, mapping, scope);
  } catch (error) {
    return [problemOf(error, place, '', document.raw)];
  }
  const isOne = values?.length === 1 && document.line !== null;
  const records = values?.map((value, index): MappedRecord | Problem => {
    const path = isOne || value === document.value ? '' : `runs[${index}]: `;
    const raw = isOne ? document.raw : null;
    try {
      const parsed = withParsedFields(value, mapping.jsonFields);
      return { kind: 'record', value: parsed, place, path, raw, scope, key: null, isDamaged: false };
    } catch (error) {
      return problemOf(error, place, path, raw ?? textOf(value));
    }
  });
  return records ?? null;
}

/** What `runs` gives; without it the document itself, or the elements of a document that is a list. */
async function valuesIn(
  { value, line }: MappedDocument,
  mapping: Mapping,
  scope: Scope,
): Promise<readonly Json[] | null> {
  if (mapping.runs !== null) return listOf(await mapping.runs.of(value, scope));
  return line === null && Array.isArray(value) ? value : [value];
}

function problemOf(error: unknown, { file, line }: Place, path: string, raw: string | null): Problem {
  if (!(error instanceof RecordError)) throw error;
  return problem(file, line, raw, `${path}${error.message}`, error.hint);
}

/** A value as text for quarantine; `null` where it is nested too deeply to be written. */
export function textOf(value: Json): string | null {
  try {
    return stringifyJson(value);
  } catch {
    return null;
  }
}

/** Records of one key as one, in the order in which the keys come first. All records are held until the last. */
async function* grouped(
  records: AsyncIterable<MappedRecord | Problem>,
  mapping: Mapping,
  isBesideDamaged: boolean,
): AsyncGenerator<MappedRecord | Problem> {
  const groups = new Map<string, { readonly first: MappedRecord; readonly values: Json[] }>();
  let isDamaged = isBesideDamaged;
  for await (const record of records) {
    if (isProblem(record)) {
      isDamaged = true;
      yield record;
      continue;
    }
    try {
      const key = await keyOf(record, mapping);
      const group = groups.get(key);
      if (group === undefined) groups.set(key, { first: record, values: [record.value] });
      else group.values.push(record.value);
    } catch (error) {
      isDamaged = true;
      yield problemOf(error, record.place, record.path, record.raw);
    }
  }
  let index = 0;
  for (const [key, { first, values }] of groups) {
    const scope = { ...first.scope, index: index++ };
    yield { ...first, value: values, raw: null, key, path: '', scope, isDamaged };
  }
}

async function keyOf({ value, scope }: MappedRecord, mapping: Mapping): Promise<string> {
  const key = wordOf((await mapping.groupBy?.of(value, scope)) ?? null, 'group_by');
  if (key !== null) return key;
  throw new RecordError('group_by gives no key for this record', 'choose a field that every record has');
}
