import { z } from 'zod';

/** A game's title ID: 8 hexadecimal digits, matched case-insensitively, always in lower case once parsed. */
export const titleId = z
  .string()
  .regex(/^[0-9a-fA-F]{8}$/, 'must be 8 hexadecimal digits')
  .toLowerCase()
  .meta({ description: 'Title ID, 8 hexadecimal digits', example: '4d530064' });

/** Whether a text has the form of a title ID. */
export function isTitleId(text: string): boolean {
  return titleId.safeParse(text).success;
}
