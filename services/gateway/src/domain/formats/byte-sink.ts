/** What a sink keeps of its room for the next use, in bytes. */
const KEPT_BYTES_MAX = 2 * 1024 * 1024;

/** Bytes written one after the other. It is used again and again: new memory for each use would cost more than the writing. */
export class ByteSink {
  #bytes = Buffer.alloc(0);
  /** Of what is written, in bytes. */
  length = 0;

  /** Where bytes may be written from `length` on, with room for so many: whoever does it moves `length` on. */
  roomFor(bytes: number): Buffer {
    const needed = this.length + bytes;
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
      this.#bytes.copy(larger, 0, 0, this.length);
      this.#bytes = larger;
    }
    return this.#bytes;
  }

  text(text: string): void {
    this.length += this.roomFor(Buffer.byteLength(text)).write(text, this.length);
  }

  /** What was written, in memory of its own. The sink is empty then. */
  take(): Buffer {
    const written = Buffer.copyBytesFrom(this.#bytes, 0, this.length);
    this.clear();
    return written;
  }

  clear(): void {
    this.length = 0;
    if (this.#bytes.length > KEPT_BYTES_MAX) this.#bytes = Buffer.alloc(0);
  }
}
