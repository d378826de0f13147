export interface Demand {
  /** Number of requests that wait, this one included. */
  waiting: () => number;
  /** False when the request isn't to be sent any more. */
  isNeeded: () => boolean;
  /** `performance.now()` at which the first of the waiting requests found none before it. */
  busySinceMs: number;
}

/** The limit of requests per second. */
export interface Pacer {
  /**
   * Resolves with true when a request may be sent at once, with false once it isn't needed. One call at a time: the next
   * one begins when this one has resolved.
   */
  next(demand: Demand): Promise<boolean>;
  /** Tells other replicas that no request may be sent for this time. */
  announceQuiet(waitMs: number): void;
  /** How long no request may be sent, as far as other replicas have announced; 0 or less when requests may be sent. */
  quietMs(): number;
}
