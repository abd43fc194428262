/**
 * p-values as they stand when several tests are made at once: each is compared with the chance of any false alarm at
 * all, whatever hangs together among the tests. S. Holm, Scandinavian Journal of Statistics 6 (1979); R's
 * `p.adjust(method = "holm")`.
 *
 * @returns in the order given
 */
export function holmAdjusted(pValues: readonly number[]): number[] {
  const order = pValues.map((_, index) => index).sort((i, j) => (pValues[i] as number) - (pValues[j] as number));
  const adjusted: number[] = new Array(pValues.length).fill(1);
  let largest = 0;
  for (const [place, index] of order.entries()) {
    largest = Math.max(largest, Math.min(1, (pValues.length - place) * (pValues[index] as number)));
    adjusted[index] = largest;
  }
  return adjusted;
}
