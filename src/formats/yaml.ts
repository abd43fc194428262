import { type Document, isNode, LineCounter, parseDocument } from 'yaml';
import type { Problem } from '../model/problem.js';
import { problem } from './format.js';

/** The line at which a value of the file stands. */
export type Locate = (path: readonly PropertyKey[]) => number;

/** What a YAML text holds, keys without a value left out; or why it is no YAML mapping. */
export type YamlReading =
  | { readonly value: { readonly [key: string]: unknown }; readonly locate: Locate; readonly problems: null }
  | { readonly value: null; readonly locate: null; readonly problems: readonly Problem[] };

/** What kind of file a YAML text is, for its messages. */
export interface YamlKind {
  /** The noun: a policy, a mapping. */
  readonly noun: string;
  /** The line that such a file starts with. */
  readonly opening: string;
  /** What to do about bad syntax. */
  readonly syntaxHint: string;
  /** Keys below which `null` is a value and kept. */
  readonly verbatim: readonly string[];
}

/** Reads a YAML text (JSON is YAML) that must be a mapping; every fault of the syntax is told with its line. */
export function readYaml(text: string, file: string, kind: YamlKind): YamlReading {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  if (document.errors.length > 0) {
    const told = document.errors.map((error) =>
      problem(file, lines.linePos(error.pos[0]).line, null, `not YAML: ${error.message}`, kind.syntaxHint),
    );
    return { value: null, locate: null, problems: told };
  }
  let value: unknown;
  try {
    value = withoutNulls(document.toJS({ maxAliasCount: 100 }), kind.verbatim);
  } catch (error) {
    // Aliases that lead nowhere, or that grow without bound.
    const reason = `not YAML: ${(error as Error).message}`;
    return {
      value: null,
      locate: null,
      problems: [problem(file, 1, null, reason, 'write the values out instead of using aliases')],
    };
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    const hint = `a ${kind.noun} file holds keys with their values, and begins with "${kind.opening}"`;
    return { value: null, locate: null, problems: [problem(file, 1, null, `the file holds no ${kind.noun}`, hint)] };
  }
  const locate: Locate = (path) => lineOf(document, lines, path);
  const forbidden = pathsTo(FORBIDDEN, value);
  if (forbidden.length > 0) {
    const reason = `${FORBIDDEN} is no name that can be given`;
    const told = forbidden.map((path) => problem(file, locate(path), null, reason, 'choose another name'));
    return { value: null, locate: null, problems: told };
  }
  return { value: value as { readonly [key: string]: unknown }, locate, problems: null };
}

/** A key under which objects keep what they inherit; what stands there would be lost on the way. */
const FORBIDDEN = '__proto__';

/** All places at which an object has a key. */
function pathsTo(wanted: string, value: unknown): PropertyKey[][] {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, each]) => [
    ...(key === wanted ? [[key]] : []),
    ...pathsTo(wanted, each).map((path) => [key, ...path]),
  ]);
}

/** An empty value in YAML is `null`: a key without a value is like one that is absent. */
function withoutNulls(value: unknown, verbatim: readonly string[]): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((each: unknown) => withoutNulls(each, verbatim));
  const known = Object.entries(value).filter(([, each]) => each !== null);
  return Object.fromEntries(
    known.map(([key, each]) => [key, verbatim.includes(key) ? each : withoutNulls(each, verbatim)]),
  );
}

/** The line of the node at a path, or of its nearest ancestor that is written in the file. */
function lineOf(document: Document, lines: LineCounter, path: readonly PropertyKey[]): number {
  for (let length = path.length; length >= 0; length--) {
    const node: unknown = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range != null) return lines.linePos(node.range[0]).line;
  }
  return 1;
}
