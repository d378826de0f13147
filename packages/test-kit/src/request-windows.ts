const WINDOW_MS = 1000;

/**
 * The largest number of arrivals in any second, wherever it begins.
 *
 * @param arrivedMs ascending
 * @param delayMs how much later than another a request may have been noticed: the window is that much shorter
 */
export function mostInASecond(arrivedMs: readonly number[], delayMs = 0): number {
  let most = 0;
  for (let last = 0, first = 0; last < arrivedMs.length; last += 1) {
    while (first < last && (arrivedMs[last] ?? 0) - (arrivedMs[first] ?? 0) >= WINDOW_MS - delayMs) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}
