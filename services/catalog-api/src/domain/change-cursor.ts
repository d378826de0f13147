import { AppError } from '@lobbystats/errors';

/** A cursor into the log of changes, with its direction. */
export interface ChangePlace {
  /** `older`: lower ids, descending. `newer`: higher ids, ascending. */
  readonly towards: 'older' | 'newer';
  readonly id: number;
}

const FORM = /^changes (older|newer) (0|[1-9][0-9]{0,15})$/;

export function encodeCursor({ towards, id }: ChangePlace): string {
  return Buffer.from(`changes ${towards} ${id}`).toString('base64url');
}

/** @throws AppError `invalid` for any text that {@link encodeCursor} doesn't make */
export function decodeCursor(cursor: string): ChangePlace {
  const [, towards, digits] = FORM.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  const place = { towards: towards === 'newer' ? 'newer' : 'older', id: Number(digits) } as const;
  // Decoding accepts stray characters; re-encoding must give the same text.
  if (digits === undefined || !Number.isSafeInteger(place.id) || encodeCursor(place) !== cursor) {
    throw new AppError('invalid', 'cursor must be one that an answer gave');
  }
  return place;
}
