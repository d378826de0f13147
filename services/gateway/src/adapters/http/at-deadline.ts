/**
 * Fires one turn of the event loop late, so that data which has arrived is read first: a busy process must not report an
 * upstream timeout.
 *
 * @returns what `clearTimeout` takes, to be called when it is not wanted any more; it may still be done within the same turn
 */
export function atDeadline(afterMs: number, act: () => void): NodeJS.Timeout {
  return setTimeout(() => setImmediate(act), afterMs);
}
