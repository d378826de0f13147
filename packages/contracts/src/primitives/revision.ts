/**
 * The revision after `previous`. It follows the clock where it can, so that a store that was lost, restored or made anew
 * goes on above what it has already told the others, who keep the higher revision.
 *
 * @param nowMs epoch milliseconds; a clock that went backwards counts on by one
 */
export function nextRevision(previous: number, nowMs: number): number {
  return Math.max(previous + 1, Math.floor(nowMs));
}
