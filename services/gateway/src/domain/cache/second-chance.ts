/** Something kept that takes memory. */
export interface Sized {
  /** In bytes, all that belongs to it included. */
  size: number;
  /** Whether it was used since the last look: it is set by whoever uses it, so that a use costs next to nothing. */
  wasUsed: boolean;
}

/**
 * A map bounded in bytes. When it is full the oldest goes, but for what was used meanwhile: that has a second chance and is
 * as new as any (the CLOCK algorithm, which comes close to least recently used). What is asked for once, such as by somebody
 * who walks through everything, goes before what others come back for.
 */
export class SecondChanceMap<Value extends Sized> {
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

  /** Puts a value in the place of the one before. One that is larger than all there may be is not kept. */
  set(key: string, value: Value): void {
    this.delete(key);
    this.#values.set(key, value);
    this.#bytes += value.size;
    this.#makeRoom();
  }

  delete(key: string): Value | undefined {
    const value = this.#values.get(key);
    if (value === undefined) return undefined;
    this.#values.delete(key);
    this.#bytes -= value.size;
    return value;
  }

  /** A value that is kept takes more or less than before. */
  resize(key: string, size: number): void {
    const value = this.#values.get(key);
    if (value === undefined) return;
    this.#bytes += size - value.size;
    value.size = size;
    this.#makeRoom();
  }

  #makeRoom(): void {
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
