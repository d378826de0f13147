import { AppError } from '@lobbystats/errors';

/** A place in the log of changes, and which way the pages go from it. */
export interface ChangePlace {
  /** `older`: ids below this one, downwards; `newer`: ids above it, upwards. */
  readonly towards: 'older' | 'newer';
  readonly id: number;
}

const FORM = /^changes (older|newer) (0|[1-9][0-9]{0,15})$/;

/** A place as callers hold it: opaque. It names a change, not a distance, so that what comes in later moves nothing. */
export function encodeCursor({ towards, id }: ChangePlace): string {
  return Buffer.from(`changes ${towards} ${id}`).toString('base64url');
}

/** @throws AppError `invalid` for any text that {@link encodeCursor} doesn't make */
export function decodeCursor(cursor: string): ChangePlace {
  const [, towards, digits] = FORM.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  const place = { towards: towards === 'newer' ? 'newer' : 'older', id: Number(digits) } as const;
  // Decoding is lenient towards foreign characters and spare bits: one place has one cursor alone.
  if (digits === undefined || !Number.isSafeInteger(place.id) || encodeCursor(place) !== cursor) {
    throw new AppError('invalid', 'cursor must be one that an answer gave');
  }
  return place;
}
