import type { LargeAnswer } from '../domain/owners.ts';
import type { LargeRows } from '../domain/formats/in-format.ts';

/** An answer that can be read but once. */
export type ReadOnce = LargeAnswer | LargeRows;

/**
 * An answer turned out to be too large to be shared or kept: thrown where one of those was expected. The first who takes it
 * has it; everybody else of the same flight has to ask for one of their own.
 */
export class LargeFound extends Error {
  override readonly name = 'LargeFound';
  #answer: ReadOnce | undefined;

  constructor(answer: ReadOnce) {
    super('The answer is too large to be shared');
    this.#answer = answer;
    // Whoever waits for it is there by then; a flight for nobody but the cache is taken by nobody.
    setImmediate(() => this.take()?.discard());
  }

  /** The answer, if nobody has it yet. */
  take(): ReadOnce | undefined {
    const answer = this.#answer;
    this.#answer = undefined;
    return answer;
  }
}
