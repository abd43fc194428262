import { type DraftFigures, UNKNOWN } from '../model/run-draft.js';
import { createContentCodes } from './content-codes.js';
import type { Rows } from './plain-rows.js';
import { ERROR_UNKNOWN, FAILED, NO_CALL } from './plain-sql.js';
import type { Tools } from './plain-tools.js';
import { twice } from './plain-totals.js';

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

  /** The calls among rows of one run. */
  add({ state, tool, args, result }: Rows, from: number, to: number): void {
    if (!this.isKept) return;
    this.makeRoom(this.count + to - from);
    const { tools } = this;
    let { count } = this;
    for (let row = from; row < to; row++) {
      const flags = state[row] as number;
      if ((flags & NO_CALL) !== 0) continue;
      this.tool[count] = tool === null ? 0 : tools.codeOf(tool[row * 2] as number, tool[row * 2 + 1] as number);
      this.args[count] = args === null ? UNKNOWN : this.contentOf(args, row);
      this.result[count] = result === null ? UNKNOWN : this.contentOf(result, row);
      this.error[count] = (flags & ERROR_UNKNOWN) === 0 ? flags & FAILED : UNKNOWN;
      count++;
    }
    this.count = count;
  }

  private contentOf(hashes: Int32Array, row: number): number {
    const low = hashes[row * 2] as number;
    const high = hashes[row * 2 + 1] as number;
    const isUnknown = low === this.tools.unknownLow && high === this.tools.unknownHigh;
    return isUnknown ? UNKNOWN : this.contents.codeOf(low, high);
  }

  figures(): Pick<DraftFigures, 'calls' | 'tool' | 'args' | 'result' | 'error'> {
    const { count, tool, args, result, error } = this;
    return { calls: count, tool, args, result, error };
  }

  private makeRoom(calls: number): void {
    if (calls <= this.tool.length) return;
    this.tool = twice(this.tool);
    this.args = twice(this.args);
    this.result = twice(this.result);
    this.error = twice(this.error);
  }
}
