/**
 * Fires one tick of the event loop late, so that data which has arrived is read first: a busy process must not report an
 * upstream timeout.
 *
 * @returns the timer for `clearTimeout`; it may still fire within the same tick
 */
export function setDeadline(afterMs: number, act: () => void): NodeJS.Timeout {
  return setTimeout(() => setImmediate(act), afterMs);
}
