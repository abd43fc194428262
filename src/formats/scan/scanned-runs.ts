import type { IdText } from '../../model/id-column.js';
import type { RunBatch, RunSetting } from '../../model/run-batch.js';
import { startsOf } from '../../model/starts.js';
import { DraftViews, type Narrow } from './draft-views.js';

/** So many runs, passes or calls are handed over together: a chunk of a column. */
export const MANY = 2 ** 15;

/** Settings that only one run has are numbered from here. */
const OWN = 2 ** 20;

/** What runs have in common, by the numbers that the scanner is given for it. */
export class Settings {
  private readonly kept: RunSetting[] = [];
  private own: RunSetting[] = [];

  /** The number of a setting, below 0 where there is none. */
  know(setting: RunSetting | null, isKept: boolean): number {
    if (setting === null) return -1;
    return isKept ? this.kept.push(setting) - 1 : OWN + this.own.push(setting) - 1;
  }

  at(number: number): RunSetting {
    return (number < OWN ? this.kept[number] : this.own[number - OWN]) as RunSetting;
  }

  forgetOwn(): void {
    this.own = [];
  }
}

// What a scanner tells of the runs that it read, a word each, behind the six of the draft.
const RUNS = 6;
const ARRAYS = 7;
const ROOM = 8;
const IDS = 9;
const WORDS = 10;

// Its arrays, in their order.
const LINE = 0;
const FROM = 1;
const SETTING = 2;
const START = 3;
const PASSES = 4;
const CALLS = 5;
const HAS_PASSES = 6;
const ID_BYTES = 7;

/** The runs that a scanner has read, as they lie in its memory. */
export class ScannedRuns implements RunBatch {
  readonly runs: number;
  readonly ids: IdText;
  readonly line: Float64Array;
  readonly startedMillis: Float64Array;
  readonly hasPasses: Float64Array;
  readonly passes: Float64Array;
  readonly calls: Float64Array;
  readonly firstRow: Float64Array;
  readonly firstCall: Float64Array;
  readonly figures: DraftViews;
  /** The place in memory where the line of each run begins. */
  readonly from: Float64Array;
  private readonly settingOf: Float64Array;

  /**
   * @param told where the scanner tells of them
   * @param keepsLast whether the last row of each run is all that was kept
   */
  constructor(
    memory: ArrayBuffer,
    told: number,
    narrow: Narrow,
    readonly file: string,
    private readonly settings: Settings,
    readonly keepsLast: boolean,
  ) {
    const words = new Int32Array(memory, told, WORDS);
    const [runs, arrays, room] = [words[RUNS], words[ARRAYS], words[ROOM]] as [number, number, number];
    const array = (index: number): Float64Array =>
      new Float64Array(memory, arrays + index * room * Float64Array.BYTES_PER_ELEMENT, runs);
    this.runs = runs;
    this.line = array(LINE);
    this.from = array(FROM);
    this.settingOf = array(SETTING);
    this.startedMillis = array(START);
    this.passes = array(PASSES);
    this.calls = array(CALLS);
    this.firstRow = startsOf(keepsLast ? this.passes.map((passes) => Math.min(passes, 1)) : this.passes);
    this.firstCall = startsOf(this.calls);
    this.hasPasses = array(HAS_PASSES);
    this.ids = idsIn(memory, words[IDS] as number, array(ID_BYTES));
    this.figures = new DraftViews(memory, words, narrow);
  }

  setting(run: number): RunSetting {
    return this.settings.at(this.settingOf[run] as number);
  }
}

/** Ids that lie one behind the other, by how many bytes each has. */
function idsIn(memory: ArrayBuffer, from: number, lengths: Float64Array): IdText {
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const bytes = Buffer.from(memory, from, total);
  const text = bytes.toString('utf8');
  // Mostly each byte is a character.
  if (text.length === total) return { text, lengths: Uint32Array.from(lengths) };
  let at = 0;
  const units = Uint32Array.from(lengths, (length) => {
    at += length;
    return bytes.toString('utf8', at - length, at).length;
  });
  return { text, lengths: units };
}
