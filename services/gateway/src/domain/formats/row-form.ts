import type { ByteSink } from './byte-sink.ts';

/** How rows are written in one of their formats. */
export interface RowForm {
  /** What stands before the first row. */
  readonly head: string;
  /**
   * Writes the row whose JSON begins at `from`, and any of those that follow it with nothing but a comma between them.
   *
   * @returns the place behind the last one's JSON; `END`, with nothing written, while bytes of the first are still to come
   * @throws SyntaxError for what is no such row
   */
  writeRows(bytes: Buffer, from: number, sink: ByteSink): number;
}
