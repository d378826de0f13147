import { z } from 'zod';
import { gameMetadata } from '../operations/games.ts';
import { tags } from '../operations/tags.ts';
import { slotInstant } from '../primitives/time.ts';
import { titleId } from '../primitives/title-id.ts';
import { messageType } from './message-type.ts';

const count = z.int().nonnegative();

export const slotStored = messageType({
  key: 'slot.stored',
  version: 1,
  exchange: 'facts',
  summary: 'A slot is durable and can be read.',
  producer: 'series-api',
  consumers: [],
  data: z.strictObject({ slot: slotInstant, online: count, lobbies: count.nullable() }),
  tags: () => [tags.slots, tags.daily],
});

export const matchEnded = messageType({
  key: 'match.ended',
  version: 1,
  exchange: 'facts',
  summary: 'Matches whose hosts were gone in a slot: all that ended between it and the slot before.',
  producer: 'series-api',
  consumers: [],
  data: z.strictObject({
    slot: slotInstant,
    matches: z.array(
      z.strictObject({
        titleId,
        host: z.string(),
        startedAt: slotInstant,
        endedAt: slotInstant,
        players: count,
        maxPlayers: count,
        peakPlayers: count,
      }),
    ),
  }),
  tags: () => [tags.slots],
});

export const titleStored = messageType({
  key: 'title.stored',
  version: 1,
  exchange: 'facts',
  summary: 'Titles that are new or have changed, as routes show them.',
  producer: 'catalog-api',
  consumers: ['series-api'],
  data: z.strictObject({
    revision: z
      .int()
      .positive()
      .meta({ description: 'Grows with each change of the titles; of two, the higher is right' }),
    titles: z.array(gameMetadata),
  }),
  tags: ({ titles }) => [tags.titles, ...titles.map((title) => tags.title(title.titleId))],
});
