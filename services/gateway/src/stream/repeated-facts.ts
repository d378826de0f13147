import { matchEnded, matchOpened, nowChanged, slotStored, type Message } from '@lobbystats/contracts';

/** Number of the newest facts, and of the newest slots, that are remembered. */
const REMEMBERED_MAX = 4096;

/**
 * Recognizes facts that have been published before. Two instances of series-api publish the same facts, with the same
 * IDs unless one of them stored slots in another order, as it does when it catches up after an outage: then its facts
 * about a slot may differ, so only those that precede the slot's own fact count, which is published last.
 */
export class RepeatedFacts {
  readonly #hasSeriesInstances: boolean;
  readonly #ids = new RecentSet();
  readonly #slots = new RecentSet();
  #newestNow = '';

  constructor({ hasSeriesInstances }: { hasSeriesInstances: boolean }) {
    this.#hasSeriesInstances = hasSeriesInstances;
  }

  /** Remembers the fact. */
  has({ id, type, occurredAt }: Pick<Message, 'id' | 'type' | 'occurredAt'>): boolean {
    if (!this.#ids.add(id)) return true;
    return this.#hasSeriesInstances && this.#isOfKnownSlot(type, occurredAt);
  }

  #isOfKnownSlot(type: string, slot: string): boolean {
    switch (type) {
      case slotStored.key:
        return !this.#slots.add(slot);
      case matchOpened.key:
      case matchEnded.key:
        return this.#slots.has(slot);
      case nowChanged.key: {
        const isOld = slot <= this.#newestNow;
        if (!isOld) this.#newestNow = slot;
        return isOld;
      }
      default:
        return false;
    }
  }
}

/** The newest texts that were added. */
class RecentSet {
  readonly #texts = new Set<string>();

  has(text: string): boolean {
    return this.#texts.has(text);
  }

  /** Returns false if it is there already. */
  add(text: string): boolean {
    if (this.#texts.has(text)) return false;
    this.#texts.add(text);
    const [oldest] = this.#texts;
    if (this.#texts.size > REMEMBERED_MAX && oldest !== undefined) this.#texts.delete(oldest);
    return true;
  }
}
