import type { Format } from '../formats/format.js';
import { FORMATS } from '../formats/index.js';
import { parquet } from './parquet-format.js';

/* Loaded late: the readers of foreign recordings are 300 kB, which take 10 ms to load, and who has our own records needs none. */

/** Whatever can be read. */
export const ALL_FORMATS: readonly Format[] = [...FORMATS, parquet];

/** What `--from` may say. */
export const FORMAT_IDS: readonly string[] = ALL_FORMATS.map(({ id }) => id);

export { detectFormat, formatOfLine } from '../formats/index.js';
