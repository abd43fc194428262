import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GRID, LEVELS, POLICY } from './jobs.mjs';

const MICROS = 1_000_000;
const FOLDER = join(import.meta.dirname, 'sql');

/**
 * The text of `sql/<engine>/<name>.sql` with every `{{word}}` replaced.
 *
 * @param {Record<string, string>} words the engine's own, beside the caps of the jobs
 */
export function sqlOf(engine, name, words) {
  const all = { ...WORDS, ...words };
  return readFileSync(join(FOLDER, engine, `${name}.sql`), 'utf8').replaceAll(/\{\{(\w+)\}\}/g, (_, word) => all[word]);
}

const WORDS = {
  cap_passes: String(POLICY.caps.passes),
  cap_tokens: String(POLICY.caps.tokens),
  cap_micros: String(POLICY.caps.seconds * MICROS),
  levels: `[${LEVELS.join(', ')}]`,
  per_mille: `[${LEVELS.map((level) => level * 1000).join(', ')}]`,
  count_passes: String(GRID.passes.length),
  count_tokens: String(GRID.tokens.length),
  count_seconds: String(GRID.seconds.length),
  reached_passes: reached('passes', GRID.passes),
  reached_tokens: reached('tokens', GRID.tokens),
  reached_micros: reached(
    'micros',
    GRID.seconds.map((cap) => cap * MICROS),
  ),
};

/** How many of these caps a counter has reached: both engines add comparisons faster than they walk a list. */
function reached(counter, caps) {
  return caps.map((cap) => `(${counter} >= ${cap})::INT`).join(' + ');
}
