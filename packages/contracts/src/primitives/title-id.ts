import { z } from 'zod';
import { unlessEmpty } from './query.ts';

/** A game's title ID: 8 hexadecimal digits, matched case-insensitively, always in lower case once parsed. */
export const titleId = z
  .string()
  .regex(/^[0-9a-fA-F]{8}$/, 'must be 8 hexadecimal digits')
  .toLowerCase()
  .meta({ description: 'Title ID, 8 hexadecimal digits', example: '4d530064' });

/**
 * A title that restricts a list or a search; empty is no restriction. A value of another form is not refused: it is an
 * unknown title.
 */
export const ofTitle = z
  .string({ error: 'must be a title ID' })
  .toLowerCase()
  .transform(unlessEmpty)
  .optional()
  .meta({ description: 'Only of this title; empty is no filter' });

/** Whether a text has the form of a title ID. */
export function isTitleId(text: string): boolean {
  return titleId.safeParse(text).success;
}
