import { AppError } from '@lobbystats/errors';

/** A cursor into the log of changes, with its direction. */
export interface ChangeCursor {
  /** `older`: lower ids, descending. `newer`: higher ids, ascending. */
  readonly direction: 'older' | 'newer';
  readonly id: number;
}

const CURSOR_PATTERN = /^changes (older|newer) (0|[1-9][0-9]{0,15})$/;

export function encodeCursor({ direction, id }: ChangeCursor): string {
  return Buffer.from(`changes ${direction} ${id}`).toString('base64url');
}

/** @throws AppError `invalid` for any text that {@link encodeCursor} doesn't return */
export function decodeCursor(cursor: string): ChangeCursor {
  const [, towards, digits] = CURSOR_PATTERN.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  const changeCursor = { direction: towards === 'newer' ? 'newer' : 'older', id: Number(digits) } as const;
  // Decoding accepts stray characters; re-encoding must give the same text.
  if (digits === undefined || !Number.isSafeInteger(changeCursor.id) || encodeCursor(changeCursor) !== cursor) {
    throw new AppError('invalid', 'cursor must be one that an answer gave');
  }
  return changeCursor;
}
