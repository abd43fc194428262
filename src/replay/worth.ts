/** A saving of no more than this share of what is spent is hardly worth a change. */
const HARDLY = 0.02;
/** A choice that holds for values this little apart hangs on the guess. */
const NARROW = 1.25;

/** @param share what is saved of what is spent otherwise; `null` where nobody knows */
export function isHardlyWorth(share: number | null): boolean {
  return share !== null && share <= HARDLY;
}

/** How far off a value may be, as a share of it, before another choice is the best; `null` where it may be far off. */
export function leewayOf(value: number, from: number | null, to: number | null): number | null {
  if (from === null || to === null || from <= 0 || to / from >= NARROW) return null;
  return Math.max(0, Math.min((value - from) / value, (to - value) / value));
}
