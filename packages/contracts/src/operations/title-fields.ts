import { z } from 'zod';
import { titleId } from '../primitives/title-id.ts';

/** No path parameters, or no query. */
export const none = z.object({});

/** The path parameters of a title's resource. */
export const titleParams = z.object({ titleId });

/** The name by which routes find a game: unique, because a later title of the same name carries its ID: `Name (titleId)`. */
export const gameName = z
  .string()
  .meta({ description: 'Name of the game, as routes find it; "" while it is unknown', example: 'Harbor Racing' });

/** What begins every answer about one title. */
export const titleHead = { titleId, gameName };
