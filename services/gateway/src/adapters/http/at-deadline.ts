/**
 * Does something when time is up, after what has arrived by then is read: a process that is late must not blame others for it.
 *
 * @returns what `clearTimeout` takes, to be called when it is not wanted any more; it may still be done within the same turn
 */
export function atDeadline(afterMs: number, act: () => void): NodeJS.Timeout {
  return setTimeout(() => setImmediate(act), afterMs);
}
