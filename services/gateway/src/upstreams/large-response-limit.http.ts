import { suppressRequestLog } from '@lobbystats/service-kit';
import type { IncomingBody } from './incoming-body.http.ts';

/** Concurrent streaming responses of one upstream; each holds a connection. */
const CONCURRENT_MAX = 16;
/** A reader that has stalled for this time may be dropped in favour of another one. */
const STALLED_MS = 1000;

/**
 * Limits concurrent streaming responses of one upstream. When all permits are taken, the reader that has stalled longest
 * is dropped, so that slow readers don't block others.
 */
export class LargeResponseLimit {
  readonly #active = new Set<IncomingBody>();
  readonly #onDropped: () => void;

  /** @param onDropped called for each reader that is dropped */
  constructor(onDropped: () => void) {
    this.#onDropped = onDropped;
  }

  /**
   * Acquires a permit for a response until that is closed.
   *
   * @throws Error when all permits are taken and no reader has stalled: the response is destroyed
   */
  admit(answer: IncomingBody): void {
    if (this.#active.size >= CONCURRENT_MAX && !this.#abortStalled()) {
      answer.destroy();
      throw new Error('too many concurrent streaming responses');
    }
    this.#active.add(answer);
    answer.once('close', () => {
      this.#active.delete(answer);
    });
  }

  #abortStalled(): boolean {
    const [slowest] = [...this.#active].toSorted((one, other) => other.stalledMs - one.stalledMs);
    if (slowest === undefined || slowest.stalledMs < STALLED_MS) return false;
    this.#active.delete(slowest);
    slowest.destroy(suppressRequestLog(new Error('a streaming response was read too slowly while others waited')));
    this.#onDropped();
    return true;
  }
}
