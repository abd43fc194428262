/** How fast something goes, as measured over the last seconds. */
export interface Speed {
  /**
   * Notes how much was done at a moment, in milliseconds, and gives the rate in units a second; `null` where too little
   * time went by to tell. Less than before starts anew: what was done was in vain.
   */
  at(moment: number, done: number): number | null;
}

/** The rate is that of this stretch: long enough to be calm, short enough to follow a change. */
const WINDOW_MS = 10_000;
/** No closer together are moments kept. */
const STEP_MS = 200;
const LEAST_MS = 500;

export function createSpeed(): Speed {
  let marks: { readonly moment: number; readonly done: number }[] = [];
  return {
    at(moment, done) {
      const last = marks.at(-1);
      if (last !== undefined && done < last.done) marks = [];
      if (last === undefined || marks.length === 0 || moment - last.moment >= STEP_MS) marks.push({ moment, done });
      while (marks.length > 2 && moment - (marks[1]?.moment ?? moment) >= WINDOW_MS) marks.shift();
      const [first] = marks;
      if (first === undefined || moment - first.moment < LEAST_MS) return null;
      return ((done - first.done) / (moment - first.moment)) * 1000;
    },
  };
}
