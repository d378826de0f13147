/** Bytes of JSON's signs. */
export const sign = {
  quote: 0x22,
  comma: 0x2c,
  colon: 0x3a,
  openArray: 0x5b,
  backslash: 0x5c,
  closeArray: 0x5d,
  openObject: 0x7b,
  closeObject: 0x7d,
} as const;

/** What {@link byteAt} gives behind the last byte: less than every byte. */
export const END = -1;

/** A byte, or `END`. */
export function byteAt(bytes: Buffer, index: number): number {
  return bytes[index] ?? END;
}

/** The first place from `from` on that is no white space. */
export function skipSpace(bytes: Buffer, from: number): number {
  let index = from;
  while (isSpace(byteAt(bytes, index))) index += 1;
  return index;
}

/**
 * The place behind a sign that comes next, `END` where no more bytes have come.
 *
 * @throws SyntaxError where something else comes next
 */
export function behind(bytes: Buffer, from: number, expected: number): number {
  const index = skipSpace(bytes, from);
  const byte = byteAt(bytes, index);
  if (byte === expected) return index + 1;
  if (byte === END) return END;
  throw new SyntaxError(`${String.fromCharCode(expected)} is missing`);
}

/**
 * Where the JSON value that begins at `from` ends: the place behind it, or `END` while bytes of it are still to come. It counts
 * brackets and heeds strings; whether the value is sound is for who reads it.
 *
 * @throws SyntaxError where no value begins
 */
export function valueEnd(bytes: Buffer, from: number): number {
  const first = byteAt(bytes, from);
  if (first === sign.quote) return stringEnd(bytes, from);
  if (first === sign.openObject || first === sign.openArray) return bracketEnd(bytes, from);
  let index = from;
  while (!endsScalar(byteAt(bytes, index))) index += 1;
  if (index === from && first !== END) throw new SyntaxError('A value is missing');
  // A number may go on in the bytes to come.
  return index < bytes.length ? index : END;
}

function stringEnd(bytes: Buffer, from: number): number {
  for (let index = from + 1; index < bytes.length; index += 1) {
    const byte = byteAt(bytes, index);
    if (byte === sign.quote) return index + 1;
    if (byte === sign.backslash) index += 1;
  }
  return END;
}

function bracketEnd(bytes: Buffer, from: number): number {
  let depth = 0;
  let isInString = false;
  for (let index = from; index < bytes.length; index += 1) {
    const byte = byteAt(bytes, index);
    if (byte === sign.quote) isInString = !isInString;
    else if (isInString) {
      if (byte === sign.backslash) index += 1;
    } else if (byte === sign.openObject || byte === sign.openArray) depth += 1;
    else if (byte === sign.closeObject || byte === sign.closeArray) {
      depth -= 1;
      if (depth === 0) return index + 1;
    }
  }
  return END;
}

function endsScalar(byte: number): boolean {
  return byte === sign.comma || byte === sign.closeObject || byte === sign.closeArray || byte === END || isSpace(byte);
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
