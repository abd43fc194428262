import { createDictionary } from './dictionary.js';
import { growing } from './growing.js';

/** One small map a row. */
export interface MapColumn {
  add(map: ReadonlyMap<string, string | number>): void;
  at(index: number): ReadonlyMap<string, string | number>;
  freeze(): void;
}

/** So many maps are made once; beyond that they are each row's own. */
const MOST_MADE = 1024;

/**
 * Small maps with few distinct keys: the keys that occur together are held once, the values as codes. A map that is given
 * again is known by itself.
 */
export function createMapColumn(): MapColumn {
  const shapes = createDictionary();
  const keysOf: (readonly string[])[] = [];
  const values = new Map<string | number, number>();
  const texts: (string | number)[] = [];
  const shape = growing();
  const first = growing();
  const codes = growing();
  const places = new WeakMap<ReadonlyMap<string, string | number>, number>();
  /** Maps that many rows share, by where their codes begin. */
  const made = new Map<number, { readonly shape: number | null; readonly map: ReadonlyMap<string, string | number> }>();
  const valueCode = (value: string | number): number => {
    const code = values.get(value) ?? texts.push(value) - 1;
    values.set(value, code);
    return code;
  };
  const shapeCode = (keys: readonly string[]): number => {
    const code = shapes.codeOf(JSON.stringify(keys));
    keysOf[code] ??= keys;
    return code;
  };
  return {
    add(map) {
      const place = places.get(map);
      if (place !== undefined) {
        shape.push(shape.at(place));
        first.push(first.at(place));
        return;
      }
      places.set(map, shape.length);
      shape.push(shapeCode([...map.keys()]));
      first.push(codes.length);
      for (const value of map.values()) codes.push(valueCode(value));
    },
    freeze() {
      for (const column of [shape, first, codes]) column.freeze();
    },
    at: (index) => {
      const start = first.at(index) as number;
      const known = made.get(start);
      // Two maps may begin at one place where one of them is empty.
      if (known !== undefined && known.shape === shape.at(index)) return known.map;
      const keys = keysOf[shape.at(index) as number] ?? [];
      const map = new Map(keys.map((key, at) => [key, texts[codes.at(start + at) as number] as string | number]));
      if (made.size < MOST_MADE) made.set(start, { shape: shape.at(index), map });
      return map;
    },
  };
}
