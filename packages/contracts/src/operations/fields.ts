import { z } from 'zod';
import { titleFilter, titleId } from '../primitives/keys.ts';
import { emptyToUndefined } from '../primitives/query.ts';

/** An object with a name in the OpenAPI document and the client's types. `.extend()` and `.optional()` return one without. */
export function namedObject<Shape extends z.ZodRawShape>(id: string, shape: Shape) {
  return z.strictObject(shape).meta({ id });
}

/** No path parameters, or no query. */
export const none = z.object({});
export const count = z.int().nonnegative();
export const mean = z.number().nonnegative().meta({ description: 'At most 2 decimals' });
export const publicGet = { method: 'GET', audience: 'public', session: 'none' } as const;
export const internalGet = { ...publicGet, audience: 'internal' } as const;

export const page = {
  total: count.meta({ description: 'Elements on all pages' }),
  limit: z.int(),
  offset: z.int(),
  hasMore: z.boolean(),
};
/** For routes that add the fields only if the request has an offset. */
export const optionalPage = z.object(page).partial().shape;

export const titleParams = z.object({ titleId });

/** A filter by game of public lists. The gateway resolves `game`: services get the title ID alone. */
export const gameFilters = {
  titleId: titleFilter,
  game: z
    .string({ error: 'must be given once' })
    .transform(emptyToUndefined)
    .optional()
    .meta({ description: 'Name of a game, or a title ID; empty is no filter. Not with another `titleId`' }),
};

/** Unique: a later title of the same name is called `Name (titleId)`. */
export const gameName = z
  .string()
  .meta({ description: 'Name of the game, as routes find it; "" while it is unknown', example: 'Harbor Racing' });

export const titleHead = { titleId, gameName };

export const openLobbies = count.meta({
  description: 'Lobbies that were open at once in that snapshot; with buckets their rounded mean',
});
export const matchesOpen = count.meta({
  description: 'Matches with a snapshot on that UTC day; one that spans midnight counts on both days',
});
export const matchesBegun = count.meta({ description: 'Matches that began on that UTC day, however long they lasted' });
export const matchIdField = z.string().meta({
  description: 'Id of the match; it stays the same while the match lasts',
  example: '4d530064-1769880000-Ember Fox',
});
export const maxPlayers = count.meta({
  description: 'How many players the lobby admits; 0 = unknown, even if there are players',
});
export const matchPeakPlayers = count.meta({ description: 'Most players of this one match in any snapshot' });
export const summedPeakPlayers = count.meta({
  description: 'Most players in one snapshot, summed over all hosts of the game that were open at once',
});

/** @param period such as "that UTC day" */
export function uniqueHosts(period: string) {
  return count.meta({
    description: `Different hosts with an open lobby in any snapshot of ${period}; each counts once`,
  });
}
