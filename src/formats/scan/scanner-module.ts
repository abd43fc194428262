import { canonical } from '../../model/canonical.js';
import type { Depth } from '../../model/depth.js';
import { isDeeperThan, type Json, MAX_DEPTH, parseJson } from '../../model/json.js';
import type { DraftFigures } from '../../model/run-draft.js';
import { DraftViews } from './draft-views.js';
import { SCANNER } from './scanner-bytes.js';

/*
 * The scanner of `assembly/` as JavaScript sees it: its memory, its functions, and what it asks for. A place is an
 * address in its memory.
 */

interface Exports {
  readonly memory: WebAssembly.Memory;
  scan(from: number, to: number): number;
  roomForInput(length: number): number;
  roomForForm(length: number): number;
  result(): number;
  setDepth(depth: number): void;
}

/** Depths as the scanner numbers them. */
export const DEPTHS: readonly Depth[] = ['figures', 'passes', 'calls'];

/** The parts of a record as the scanner numbers them. */
export const PART = {
  ...{
    id: 1,
    status: 2,
    check: 3,
    claim: 4,
    labels: 5,
    startedAt: 6,
    recordedUnder: 7,
    passes: 8,
    reason: 9,
    totals: 10,
  },
} as const;
/** What it leaves of each part: from, to and a number that equal bytes share, below 0 for none; all 0 where it is absent. */
const WORDS_OF_PART = 3;
/** What it leaves behind the parts, a word each. */
const BEHIND = (PART.totals + 1) * WORDS_OF_PART;
const IS_BEYOND_ASCII = BEHIND;
/** The six words of the draft. */
const DRAFT = BEHIND + 1;
const WORDS = BEHIND + 7;

export class Scanner {
  /** Whether the text of the record scanned last has to be checked to be UTF-8. */
  isBeyondAscii = false;
  private readonly exports: Exports;
  private readonly draft = new DraftViews();
  private loaded: Uint8Array | null = null;
  private loadedAt = 0;
  private bytes = new Uint8Array(0);
  private result = new Int32Array(0);

  /** @param codeForTool the code under which a tool is kept */
  constructor(codeForTool: (tool: string) => number, depth: Depth) {
    const outside = {
      codeForTool: (from: number, to: number): number => codeForTool(this.textAt(from, to)),
      isJson: (from: number, to: number): number => Number(jsonOf(this.textAt(from, to)) !== undefined),
      normalForm: (from: number, to: number): number => this.writeNormalForm(this.textAt(from, to)),
    };
    this.exports = new WebAssembly.Instance(compiledModule(), { outside }).exports as unknown as Exports;
    this.exports.setDepth(DEPTHS.indexOf(depth));
    this.refresh();
  }

  /** Whether the record in [from, to) of these bytes is plain. Behind it stands a byte below a space. */
  scan(bytes: Uint8Array, from: number, to: number): boolean {
    // Many records lie in the same bytes.
    if (bytes !== this.loaded) this.load(bytes);
    const isPlain = this.exports.scan(this.loadedAt + from, this.loadedAt + to) !== 0;
    if (this.bytes.length === 0) this.refresh();
    this.isBeyondAscii = this.result[IS_BEYOND_ASCII] === 1;
    return isPlain;
  }

  /** Where a part of the record scanned last begins in its bytes; -1: it is absent. */
  from(part: number): number {
    const place = this.result[part * WORDS_OF_PART] as number;
    return place === 0 ? -1 : place - this.loadedAt;
  }

  to(part: number): number {
    return (this.result[part * WORDS_OF_PART + 1] as number) - this.loadedAt;
  }

  numberOf(part: number): number {
    return this.result[part * WORDS_OF_PART + 2] as number;
  }

  /** The passes of the record scanned last. Overwritten by the next one. */
  figures(): DraftFigures {
    this.draft.show(this.bytes.buffer, this.result, DRAFT);
    return this.draft;
  }

  private load(bytes: Uint8Array): void {
    this.loadedAt = this.exports.roomForInput(bytes.length);
    if (this.bytes.length === 0) this.refresh();
    this.bytes.set(bytes, this.loadedAt);
    this.loaded = bytes;
  }

  /** Memory that has grown leaves its old views empty. */
  private refresh(): void {
    const { buffer } = this.exports.memory;
    this.bytes = new Uint8Array(buffer);
    this.result = new Int32Array(buffer, this.exports.result(), WORDS);
  }

  private textAt(from: number, to: number): string {
    return Buffer.from(this.exports.memory.buffer, from, to - from).toString();
  }

  private writeNormalForm(text: string): number {
    const content = jsonOf(text);
    if (content === undefined) return -1;
    const form = new TextEncoder().encode(canonical(content));
    const place = this.exports.roomForForm(form.length);
    this.refresh();
    this.bytes.set(form, place);
    return form.length;
  }
}

let compiled: WebAssembly.Module | null = null;

function compiledModule(): WebAssembly.Module {
  compiled ??= new WebAssembly.Module(Buffer.from(SCANNER, 'base64'));
  return compiled;
}

/** A value that any reader takes, `undefined` where the text is no such JSON. */
function jsonOf(text: string): Json | undefined {
  try {
    const value = parseJson(text);
    return isDeeperThan(value, MAX_DEPTH) ? undefined : value;
  } catch {
    return undefined;
  }
}
