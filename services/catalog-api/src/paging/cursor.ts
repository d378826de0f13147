import { AppError } from '@lobbystats/contracts/errors';

export function toCursor(text: string): string {
  return Buffer.from(text).toString('base64url');
}

/**
 * Returns the groups of a pattern in the text of a cursor.
 *
 * @throws AppError `invalid` unless {@link toCursor} returns the cursor for a text of that pattern
 */
export function readCursor(cursor: string, pattern: RegExp): readonly string[] {
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const groups = pattern.exec(text);
  // Decoding accepts stray characters; re-encoding must give the same text.
  if (groups === null || toCursor(text) !== cursor) throw unknownCursor();
  return groups.slice(1);
}

export function unknownCursor(): AppError {
  return new AppError('invalid', 'cursor must be one that an answer gave');
}
