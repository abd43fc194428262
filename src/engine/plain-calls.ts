import { type DraftFigures, UNKNOWN } from '../model/run-draft.js';
import { createContentCodes } from './content-codes.js';
import type { Rows } from './plain-rows.js';
import { ERROR_UNKNOWN, FAILED } from './plain-sql.js';
import type { Tools } from './plain-tools.js';

const ROOM = 2 ** 15;

/** Puts the calls of some runs together while their rows come in. */
export class PlainCalls {
  private count = 0;
  private readonly contents = createContentCodes();
  private tool = new Float64Array(ROOM);
  private args = new Float64Array(ROOM);
  private result = new Float64Array(ROOM);
  private error = new Float64Array(ROOM);

  /** @param isKept false: how many a pass made is all that is asked of calls */
  constructor(
    private readonly tools: Tools,
    readonly isKept: boolean,
  ) {}

  /** Forgets the runs before. */
  clear(): void {
    this.count = 0;
  }

  beginRun(): void {
    this.contents.clear();
  }

  add({ tool, args, result }: Rows, row: number, state: number): void {
    if (!this.isKept) return;
    const call = this.count++;
    if (call === this.tool.length) this.grow();
    this.tool[call] = tool === null ? 0 : this.tools.codeOf(tool[row * 2] as number, tool[row * 2 + 1] as number);
    this.args[call] = this.contentOf(args, row);
    this.result[call] = this.contentOf(result, row);
    this.error[call] = (state & ERROR_UNKNOWN) === 0 ? state & FAILED : UNKNOWN;
  }

  private contentOf(hashes: Int32Array | null, row: number): number {
    if (hashes === null) return UNKNOWN;
    const low = hashes[row * 2] as number;
    const high = hashes[row * 2 + 1] as number;
    const isUnknown = low === this.tools.unknownLow && high === this.tools.unknownHigh;
    return isUnknown ? UNKNOWN : this.contents.codeOf(low, high);
  }

  figures(): Pick<DraftFigures, 'calls' | 'tool' | 'args' | 'result' | 'error'> {
    const { count, tool, args, result, error } = this;
    return { calls: count, tool, args, result, error };
  }

  private grow(): void {
    this.tool = twice(this.tool);
    this.args = twice(this.args);
    this.result = twice(this.result);
    this.error = twice(this.error);
  }
}

function twice(values: Float64Array): Float64Array<ArrayBuffer> {
  const wider = new Float64Array(values.length * 2);
  wider.set(values);
  return wider;
}
