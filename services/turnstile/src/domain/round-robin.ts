/** Where something waits. */
export interface Place {
  /** Gives it up; what has been served already is none any more. */
  leave(): void;
}

/** What waits, by name: names are served in turn, and what one of them has waiting in its order. */
export class RoundRobin<Item> {
  /** The first name is the next one. None is without an item. */
  readonly #byName = new Map<string, Set<{ item: Item }>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  enter(name: string, item: Item): Place {
    const entry = { item };
    const ofName = this.#byName.get(name) ?? new Set();
    this.#byName.set(name, ofName.add(entry));
    this.#size += 1;
    return { leave: () => this.#remove(name, entry) };
  }

  /** Takes out what is next, if there is any; what else has its name comes after everybody else. */
  next(): Item | undefined {
    const [first] = this.#byName;
    if (first === undefined) return undefined;
    const [name, ofName] = first;
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
