import type { ByteSink } from './byte-sink.ts';
import { byteAt, END, sign } from './json-bytes.ts';

const APOSTROPHE = 0x27;
const CR = 0x0d;
const LF = 0x0a;
const N = 0x6e;
/** First byte in UTF-8 of U+F000 to U+FFFF, where the full-width `=`, `+`, `-` and `@` are. */
const MAYBE_FULL_WIDTH = 0xef;

/** By byte: 1 for what may stand in a plain text, none of which has to be quoted or read. The end is in none of them. */
const PLAIN_IN_TEXT = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < 0x20 || byte === sign.quote || byte === sign.backslash || byte === sign.comma ? 0 : 1,
);
/** The same for numbers, true, false and null. */
const PLAIN_IN_SCALAR = Uint8Array.from({ length: 256 }, (_, byte) =>
  /[-+.0-9A-Za-z]/.test(String.fromCharCode(byte)) ? 1 : 0,
);

/** What comes before each column's value in a plain row. */
export function beginningsOf(columns: readonly string[]): readonly Buffer[] {
  return columns.map((name, index) => Buffer.from(`${index === 0 ? '{' : ','}${JSON.stringify(name)}:`));
}

/**
 * Writes the lines of as many plain rows as follow one another: those of just these columns in this order, without white space,
 * nested values, texts with escapes or commas, and texts that may begin with a full-width sign. Their bytes are copied, in a
 * third of the time that reading them as JSON takes.
 *
 * @returns the place behind the last of them; `END`, with nothing written, where the first isn't plain or not all there
 */
export function copyPlainRows(bytes: Buffer, from: number, beginnings: readonly Buffer[], sink: ByteSink): number {
  // A cell is shorter than its JSON with its name, so that a line is no longer than its row.
  const lines = sink.roomFor(bytes.length - from);
  let end = END;
  let row = from;
  for (;;) {
    const begin = sink.length;
    const behind = copyPlainRow(bytes, row, beginnings, lines, sink);
    if (behind === END) {
      sink.length = begin;
      return end;
    }
    end = behind;
    if (byteAt(bytes, end) !== sign.comma) return end;
    row = end + 1;
  }
}

function copyPlainRow(
  bytes: Buffer,
  from: number,
  beginnings: readonly Buffer[],
  lines: Buffer,
  sink: ByteSink,
): number {
  const begin = sink.length;
  let index = from;
  // An iterator would take a third of the time.
  for (let column = 0; column < beginnings.length; column += 1) {
    const beginning = beginnings[column];
    if (beginning === undefined || !startsWith(bytes, index, beginning)) return END;
    if (column > 0) lines[sink.length++] = sign.comma;
    index = copyCell(bytes, index + beginning.length, lines, sink);
    if (index === END) return END;
  }
  if (byteAt(bytes, index) !== sign.closeObject || sink.length === begin) return END;
  lines[sink.length++] = CR;
  lines[sink.length++] = LF;
  return index + 1;
}

function copyCell(bytes: Buffer, from: number, lines: Buffer, sink: ByteSink): number {
  const isText = byteAt(bytes, from) === sign.quote;
  const plain = isText ? PLAIN_IN_TEXT : PLAIN_IN_SCALAR;
  let index = isText ? from + 1 : from;
  let byte = byteAt(bytes, index);
  if (byte === MAYBE_FULL_WIDTH) return END;
  // Null is an empty cell.
  const isNull = !isText && byte === N;
  let at = sink.length;
  if (isActive(byte)) lines[at++] = APOSTROPHE;
  while (plain[byte] === 1) {
    lines[at++] = byte;
    index += 1;
    byte = byteAt(bytes, index);
  }
  if (!isNull) sink.length = at;
  if (!isText) return byte === sign.comma || byte === sign.closeObject ? index : END;
  return byte === sign.quote ? index + 1 : END;
}

/** `=`, `+`, `-`, `@`. Tab, CR and LF are escaped in JSON and full-width signs are left to the other path: neither is plain. */
function isActive(byte: number): boolean {
  return byte === 0x3d || byte === 0x2b || byte === 0x2d || byte === 0x40;
}

function startsWith(bytes: Buffer, from: number, beginning: Buffer): boolean {
  if (from + beginning.length > bytes.length) return false;
  for (let offset = 0; offset < beginning.length; offset += 1) {
    if (bytes[from + offset] !== beginning[offset]) return false;
  }
  return true;
}
