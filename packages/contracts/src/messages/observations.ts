import { z } from 'zod';
import { maxPlayers } from '../operations/match-fields.ts';
import { date, instant, slotInstant } from '../primitives/time.ts';
import { titleId } from '../primitives/title-id.ts';
import { messageType } from './message-type.ts';

const count = z.int().nonnegative();

/** An open match on a game's page. */
export const observedMatch = z.strictObject({ host: z.string().min(1).max(200), players: count, maxPlayers });
export type ObservedMatch = z.output<typeof observedMatch>;

/**
 * One title in a slot. `sessions` and `players` are those of the homepage's activity cell (`players in sessions`);
 * `matches` is null when the page could not be had: the title is missing in the slot, which is not "no matches".
 */
export const observedTitle = z.strictObject({
  titleId,
  online: count,
  sessions: count,
  players: count,
  matches: z.array(observedMatch).nullable(),
});
export type ObservedTitle = z.output<typeof observedTitle>;

/** A finished slot of the whole network. The titles whose `matches` are null are those that it lacks. */
export const slotObserved = messageType({
  key: 'slot.observed',
  version: 1,
  exchange: 'observations',
  summary: 'A finished 5-minute slot: the site’s counts, every title, its open matches, and which titles are missing.',
  producer: 'collector',
  consumers: ['series-api'],
  data: z.strictObject({
    slot: slotInstant,
    registered: count.nullable(),
    online: count,
    titles: z.array(observedTitle),
  }),
  example: {
    slot: '2026-01-31T18:05:00Z',
    registered: 48211,
    online: 312,
    titles: [
      {
        titleId: '4d530064',
        online: 41,
        sessions: 2,
        players: 9,
        matches: [{ host: 'Ember Fox', players: 6, maxPlayers: 8 }],
      },
      { titleId: '4d53006e', online: 3, sessions: 1, players: 2, matches: null },
    ],
  },
  tags: () => [],
});

/** Registered users of whole days, straight from the past: 365 days outlive the snapshots. */
export const registeredObserved = messageType({
  key: 'registered.observed',
  version: 1,
  exchange: 'observations',
  summary: 'Registered users at the end of past days.',
  producer: 'collector',
  consumers: ['series-api'],
  data: z.strictObject({
    days: z.array(
      z.strictObject({
        date,
        registered: count,
        seenAt: instant.meta({ description: 'The latest one of a day wins' }),
      }),
    ),
  }),
  example: { days: [{ date: '2026-01-30', registered: 48190, seenAt: '2026-01-30T23:55:00Z' }] },
  tags: () => [],
});

/**
 * What pages say of titles. A title has the fields of the homepage (`name`, `image`, `publisher`), those of its own
 * page (`title`, `publisher`, `releaseDate`), or both: an absent field was not looked at, `""` is one that isn't known.
 */
export const observedMetadata = z.strictObject({
  titleId,
  home: z.strictObject({ name: z.string().min(1), image: z.string(), publisher: z.string() }).optional(),
  page: z
    .strictObject({
      title: z.string(),
      publisher: z.string(),
      releaseDate: z.union([date, z.literal('')]).meta({ description: '"" when unknown' }),
    })
    .optional(),
});
export type ObservedMetadata = z.output<typeof observedMetadata>;

export const titleObserved = messageType({
  key: 'title.observed',
  version: 1,
  exchange: 'observations',
  summary: 'Metadata of titles, as the homepage or their own pages have it.',
  producer: 'collector',
  consumers: ['catalog-api'],
  data: z.strictObject({ seenAt: instant, titles: z.array(observedMetadata) }),
  example: {
    seenAt: '2026-01-31T18:00:00Z',
    titles: [
      {
        titleId: '4d530064',
        home: { name: 'Harbor Racing', image: 'https://network.example/icons/4d530064.png', publisher: 'Northlight' },
        page: { title: 'Harbor Racing: Open Water', publisher: 'Northlight', releaseDate: '2001-11-15' },
      },
    ],
  },
  tags: () => [],
});
