import { z } from 'zod';
import { emptyToUndefined } from './query.ts';

/** Largest id and rank of the network. */
export const NUMBER_MAX = 2_147_483_647;

/** A network id in a path. */
export const pathId = z
  .string()
  .regex(/^[0-9]{1,10}$/)
  .transform(Number)
  .refine((id) => id <= NUMBER_MAX)
  .meta({ type: 'integer', minimum: 0, maximum: NUMBER_MAX });

/** Id of a leaderboard or event. */
export const networkId = z.int().min(0).max(NUMBER_MAX);

/** Case-insensitive; lower case once parsed. */
export const titleId = z
  .string()
  .regex(/^[0-9a-fA-F]{8}$/, 'must be 8 hexadecimal digits')
  .toLowerCase()
  .meta({ description: 'Title ID, 8 hexadecimal digits', example: '4d530064' });

/** A filter. A malformed value isn't rejected: it is an unknown title. */
export const titleFilter = z
  .string({ error: 'must be a title ID' })
  .toLowerCase()
  .transform(emptyToUndefined)
  .optional()
  .meta({ description: 'Only of this title; empty is no filter' });

export function isTitleId(text: string): boolean {
  return titleId.safeParse(text).success;
}
