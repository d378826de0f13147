interface Entry<Item> {
  readonly item: Item;
  /** Its place in the list; -1: it has left. */
  at: number;
}

/**
 * What is there at the moment, of what comes and goes by the thousand. Not a Set: when V8 makes a new table for one, the old table
 * points to it, and once a table has grown old all that was ever in those behind it waits for a full collection, a few of
 * them a second and every small one a hundred times as long (bench `gateway-cache`).
 */
export class Roster<Item> implements Iterable<Item> {
  readonly #entries: Entry<Item>[] = [];

  /** @returns takes it out again; to do so twice is nothing */
  enter(item: Item): () => void {
    const entry = { item, at: this.#entries.length };
    this.#entries.push(entry);
    return () => this.#leave(entry);
  }

  /** In no order. What leaves meanwhile may be among them. */
  [Symbol.iterator](): ArrayIterator<Item> {
    return this.#entries.map(({ item }) => item).values();
  }

  #leave(entry: Entry<Item>): void {
    if (entry.at === -1) return;
    const last = this.#entries.pop();
    if (last !== undefined && last !== entry) {
      this.#entries[entry.at] = last;
      last.at = entry.at;
    }
    entry.at = -1;
  }
}
