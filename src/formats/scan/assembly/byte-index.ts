import { hashOf, isSame } from './bytes';

/** What an entry keeps: its hash, its slot, where its bytes begin and how many they are. */
const ENTRY: usize = 16;
const SLOT: usize = 4;
const TEXT: usize = 8;
const LENGTH: usize = 12;

/**
 * Distinct byte strings as numbers from 0, so that contents are compared without making texts of them. The strings are
 * copied, one behind the other; clearing forgets them and keeps the room.
 */
export class ByteIndex {
  size: i32 = 0;
  /** Whether the string asked for last was new. */
  isNew: bool = false;
  private capacity: i32 = 64;
  private entries: usize = heap.alloc(64 * ENTRY);
  /** A power of two, at most half full; a slot holds a number plus 1, 0 is empty. */
  private slotCount: i32 = 128;
  private slots: usize = emptySlots(128);
  private texts: usize = heap.alloc(2048 + 16);
  private textRoom: usize = 2048;
  private used: usize = 0;

  clear(): void {
    for (let code = 0; code < this.size; code++) store<u32>(this.slots + load<u32>(this.entry(code) + SLOT) * 4, 0);
    this.size = 0;
    this.used = 0;
  }

  /** The number of the bytes in [from, to), a new one for new bytes as long as there are fewer than `most`, else -1. */
  codeOf(from: usize, to: usize, most: i32 = i32.MAX_VALUE): i32 {
    const hash = hashOf(from, to);
    const mask = this.slotCount - 1;
    let slot = <i32>hash & mask;
    for (; ; slot = (slot + 1) & mask) {
      const code = <i32>load<u32>(this.slots + slot * 4) - 1;
      if (code < 0) break;
      const entry = this.entry(code);
      const length = <usize>load<u32>(entry + LENGTH);
      if (
        load<u32>(entry) === hash &&
        length === to - from &&
        isSame(this.texts + load<u32>(entry + TEXT), from, length)
      ) {
        this.isNew = false;
        return code;
      }
    }
    if (this.size >= most) return -1;
    return this.add(from, to, hash, slot);
  }

  private add(from: usize, to: usize, hash: u32, slot: i32): i32 {
    if (this.size === this.capacity) this.growEntries();
    const code = this.size++;
    const length = to - from;
    if (this.used + length > this.textRoom) this.growTexts(length);
    memory.copy(this.texts + this.used, from, length);
    const entry = this.entry(code);
    store<u32>(entry, hash);
    store<u32>(entry + SLOT, slot);
    store<u32>(entry + TEXT, <u32>this.used);
    store<u32>(entry + LENGTH, <u32>length);
    store<u32>(this.slots + slot * 4, code + 1);
    this.used += length;
    this.isNew = true;
    if (this.size * 2 > this.slotCount) this.growSlots();
    return code;
  }

  private entry(code: i32): usize {
    return this.entries + <usize>code * ENTRY;
  }

  // Old room is never given back: all that is grown out of is together as large as what is grown into.

  private growEntries(): void {
    const wider = heap.alloc(<usize>this.capacity * 2 * ENTRY);
    memory.copy(wider, this.entries, <usize>this.capacity * ENTRY);
    this.entries = wider;
    this.capacity *= 2;
  }

  private growTexts(length: usize): void {
    const room = max(this.textRoom * 2, this.used + length);
    // 16 bytes more, for the widest look.
    const wider = heap.alloc(room + 16);
    memory.copy(wider, this.texts, this.used);
    this.texts = wider;
    this.textRoom = room;
  }

  private growSlots(): void {
    this.slotCount *= 2;
    this.slots = emptySlots(this.slotCount);
    const mask = this.slotCount - 1;
    for (let code = 0; code < this.size; code++) {
      const entry = this.entry(code);
      let slot = <i32>load<u32>(entry) & mask;
      while (load<u32>(this.slots + slot * 4) !== 0) slot = (slot + 1) & mask;
      store<u32>(this.slots + slot * 4, code + 1);
      store<u32>(entry + SLOT, slot);
    }
  }
}

function emptySlots(count: i32): usize {
  const slots = heap.alloc(<usize>count * 4);
  memory.fill(slots, 0, <usize>count * 4);
  return slots;
}
