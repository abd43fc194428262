import { canonical } from '../../model/canonical.js';
import { isDeeperThan, type Json, MAX_DEPTH, parseJson } from '../../model/json.js';
import type { DraftFigures } from '../../model/run-draft.js';
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
}

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
const PASSES = BEHIND + 1;
const CALLS = BEHIND + 2;
const PASS_ARRAYS = BEHIND + 3;
const PASS_ROOM = BEHIND + 4;
const CALL_ARRAYS = BEHIND + 5;
const CALL_ROOM = BEHIND + 6;
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
  constructor(codeForTool: (tool: string) => number) {
    const outside = {
      codeForTool: (from: number, to: number): number => codeForTool(this.textAt(from, to)),
      isJson: (from: number, to: number): number => Number(jsonOf(this.textAt(from, to)) !== undefined),
      normalForm: (from: number, to: number): number => this.writeNormalForm(this.textAt(from, to)),
    };
    this.exports = new WebAssembly.Instance(compiledModule(), { outside }).exports as unknown as Exports;
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
    this.draft.show(this.bytes.buffer, this.result);
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

const NONE = new Float64Array(0);

/** The scanner's draft. Its arrays are looked for anew only when they have moved. */
class DraftViews implements DraftFigures {
  passes = 0;
  calls = 0;
  tokens: Float64Array = NONE;
  micros: Float64Array = NONE;
  nanos: Float64Array = NONE;
  steps: Float64Array = NONE;
  callsMade: Float64Array = NONE;
  tool: Float64Array = NONE;
  args: Float64Array = NONE;
  result: Float64Array = NONE;
  error: Float64Array = NONE;
  private passArrays = 0;
  private callArrays = 0;

  show(memory: ArrayBufferLike, result: Int32Array): void {
    this.passes = result[PASSES] as number;
    this.calls = result[CALLS] as number;
    const passArrays = result[PASS_ARRAYS] as number;
    const callArrays = result[CALL_ARRAYS] as number;
    if (passArrays === this.passArrays && callArrays === this.callArrays && this.tokens.buffer === memory) return;
    this.passArrays = passArrays;
    this.callArrays = callArrays;
    const arrays = (start: number, room: number) => (index: number) =>
      new Float64Array(memory, start + index * room * Float64Array.BYTES_PER_ELEMENT, room);
    const ofPasses = arrays(passArrays, result[PASS_ROOM] as number);
    this.tokens = ofPasses(0);
    this.micros = ofPasses(1);
    this.nanos = ofPasses(2);
    this.steps = ofPasses(3);
    this.callsMade = ofPasses(4);
    const ofCalls = arrays(callArrays, result[CALL_ROOM] as number);
    this.tool = ofCalls(0);
    this.args = ofCalls(1);
    this.result = ofCalls(2);
    this.error = ofCalls(3);
  }
}
