import { canonical } from './canonical.js';
import type { Chunk, PackedColumn } from './chunk.js';
import { createDictionary } from './dictionary.js';
import { growing } from './growing.js';
import type { Json } from './json.js';
import type { Call } from './run.js';
import type { DraftFigures, Span } from './run-draft.js';

/** The calls of many passes. Contents are kept as codes that tell them apart within one run. */
export interface CallColumns {
  readonly length: number;
  beginRun(): void;
  add(call: Call): void;
  addDraft(draft: DraftFigures, calls: Span): void;
  /** The calls of other columns that lie in [from, to); nothing can be added to those afterwards. */
  addSpan(other: CallColumns, calls: Span): void;
  readonly tools: readonly string[];
  freeze(): void;
  /** What tells calls of one run apart, for walks; nothing can be added afterwards. */
  codes(): Readonly<Record<'tool' | 'args' | 'result' | 'error', Chunk>>;
  pack(): PackedCalls;
  unpack(packed: PackedCalls): void;
  slice(from: number, to: number): readonly Call[];
  /** Numbers that are equal where the contents are, within one run; `null` is unknown. */
  toolCode(call: number): number;
  toolText(call: number): string;
  argsCode(call: number): number | null;
  resultCode(call: number): number | null;
  hasFailed(call: number): boolean | null;
  /** The code under which a tool is kept, a new one for a new tool. */
  codeForTool(tool: string): number;
  /** The code of a tool, `null` where no call is of it. */
  codeOfTool(tool: string): number | null;
}

/** Calls as another thread can be given them. */
export interface PackedCalls {
  readonly tools: readonly string[];
  readonly tool: PackedColumn;
  readonly args: PackedColumn;
  readonly result: PackedColumn;
  readonly error: PackedColumn;
}

const NO_CALLS: readonly Call[] = [];

export function createCallColumns(): CallColumns {
  const tools = createDictionary();
  const columns = { tool: growing(), args: growing(), result: growing(), error: growing() };
  let contents = new Map<string, number>();
  const codeOf = (content: Json | undefined, digest: string | null): number | null => {
    const key = contentKey(content, digest);
    if (key === null) return null;
    const code = contents.get(key) ?? contents.size;
    contents.set(key, code);
    return code;
  };
  const at = (index: number): Call => ({
    tool: tools.textOf(columns.tool.at(index) as number),
    args: undefined,
    argsDigest: digestOf(columns.args.at(index)),
    result: undefined,
    resultDigest: digestOf(columns.result.at(index)),
    error: errorOf(columns.error.at(index)),
  });
  return {
    get length() {
      return columns.tool.length;
    },
    beginRun() {
      contents = new Map();
    },
    add(call) {
      columns.tool.push(tools.codeOf(call.tool));
      columns.args.push(codeOf(call.args, call.argsDigest));
      columns.result.push(codeOf(call.result, call.resultDigest));
      columns.error.push(call.error === null ? null : Number(call.error));
    },
    addDraft(draft, [from, to]) {
      const { narrow } = draft;
      columns.tool.append(draft.tool, from, to, narrow);
      columns.args.append(draft.args, from, to, narrow);
      columns.result.append(draft.result, from, to, narrow);
      columns.error.append(draft.error, from, to, narrow);
    },
    addSpan(other, [from, to]) {
      const { tool, args, result, error } = other.codes();
      const codes = other.tools.map((text) => tools.codeOf(text));
      columns.tool.appendChunk(tool, from, to, codes);
      columns.args.appendChunk(args, from, to);
      columns.result.appendChunk(result, from, to);
      columns.error.appendChunk(error, from, to);
    },
    tools: tools.texts,
    freeze() {
      for (const column of Object.values(columns)) column.freeze();
    },
    codes: () => ({
      tool: columns.tool.seal(),
      args: columns.args.seal(),
      result: columns.result.seal(),
      error: columns.error.seal(),
    }),
    pack: () => ({
      tools: tools.texts,
      tool: columns.tool.pack(),
      args: columns.args.pack(),
      result: columns.result.pack(),
      error: columns.error.pack(),
    }),
    unpack(packed) {
      const codes = packed.tools.map((tool) => tools.codeOf(tool));
      columns.tool.unpackCodes(packed.tool, codes);
      columns.args.unpack(packed.args);
      columns.result.unpack(packed.result);
      columns.error.unpack(packed.error);
    },
    codeForTool: (tool) => tools.codeOf(tool),
    toolCode: (call) => columns.tool.at(call) as number,
    toolText: (call) => tools.textOf(columns.tool.at(call) as number),
    argsCode: (call) => columns.args.at(call),
    resultCode: (call) => columns.result.at(call),
    hasFailed: (call) => errorOf(columns.error.at(call)),
    codeOfTool: (tool) => tools.findCode(tool),
    slice: (from, to) => (from === to ? NO_CALLS : Array.from({ length: to - from }, (_, offset) => at(from + offset))),
  };
}

/**
 * What tells one content from another: its normal form, or its digest; the two never meet, and `null` is unknown.
 */
export function contentKey(content: Json | undefined, digest: string | null): string | null {
  if (content !== undefined) return `c${canonical(content)}`;
  return digest === null ? null : `d${digest}`;
}

function digestOf(code: number | null): string | null {
  return code === null ? null : String(code);
}

function errorOf(code: number | null): boolean | null {
  return code === null ? null : code === 1;
}
