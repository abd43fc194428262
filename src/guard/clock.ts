const MICROS_PER_MILLI = 1000;

/**
 * The time in whole microseconds, which never goes back: a clock that does (`Date.now` may) stands still until it has
 * caught up. `null` where the clock does not tell a number.
 *
 * @param now milliseconds
 */
export function createClock(now: () => number): () => number | null {
  let latest = Number.NEGATIVE_INFINITY;
  return () => {
    const micros = Math.round(now() * MICROS_PER_MILLI);
    if (!Number.isSafeInteger(micros)) return null;
    latest = Math.max(latest, micros);
    return latest;
  };
}
