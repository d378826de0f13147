import type { RowFormat, RowShape } from '@lobbystats/contracts';
import { ByteSink } from './byte-sink.ts';
import { csvRows } from './csv-rows.ts';
import { behind, byteAt, END, sign, skipSpace } from './json-bytes.ts';
import { ndjsonRows } from './ndjson-rows.ts';
import type { RowForm } from './row-form.ts';
import { rowsBegin } from './rows-begin.ts';

/** Far above any row, and all that stands in front of the rows. What is longer is broken, and would be held whole. */
const UNREAD_BYTES_MAX = 256 * 1024;
/** Of all renderers: none uses it longer than a call takes. */
const sink = new ByteSink();

/**
 * Makes an answer's JSON, as it comes in, into its rows in another format. It holds no more of it than one row that has not yet
 * come to its end.
 */
export class RowRenderer {
  readonly #at: string;
  readonly #form: RowForm;
  #place: 'before' | 'first' | 'next' | 'behind' = 'before';
  #unread: Buffer = Buffer.alloc(0);

  constructor(shape: RowShape, format: RowFormat) {
    this.#at = shape.at;
    this.#form = format === 'csv' ? csvRows(shape) : ndjsonRows;
  }

  /**
   * What becomes of the answer's next bytes.
   *
   * @throws SyntaxError for what isn't an answer with such rows
   */
  push(chunk: Buffer): Buffer {
    const bytes = this.#unread.length === 0 ? chunk : Buffer.concat([this.#unread, chunk]);
    sink.clear();
    const begin = this.#place === 'before' ? this.#enter(bytes) : 0;
    const unreadFrom = this.#place === 'before' ? begin : this.#writeRows(bytes, begin);
    this.#unread = bytes.subarray(unreadFrom);
    if (this.#unread.length > UNREAD_BYTES_MAX) throw new SyntaxError('A row is too long');
    return sink.take();
  }

  /** @throws SyntaxError unless all rows have come in */
  end(): void {
    if (this.#place !== 'behind') throw new SyntaxError('The answer ends before its rows do');
  }

  /** Up to the first row; 0 as long as that has not come in. */
  #enter(bytes: Buffer): number {
    const begin = rowsBegin(bytes, this.#at);
    if (begin === END) return 0;
    this.#place = 'first';
    sink.text(this.#form.head);
    return begin;
  }

  /** All rows that have come in whole; gives the place behind the last of them. */
  #writeRows(bytes: Buffer, begin: number): number {
    let read = begin;
    while (this.#place !== 'behind') {
      const next = skipSpace(bytes, read);
      if (byteAt(bytes, next) === sign.closeArray) {
        this.#place = 'behind';
        break;
      }
      const row = this.#place === 'first' ? next : behind(bytes, next, sign.comma);
      const end = row === END ? END : this.#form.writeRows(bytes, skipSpace(bytes, row), sink);
      if (end === END) return read;
      this.#place = 'next';
      read = end;
    }
    return bytes.length;
  }
}
