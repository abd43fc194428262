/** The hash that an empty text starts from, and how one byte goes into it (FNV-1a). */
export const HASH_START = 0x811c9dc5 | 0;

export function hashWith(hash: number, byte: number): number {
  return Math.imul(hash ^ byte, 0x01000193);
}

export const NOT_FOUND = -1;

/**
 * Distinct byte strings as numbers from 0, so that a reader compares what it has in hand without making a text of it.
 * The strings are copied, one behind the other; clearing forgets them and keeps the room.
 */
export class ByteIndex {
  private count = 0;
  private bytes = new Uint8Array(1024);
  private used = 0;
  /** A power of two, at most half full; a slot holds a number plus 1, 0 is empty. */
  private slots = new Int32Array(128);
  private slotOf = new Int32Array(64);
  private hashOf = new Int32Array(64);
  private endOf = new Int32Array(64);

  get size(): number {
    return this.count;
  }

  clear(): void {
    for (let code = 0; code < this.count; code++) this.slots[this.slotOf[code] as number] = 0;
    this.count = 0;
    this.used = 0;
  }

  /** The number of the bytes in [from, to), `NOT_FOUND` where they were not added. @param hash of these bytes */
  find(source: DataView, from: number, to: number, hash: number): number {
    return (this.slots[this.slotFor(source, from, to, hash)] as number) - 1;
  }

  /** The number of the bytes in [from, to), a new one for new bytes. @param hash of these bytes */
  codeOf(source: DataView, from: number, to: number, hash: number): number {
    const slot = this.slotFor(source, from, to, hash);
    const known = this.slots[slot] as number;
    if (known !== 0) return known - 1;
    const code = this.count++;
    if (code === this.hashOf.length) this.growEntries();
    this.slots[slot] = code + 1;
    this.slotOf[code] = slot;
    this.hashOf[code] = hash;
    this.copy(source, from, to);
    this.endOf[code] = this.used;
    if (this.count * 2 > this.slots.length) this.growSlots();
    return code;
  }

  /** The slot that holds these bytes, or the empty one where they belong. */
  private slotFor(source: DataView, from: number, to: number, hash: number): number {
    const mask = this.slots.length - 1;
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (; ; slot = (slot + 1) & mask) {
      const code = (this.slots[slot] as number) - 1;
      if (code < 0 || (this.hashOf[code] === hash && this.holds(code, source, from, to))) return slot;
    }
  }

  private holds(code: number, source: DataView, from: number, to: number): boolean {
    const start = code === 0 ? 0 : (this.endOf[code - 1] as number);
    if ((this.endOf[code] as number) - start !== to - from) return false;
    for (let at = from, own = start; at < to; at++, own++) if (source.getUint8(at) !== this.bytes[own]) return false;
    return true;
  }

  private copy(source: DataView, from: number, to: number): void {
    const needed = this.used + to - from;
    if (needed > this.bytes.length) {
      const wider = new Uint8Array(Math.max(needed, this.bytes.length * 2));
      wider.set(this.bytes);
      this.bytes = wider;
    }
    for (let at = from, own = this.used; at < to; at++, own++) this.bytes[own] = source.getUint8(at);
    this.used = needed;
  }

  private growEntries(): void {
    this.slotOf = twice(this.slotOf);
    this.hashOf = twice(this.hashOf);
    this.endOf = twice(this.endOf);
  }

  private growSlots(): void {
    this.slots = new Int32Array(this.slots.length * 2);
    const mask = this.slots.length - 1;
    for (let code = 0; code < this.count; code++) {
      const hash = this.hashOf[code] as number;
      let slot = (hash ^ (hash >>> 15)) & mask;
      while (this.slots[slot] !== 0) slot = (slot + 1) & mask;
      this.slots[slot] = code + 1;
      this.slotOf[code] = slot;
    }
  }
}

function twice(values: Int32Array): Int32Array<ArrayBuffer> {
  const wider = new Int32Array(values.length * 2);
  wider.set(values);
  return wider;
}
