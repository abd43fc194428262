/** The ids of many runs in one text, and the length of each: a text for each id costs more than the rest of its run. */
export interface IdText {
  readonly text: string;
  readonly lengths: Uint32Array;
}

/** Ids of runs. They stay in the texts in which they came, out of which one is cut when it is asked for. */
export interface IdColumn {
  readonly length: number;
  push(id: string): void;
  /** Those in [from, to). */
  append(ids: IdText, from: number, to: number): void;
  at(index: number): string;
  /** Forgets all but the first so many. */
  shrinkTo(length: number): void;
  /** The column is empty afterwards. */
  pack(): IdText;
}

/** Ids that came together: one by one, or in one text. */
type Block = { readonly start: number; readonly cut: string[] } | { readonly start: number; readonly ids: TextIds };

export function createIdColumn(): IdColumn {
  let blocks: Block[] = [];
  let length = 0;
  /** Most ids are asked for in their order. */
  let last = 0;
  const blockOf = (index: number): Block => {
    const isIn = (block: number): boolean =>
      index >= (blocks[block]?.start ?? length) && index < (blocks[block + 1]?.start ?? length);
    if (isIn(last)) return blocks[last] as Block;
    if (isIn(last + 1)) return blocks[++last] as Block;
    last = lastAtMost(blocks, index);
    return blocks[last] as Block;
  };
  return {
    get length() {
      return length;
    },
    push(id) {
      const newest = blocks.at(-1);
      if (newest !== undefined && 'cut' in newest) newest.cut.push(id);
      else blocks.push({ start: length, cut: [id] });
      length++;
    },
    append(ids, from, to) {
      if (to === from) return;
      blocks.push({ start: length, ids: new TextIds(partOf(ids, from, to)) });
      length += to - from;
    },
    at(index) {
      const block = blockOf(index);
      return 'cut' in block ? (block.cut[index - block.start] as string) : block.ids.at(index - block.start);
    },
    shrinkTo(least) {
      while ((blocks.at(-1)?.start ?? -1) >= least) blocks.pop();
      const newest = blocks.at(-1);
      if (newest !== undefined && least < length) {
        const kept = least - newest.start;
        if ('cut' in newest) newest.cut.length = kept;
        else blocks[blocks.length - 1] = { start: newest.start, ids: new TextIds(partOf(newest.ids.ids, 0, kept)) };
      }
      length = Math.min(length, least);
    },
    pack() {
      const packed = joined(blocks.map((block) => ('cut' in block ? textOf(block.cut) : block.ids.ids)));
      blocks = [];
      length = 0;
      return packed;
    },
  };
}

/** The index of the last block that starts at most there. */
export function lastAtMost(blocks: readonly { readonly start: number }[], place: number): number {
  let low = 0;
  for (let high = blocks.length - 1; low < high; ) {
    const middle = (low + high + 1) >>> 1;
    if ((blocks[middle] as { readonly start: number }).start <= place) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Ids in one text, of which single ones are cut out. */
class TextIds {
  private ends: Uint32Array | null = null;

  constructor(readonly ids: IdText) {}

  at(index: number): string {
    this.ends ??= endsOf(this.ids);
    return this.ids.text.slice(index === 0 ? 0 : this.ends[index - 1], this.ends[index]);
  }
}

function endsOf({ lengths }: IdText): Uint32Array {
  const ends = lengths.slice();
  for (let index = 1; index < ends.length; index++) (ends[index] as number) += ends[index - 1] as number;
  return ends;
}

/** Each id by itself. */
export function cutIds(ids: IdText): string[] {
  const those = new TextIds(ids);
  return Array.from(ids.lengths, (_, index) => those.at(index));
}

/** A number for each id that equal ids share. */
export function hashesOf({ text, lengths }: IdText): Int32Array {
  const hashes = new Int32Array(lengths.length);
  let start = 0;
  for (let index = 0; index < lengths.length; index++) {
    const end = start + (lengths[index] as number);
    hashes[index] = hashOf(text, start, end);
    start = end;
  }
  return hashes;
}

/** FNV-1a over the units in [from, to) of a text. */
export function hashOf(text: string, from = 0, to = text.length): number {
  let hash = 0x811c9dc5 | 0;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash ^ (hash >>> 15);
}

function joined(all: readonly IdText[]): IdText {
  if (all.length === 1) return all[0] as IdText;
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

function partOf(ids: IdText, from: number, to: number): IdText {
  const { text, lengths } = ids;
  if (from === 0 && to === lengths.length) return ids;
  const lengthOf = (part: Uint32Array): number => part.reduce((sum, length) => sum + length, 0);
  const start = lengthOf(lengths.subarray(0, from));
  const part = lengths.slice(from, to);
  return { text: text.slice(start, start + lengthOf(part)), lengths: part };
}
