import {
  behindSpaces,
  byteAt,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  isSame,
  isSameShort,
  NOT_PLAIN,
  OPEN_OBJECT,
  SHORT,
  SPACE,
} from './bytes';

/** What stands before the first member of an object, and behind the last. */
export const FIRST: i32 = 0;
export const END: i32 = -1;

/** Ways that are remembered from one member to the next. */
const WAYS: usize = 4;
/** What a way keeps: where its bytes lie, how many they are, and the member it leads to. */
const WAY: usize = 12;
/** Longer ones are layouts with much white space, looked up each time. */
const LONGEST: usize = 64;

/**
 * The members of one kind of object. A recorder writes all its objects alike, so what stands between a value and the
 * next one (comma, name, colon, spaces) is remembered and mostly met again: then it is compared as a whole. Where it is
 * not, the name is looked up, and remembered as well.
 */
export class Members {
  /** Stands for a member whose name is none of the known ones. */
  other: i32;
  /** The member found last, `END` where the object ends instead. */
  name: i32 = FIRST;
  private ways: usize;

  /** Names are numbered from 1 in this order. */
  constructor(private names: StaticArray<string>) {
    this.other = names.length + 1;
    const size = <usize>(names.length + 2) * WAYS * WAY;
    this.ways = heap.alloc(size);
    memory.fill(this.ways, 0, size);
  }

  /**
   * Goes on from behind the value of the member `before` (for `FIRST` from the opening bracket) to the next value, and
   * leaves that member's `name`; at one that is not known it stops before the name, at the end behind the object.
   */
  follow(at: usize, before: i32): usize {
    let way = this.ways + <usize>before * WAYS * WAY;
    for (const end = way + WAYS * WAY; way < end; way += WAY) {
      const length = <usize>load<u32>(way + 4);
      if (length === 0) break;
      const text = <usize>load<u32>(way);
      // A space behind it would belong to it.
      if (
        (length <= SHORT ? isSameShort(text, at, length) : isSame(text, at, length)) &&
        byteAt(at + length) !== SPACE
      ) {
        this.name = load<i32>(way + 8);
        return at + length;
      }
    }
    if (before !== FIRST && byteAt(at) === CLOSE_OBJECT) {
      this.name = END;
      return at + 1;
    }
    return this.lookUp(at, before);
  }

  private lookUp(at: usize, before: i32): usize {
    const mark = behindSpaces(at);
    const isOpening = before === FIRST;
    const isEnd = !isOpening && byteAt(mark) === CLOSE_OBJECT;
    if (!isEnd && byteAt(mark) !== (isOpening ? OPEN_OBJECT : COMMA)) return NOT_PLAIN;
    const start = isEnd ? mark : behindSpaces(mark + 1);
    if (isEnd || (isOpening && byteAt(start) === CLOSE_OBJECT)) {
      this.name = END;
      return start + 1;
    }
    this.name = this.other;
    for (let index = 0; index < this.names.length; index++) {
      const behind = behindName(start, unchecked(this.names[index]));
      if (behind === NOT_PLAIN) continue;
      const colon = behindSpaces(behind);
      if (byteAt(colon) !== COLON) return NOT_PLAIN;
      const next = behindSpaces(colon + 1);
      this.name = index + 1;
      this.remember(before, at, next);
      return next;
    }
    return start;
  }

  private remember(before: i32, from: usize, to: usize): void {
    if (to - from > LONGEST) return;
    let way = this.ways + <usize>before * WAYS * WAY;
    const last = way + (WAYS - 1) * WAY;
    while (load<u32>(way) !== 0 && way < last) way += WAY;
    // The room of a way that is taken over is used again. More than its bytes, for the widest look.
    const bytes = load<u32>(way) !== 0 ? <usize>load<u32>(way) : heap.alloc(LONGEST + SHORT);
    memory.copy(bytes, from, to - from);
    store<u32>(way, <u32>bytes);
    store<u32>(way + 4, <u32>(to - from));
    store<i32>(way + 8, this.name);
  }
}

/** The place behind a name in quotes, `NOT_PLAIN` where another stands there. */
function behindName(at: usize, name: string): usize {
  if (byteAt(at) !== 0x22) return NOT_PLAIN;
  for (let index = 0; index < name.length; index++) {
    if (byteAt(at + 1 + index) !== <u32>name.charCodeAt(index)) return NOT_PLAIN;
  }
  const end = at + 1 + name.length;
  return byteAt(end) === 0x22 ? end + 1 : NOT_PLAIN;
}
