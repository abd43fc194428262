/** The ids of many runs in one text, and the length of each: a text for each id costs more than the rest of its run. */
export interface IdText {
  readonly text: string;
  readonly lengths: Uint32Array;
}

/** Ids of runs, cut apart only when they are asked for. */
export interface IdColumn {
  readonly length: number;
  push(id: string): void;
  /** Those in [from, to). */
  append(ids: IdText, from: number, to: number): void;
  /** The same, cut apart already. */
  appendCut(ids: readonly string[]): void;
  at(index: number): string;
  /** The column is empty afterwards. */
  pack(): IdText;
}

export function createIdColumn(): IdColumn {
  let cut: string[] = [];
  /** What follows on those that are cut. */
  let texts: IdText[] = [];
  let waiting = 0;
  const cutAll = (): string[] => {
    for (const each of texts) for (const id of cutIds(each)) cut.push(id);
    texts = [];
    waiting = 0;
    return cut;
  };
  return {
    get length() {
      return cut.length + waiting;
    },
    push(id) {
      cutAll().push(id);
    },
    append(ids, from, to) {
      texts.push(from === 0 && to === ids.lengths.length ? ids : partOf(ids, from, to));
      waiting += to - from;
    },
    appendCut(ids) {
      const all = cutAll();
      for (const id of ids) all.push(id);
    },
    at: (index) => (waiting === 0 ? cut : cutAll())[index] as string,
    pack() {
      const packed = joined([textOf(cut), ...texts]);
      cut = [];
      texts = [];
      waiting = 0;
      return packed;
    },
  };
}

/** Each id by itself. */
export function cutIds({ text, lengths }: IdText): string[] {
  const ids: string[] = [];
  let start = 0;
  for (const length of lengths) {
    ids.push(text.slice(start, start + length));
    start += length;
  }
  return ids;
}

function joined(all: readonly IdText[]): IdText {
  const lengths = new Uint32Array(all.reduce((sum, each) => sum + each.lengths.length, 0));
  let start = 0;
  for (const each of all) {
    lengths.set(each.lengths, start);
    start += each.lengths.length;
  }
  return { text: all.map(({ text }) => text).join(''), lengths };
}

function textOf(ids: readonly string[]): IdText {
  return { text: ids.join(''), lengths: Uint32Array.from(ids, (id) => id.length) };
}

function partOf({ text, lengths }: IdText, from: number, to: number): IdText {
  const lengthOf = (part: Uint32Array): number => part.reduce((sum, length) => sum + length, 0);
  const start = lengthOf(lengths.subarray(0, from));
  const part = lengths.slice(from, to);
  return { text: text.slice(start, start + lengthOf(part)), lengths: part };
}
