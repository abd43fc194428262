/*
 * A place in a run is a number, so that the first of several is the smallest: 2k is the boundary after k passes, and
 * 2k - 1 with a fraction for the call is inside pass k, before that call is run.
 */

export const NOWHERE = Number.POSITIVE_INFINITY;

/** What one call adds to a place: no pass makes a million. */
const CALL = 1e-6;

export function placeInside(pass: number, call: number): number {
  return 2 * pass - 1 + call * CALL;
}

/** The passes made at a place, the one that it lies in included. */
export function passOf(place: number): number {
  return Math.ceil(place / 2);
}

/** The call before which a place inside a pass lies. */
export function callOf(place: number): number {
  return Math.round((place - (2 * passOf(place) - 1)) / CALL);
}
