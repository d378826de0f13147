import { z } from 'zod';

/** A game's title ID: 8 hexadecimal digits, matched case-insensitively, always in lower case once parsed. */
export const titleId = z
  .string()
  .regex(/^[0-9a-fA-F]{8}$/, 'must be 8 hexadecimal digits')
  .toLowerCase()
  .meta({ description: 'Title ID, 8 hexadecimal digits', example: '4d530064' });

/** A title that a list is of, or that is searched in. One of another form is as unknown as any: no fault of the form. */
export const ofTitle = z.string({ error: 'must be a title ID' }).toLowerCase().optional();

/** Whether a text has the form of a title ID. */
export function isTitleId(text: string): boolean {
  return titleId.safeParse(text).success;
}
