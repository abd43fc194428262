/** How many come before each, of so many each, and behind the last one how many there are. */
export function startsOf(counts: ArrayLike<number>): Float64Array {
  const starts = new Float64Array(counts.length + 1);
  for (let index = 0; index < counts.length; index++) {
    starts[index + 1] = (starts[index] as number) + (counts[index] as number);
  }
  return starts;
}
