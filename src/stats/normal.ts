/** Below this the series converges fast, above it the continued fraction. */
const SERIES_UP_TO = 3;
const FRACTION_TERMS = 60;

/**
 * The chance that a standard normal number lies above z, to about 1e-14 of itself up to z = 3 and 1e-12 beyond. Series
 * and continued fraction: DLMF 7.6.2 and 7.9.2.
 */
export function normalUpperTail(z: number): number {
  if (z < 0) return 1 - normalUpperTail(-z);
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
  if (z >= SERIES_UP_TO) return density / millsFraction(z);
  let sum = 0;
  let term = z;
  for (let odd = 3; sum + term !== sum; odd += 2) {
    sum += term;
    term *= (z * z) / odd;
  }
  return 0.5 - density * sum;
}

/** z + 1/(z + 2/(z + 3/(z + …))). */
function millsFraction(z: number): number {
  let value = z;
  for (let k = FRACTION_TERMS; k >= 1; k--) value = z + k / value;
  return value;
}
