export interface EvictableEntry {
  /** Bytes. */
  size: number;
  /** Set on every use, cleared by the eviction scan. */
  wasUsed: boolean;
}

/**
 * A map bounded in bytes, with CLOCK eviction (https://en.wikipedia.org/wiki/Page_replacement_algorithm#Clock): a use
 * costs one flag. Entries used once, as by a crawler, are evicted before those used again.
 */
export class SecondChanceMap<Value extends EvictableEntry> {
  readonly #values = new Map<string, Value>();
  readonly #maxBytes: number;
  readonly #onEvicted: (key: string, value: Value) => void;
  #bytes = 0;

  constructor(maxBytes: number, onEvicted: (key: string, value: Value) => void) {
    this.#maxBytes = maxBytes;
    this.#onEvicted = onEvicted;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get count(): number {
    return this.#values.size;
  }

  get(key: string): Value | undefined {
    return this.#values.get(key);
  }

  keys(): Iterable<string> {
    return this.#values.keys();
  }

  /** A value larger than the bound is not stored. */
  set(key: string, value: Value): void {
    this.delete(key);
    this.#values.set(key, value);
    this.#bytes += value.size;
    this.#evict();
  }

  delete(key: string): Value | undefined {
    const value = this.#values.get(key);
    if (value === undefined) return undefined;
    this.#values.delete(key);
    this.#bytes -= value.size;
    return value;
  }

  /** Updates an entry's size. */
  resize(key: string, size: number): void {
    const value = this.#values.get(key);
    if (value === undefined) return;
    this.#bytes += size - value.size;
    value.size = size;
    this.#evict();
  }

  #evict(): void {
    for (const [key, value] of this.#values) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#values.delete(key);
      if (value.wasUsed && value.size <= this.#maxBytes) {
        value.wasUsed = false;
        this.#values.set(key, value);
      } else {
        this.#bytes -= value.size;
        this.#onEvicted(key, value);
      }
    }
  }
}
