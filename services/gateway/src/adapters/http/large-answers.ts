import { toldElsewhere } from '@lobbystats/service-kit';
import type { IncomingBody } from './incoming-body.ts';

/** How many large answers of an owner are handed on at once: each keeps a connection to it. */
const UNDER_WAY_MAX = 16;
/** A reader that has taken nothing for so long may be dropped for another one. */
const STALLED_MS = 1000;

/**
 * The large answers of one owner that are being read. When all permits are taken, the reader that has stalled for longest is
 * dropped: slow readers, from however many addresses, keep nobody out.
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
