/**
 * The largest number of arrivals in any period of a length, wherever it begins.
 *
 * @param arrivedMs ascending
 */
export function mostWithin(windowMs: number, arrivedMs: readonly number[]): number {
  let most = 0;
  for (let last = 0, first = 0; last < arrivedMs.length; last += 1) {
    while (first < last && (arrivedMs[last] ?? 0) - (arrivedMs[first] ?? 0) >= windowMs) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}
