export interface Permit {
  /** Call it once the request was sent, or will never be: until then it counts as one of the last second. */
  readonly sent: () => void;
}

export interface Pacer {
  /**
   * Resolves with a permit when a request may be sent at once, with undefined once it isn't needed. One call at a time.
   *
   * @param busySinceMs `performance.now()` at which the first of the waiting requests found none before it
   */
  next(isNeeded: () => boolean, busySinceMs: number): Promise<Permit | undefined>;
}
