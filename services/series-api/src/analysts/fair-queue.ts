export interface QueueEntry {
  remove(): void;
}

export class FairQueue<Item> {
  readonly #byName = new Map<string, Set<{ item: Item }>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  enqueue(name: string, item: Item): QueueEntry {
    const entry = { item };
    const ofName = this.#byName.get(name) ?? new Set();
    this.#byName.set(name, ofName.add(entry));
    this.#size += 1;
    return { remove: () => this.#remove(name, entry) };
  }

  /** Names with items, the next one first. */
  names(): string[] {
    return [...this.#byName.keys()];
  }

  /** Takes the next item of the first name that may have its turn; the name moves to the end. */
  dequeue(mayBeServed: (name: string) => boolean): Item | undefined {
    const name = this.names().find(mayBeServed);
    if (name === undefined) return undefined;
    const ofName = this.#byName.get(name) ?? new Set();
    const [entry] = ofName;
    if (entry === undefined) return undefined;
    this.#remove(name, entry);
    if (this.#byName.delete(name)) this.#byName.set(name, ofName);
    return entry.item;
  }

  #remove(name: string, entry: { item: Item }): void {
    const ofName = this.#byName.get(name);
    if (ofName?.delete(entry) !== true) return;
    this.#size -= 1;
    if (ofName.size === 0) this.#byName.delete(name);
  }
}
