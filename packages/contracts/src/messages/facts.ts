import { z } from 'zod';
import { count, matchPeakPlayers, maxPlayers } from '../operations/fields.ts';
import { gameMetadata } from '../operations/games.ts';
import { now } from '../operations/now.ts';
import { tags, titleId } from '../primitives/keys.ts';
import { instant, slotInstant } from '../primitives/time.ts';
import { messageType } from './message-type.ts';

export const slotStored = messageType({
  key: 'slot.stored',
  exchange: 'facts',
  summary: 'A slot is durable and can be read.',
  producer: 'series-api',
  consumers: [],
  data: z.strictObject({ slot: slotInstant, online: count, lobbies: count.nullable() }),
  example: { slot: '2026-01-31T18:05:00Z', online: 312, lobbies: null },
  tags: () => [tags.slots, tags.daily],
});

export const slotRemoved = messageType({
  key: 'slot.removed',
  exchange: 'facts',
  summary: 'Withdrawn slots can no longer be read, and what followed from them is derived again.',
  producer: 'series-api',
  consumers: [],
  data: z.strictObject({ from: slotInstant, to: slotInstant, withdrawnAt: instant }),
  example: { from: '2026-01-31T18:05:00Z', to: '2026-01-31T18:10:00Z', withdrawnAt: '2026-01-31T20:11:40Z' },
  tags: () => [tags.slots, tags.daily],
});

export const nowChanged = messageType({
  key: 'now.changed',
  exchange: 'facts',
  summary: 'The newest live slot in short, as in responses.',
  producer: 'series-api',
  consumers: [],
  data: now,
  example: {
    slot: '2026-01-31 18:05:00',
    online: 312,
    lobbies: 41,
    registered: 48211,
    gamesWithPlayers: 37,
    busiestGames: [{ titleId: '4d530064', gameName: 'Harbor Racing', online: 41, lobbies: 6 }],
  },
  // slot.stored invalidates the response.
  tags: () => [],
});

export const matchOpened = messageType({
  key: 'match.opened',
  exchange: 'facts',
  summary:
    'Matches that appear first in a slot. Those of the first slot of a title are left out, also after an outage of more than an hour.',
  producer: 'series-api',
  consumers: [],
  data: z.strictObject({
    slot: slotInstant,
    matches: z.array(z.strictObject({ titleId, host: z.string(), players: count, maxPlayers })),
  }),
  example: {
    slot: '2026-01-31T18:05:00Z',
    matches: [{ titleId: '4d530064', host: 'Grey Owl', players: 1, maxPlayers: 8 }],
  },
  // slot.stored invalidates the responses that show them.
  tags: () => [],
});

export const matchEnded = messageType({
  key: 'match.ended',
  exchange: 'facts',
  summary: 'Matches whose end a slot proves: their hosts are no longer listed.',
  producer: 'series-api',
  consumers: ['user-api'],
  data: z.strictObject({
    slot: slotInstant,
    matches: z.array(
      z.strictObject({
        titleId,
        host: z.string(),
        startedAt: slotInstant,
        endedAt: slotInstant,
        players: count,
        maxPlayers,
        peakPlayers: matchPeakPlayers,
      }),
    ),
    retracted: z
      .array(z.strictObject({ titleId, host: z.string(), endedAt: slotInstant }))
      .optional()
      .meta({ description: 'Ends that were published and are none by what is known now' }),
  }),
  example: {
    slot: '2026-01-31T18:05:00Z',
    matches: [
      {
        titleId: '4d530064',
        host: 'Ember Fox',
        startedAt: '2026-01-31T17:20:00Z',
        endedAt: '2026-01-31T17:50:00Z',
        players: 2,
        maxPlayers: 8,
        peakPlayers: 7,
      },
    ],
  },
  tags: () => [tags.slots],
});

export const titleStored = messageType({
  key: 'title.stored',
  exchange: 'facts',
  summary: 'Titles that are new or have changed, as in responses, and titles that no list has any more.',
  producer: 'catalog-api',
  consumers: ['series-api', 'user-api'],
  data: z.strictObject({
    revision: z
      .int()
      .positive()
      .meta({ description: 'Increases with each change of the titles; the highest is current' }),
    titles: z.array(gameMetadata),
    retired: z
      .array(titleId)
      .optional()
      .meta({ description: 'Not on the homepage for 30 days; they come back once it has them' }),
  }),
  example: {
    revision: 12,
    titles: [
      {
        titleId: '4d530064',
        name: 'Harbor Racing',
        title: 'Harbor Racing: Open Water',
        image: 'https://network.example/icons/4d530064.png',
        publisher: 'Northlight',
        releaseDate: '2001-11-15',
        productCode: 'MS-100',
      },
    ],
  },
  tags: ({ titles, retired = [] }) => [
    tags.titles,
    ...[...titles.map(({ titleId: id }) => id), ...retired].map((id) => tags.title(id)),
  ],
});
