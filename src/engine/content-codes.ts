/**
 * Small numbers for the contents of one run, equal where their 64-bit hashes are. Among the calls of one run a chance
 * collision is out of reach. One table serves all runs: what a run before has left in it counts as empty. Tools and
 * settings of a whole file, of which there are few, are told apart by such a table as well.
 */
export interface ContentCodes {
  /** Forgets the contents of the run before. */
  clear(): void;
  /** The code of a hash in two halves, a new one for a new hash. */
  codeOf(low: number, high: number): number;
}

const ROOM = 256;

export function createContentCodes(): ContentCodes {
  let size = ROOM;
  /** The run that a place was filled for. */
  let runs = new Int32Array(size);
  let lows = new Int32Array(size);
  let highs = new Int32Array(size);
  let codes = new Int32Array(size);
  let run = 1;
  let known = 0;
  const place = (low: number, high: number): number => {
    let at = low & (size - 1);
    while (runs[at] === run && (lows[at] !== low || highs[at] !== high)) at = (at + 1) & (size - 1);
    return at;
  };
  const put = (at: number, low: number, high: number, code: number): void => {
    runs[at] = run;
    lows[at] = low;
    highs[at] = high;
    codes[at] = code;
  };
  const grow = (): void => {
    const before = { runs, lows, highs, codes };
    size *= 2;
    [runs, lows, highs, codes] = [
      new Int32Array(size),
      new Int32Array(size),
      new Int32Array(size),
      new Int32Array(size),
    ];
    for (const [at, owner] of before.runs.entries()) {
      if (owner !== run) continue;
      const [low, high] = [before.lows[at] as number, before.highs[at] as number];
      put(place(low, high), low, high, before.codes[at] as number);
    }
  };
  return {
    clear() {
      run++;
      known = 0;
    },
    codeOf(low, high) {
      const at = place(low, high);
      if (runs[at] === run) return codes[at] as number;
      const code = known++;
      put(at, low, high, code);
      if (known * 2 > size) grow();
      return code;
    },
  };
}
