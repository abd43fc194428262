import type { Depth } from '../../model/depth.js';
import { type Narrow, type NarrowExports, narrowBy } from './draft-views.js';
import { ScannedRuns, Settings } from './scanned-runs.js';

/** So many bytes are read and scanned at a time: they stay near the processor. */
export const PIECE = 2 ** 18;

/** What every scanner has. */
export interface ScanExports extends NarrowExports {
  setDepth(depth: number): void;
  roomForInput(length: number, kept: number): number;
  linesRead(): number;
  held(): number;
  tell(): number;
}

/** What every scanner asks of whoever makes runs of what it finds. */
export interface ScanOutside {
  /** The code under which a tool is kept. @param tool as it stands there */
  codeForTool(tool: string): number;
  /** Milliseconds since 1970, NaN where the text is no time. */
  millisOf(time: string): number;
}

/** Depths as the scanners number them. */
const DEPTHS: readonly Depth[] = ['figures', 'passes', 'calls'];

/** A scanner in WebAssembly as JavaScript sees it: its memory, and what goes in and comes out. A place is an address there. */
export abstract class ScanModule<Exports extends ScanExports> {
  protected readonly exports: Exports;
  protected readonly settings = new Settings();
  private readonly narrow: Narrow;
  private readonly keepsLast: boolean;
  private buffer = Buffer.alloc(0);
  private input = 0;

  /** @param own the functions that this scanner asks for beside those that all ask for */
  constructor(module: WebAssembly.Module, { codeForTool, millisOf }: ScanOutside, own: object, depth: Depth) {
    const outside = {
      codeForTool: (from: number, to: number): number => codeForTool(this.textAt(from, to)),
      millisOf: (from: number, to: number): number => millisOf(this.textAt(from, to)),
      ...own,
    };
    this.exports = new WebAssembly.Instance(module, { outside }).exports as unknown as Exports;
    this.narrow = narrowBy(this.exports);
    this.keepsLast = depth === 'figures';
    this.exports.setDepth(DEPTHS.indexOf(depth));
  }

  /** Where so many bytes can be put to be scanned, behind the first ones that are there already. Good until the scan. */
  room(kept: number, length: number): Buffer {
    this.input = this.exports.roomForInput(kept + length, kept);
    return this.loaded(kept, kept + length);
  }

  /** The bytes in [from, to) of those that were put there, good until the next scan. */
  loaded(from: number, to: number): Buffer {
    return this.memory().subarray(this.input + from, this.input + to);
  }

  /** How much has been scanned and not been taken: runs, passes or calls, whichever are the most. */
  get held(): number {
    return this.exports.held();
  }

  /** How many lines have been read, with those before the first one. */
  get lines(): number {
    return this.exports.linesRead();
  }

  /** The runs that have been scanned since the last ones were taken. */
  runs(file: string): ScannedRuns {
    const told = this.exports.tell();
    return new ScannedRuns(this.memory().buffer as ArrayBuffer, told, this.narrow, file, this.settings, this.keepsLast);
  }

  /** The place where the bytes begin that are to be scanned. */
  protected get place(): number {
    return this.input;
  }

  /** Memory that has grown leaves its old view empty. */
  protected memory(): Buffer {
    if (this.buffer.length === 0) this.buffer = Buffer.from(this.exports.memory.buffer);
    return this.buffer;
  }

  protected textAt(from: number, to: number): string {
    return this.memory().toString('utf8', from, to);
  }
}

/** Compiles a scanner when it is asked for first. */
export function moduleOf(bytes: string): () => WebAssembly.Module {
  let compiled: WebAssembly.Module | null = null;
  return () => {
    compiled ??= new WebAssembly.Module(Buffer.from(bytes, 'base64'));
    return compiled;
  };
}
