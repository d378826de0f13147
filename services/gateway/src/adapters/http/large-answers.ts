import { toldElsewhere } from '@lobbystats/service-kit';
import type { IncomingBody } from './incoming-body.ts';

/** Streaming answers of one upstream at once; each holds a connection. */
const UNDER_WAY_MAX = 16;
/** A reader that has taken nothing for so long may be dropped for another one. */
const STALLED_MS = 1000;

/**
 * Limits streaming answers of one upstream. When all permits are taken, the reader that has stalled longest is dropped,
 * so that slow readers block nobody.
 */
export class LargeAnswers {
  readonly #underWay = new Set<IncomingBody>();
  readonly #onDropped: () => void;

  /** @param onDropped called for each reader that is dropped */
  constructor(onDropped: () => void) {
    this.#onDropped = onDropped;
  }

  /**
   * Takes a permit for an answer until that is closed.
   *
   * @throws Error when all permits are taken and no reader has stalled: the answer is destroyed
   */
  admit(answer: IncomingBody): void {
    if (this.#underWay.size >= UNDER_WAY_MAX && !this.#dropStalled()) {
      answer.destroy();
      throw new Error('too many large answers are under way already');
    }
    this.#underWay.add(answer);
    answer.once('close', () => {
      this.#underWay.delete(answer);
    });
  }

  #dropStalled(): boolean {
    const [slowest] = [...this.#underWay].toSorted((one, other) => other.stalledMs - one.stalledMs);
    if (slowest === undefined || slowest.stalledMs < STALLED_MS) return false;
    this.#underWay.delete(slowest);
    slowest.destroy(toldElsewhere(new Error('a large answer was read too slowly while others waited')));
    this.#onDropped();
    return true;
  }
}
