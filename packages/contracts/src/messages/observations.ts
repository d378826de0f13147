import { z } from 'zod';
import { count, maxPlayers } from '../operations/fields.ts';
import { observedCounts } from '../operations/title-counts.ts';
import { PLAYER_NAME_MAX } from '../operations/leaderboards.ts';
import { titleId } from '../primitives/keys.ts';
import { DAY_SECONDS, date, instant, slotInstant, SLOTS_PER_DAY } from '../primitives/time.ts';
import { messageType, observation } from './message-type.ts';

/** Titles of one network that are stored and shown. */
export const TITLES_MAX = 5000;
/** UTF-16 units of a title's name, full title or publisher; longer ones are refused, never cut. */
export const TITLE_TEXT_MAX = 1000;
export const PRODUCT_CODE_MAX = 16;
/** A title that the homepage has not shown for this long, while it showed others, is retired until it shows it again. */
export const TITLE_RETENTION_SECONDS = 30 * DAY_SECONDS;

/** Open matches of one slot; of more, the titles with the most count as missing. */
export const SLOT_MATCHES_MAX = 10_000;

export const observedMatch = z.strictObject({
  host: z.string().min(1).max(PLAYER_NAME_MAX),
  players: count,
  maxPlayers,
});
export type ObservedMatch = z.output<typeof observedMatch>;

/** `matches` is null if the game's page couldn't be read. */
export const observedTitle = z.strictObject({
  titleId,
  ...observedCounts,
  matches: z.array(observedMatch).nullable(),
});
export type ObservedTitle = z.output<typeof observedTitle>;

/** Says that an observation takes the place of what was withdrawn until then. */
const replaces = instant.optional().meta({
  description: 'It takes the place of what was withdrawn until this instant; without it, withdrawn slots stay so',
});

export const slotObserved = messageType({
  ...observation,
  key: 'slot.observed',
  summary: 'A finished 5-minute slot: the site’s counts, every title, its open matches, and which titles are missing.',
  consumers: ['series-api', 'user-api'],
  data: z.strictObject({
    slot: slotInstant,
    registered: count.nullable(),
    online: count,
    titles: z.array(observedTitle),
    replaces,
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
});

/** Slots of one withdrawal: a day. */
export const WITHDRAWN_SLOTS_MAX = SLOTS_PER_DAY;
/** Days are derived again from all of their slots, which are kept for two days longer. */
export const WITHDRAWAL_AGE_MAX_SECONDS = 28 * DAY_SECONDS;

const slotRange = z.strictObject({
  from: slotInstant,
  to: slotInstant.meta({ description: 'The last slot, inclusive' }),
});

export const slotWithdrawn = messageType({
  ...observation,
  key: 'slot.withdrawn',
  summary: 'What was read in some slots, or of some titles, was wrong. It is removed, and no late copy of it returns.',
  consumers: ['series-api', 'user-api', 'catalog-api'],
  data: z.strictObject({
    withdrawnAt: instant,
    slots: slotRange.nullable().meta({ description: 'At most a day' }),
    titleIds: z.array(titleId).max(TITLES_MAX).meta({ description: 'Titles that are removed with all that they have' }),
  }),
  example: {
    withdrawnAt: '2026-01-31T20:11:40Z',
    slots: { from: '2026-01-31T18:05:00Z', to: '2026-01-31T18:10:00Z' },
    titleIds: [],
  },
});
export type Withdrawal = z.output<typeof slotWithdrawn.data>;

/** Backfill of past days, since snapshots are kept for 30 days only. */
export const registeredObserved = messageType({
  ...observation,
  key: 'registered.observed',
  summary: 'Registered users at the end of past days.',
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
});

/** Absent: not read. `""`: unknown to the network. */
export const observedMetadata = z.strictObject({
  titleId,
  home: z
    .strictObject({
      name: z.string().min(1).max(TITLE_TEXT_MAX),
      image: z.string(),
      publisher: z.string().max(TITLE_TEXT_MAX),
      productCode: z.string().max(PRODUCT_CODE_MAX),
    })
    .optional(),
  page: z
    .strictObject({
      title: z.string().max(TITLE_TEXT_MAX),
      publisher: z.string().max(TITLE_TEXT_MAX),
      releaseDate: z.union([date, z.literal('')]).meta({ description: '"" when unknown' }),
    })
    .optional(),
});
export type ObservedMetadata = z.output<typeof observedMetadata>;

export const titleObserved = messageType({
  ...observation,
  key: 'title.observed',
  summary: 'Metadata of titles, as the homepage or their own pages have it.',
  consumers: ['catalog-api'],
  data: z.strictObject({ seenAt: instant, titles: z.array(observedMetadata) }),
  example: {
    seenAt: '2026-01-31T18:00:00Z',
    titles: [
      {
        titleId: '4d530064',
        home: {
          ...{ name: 'Harbor Racing', image: 'https://network.example/icons/4d530064.png' },
          ...{ publisher: 'Northlight', productCode: 'MS-100' },
        },
        page: { title: 'Harbor Racing: Open Water', publisher: 'Northlight', releaseDate: '2001-11-15' },
      },
    ],
  },
});

export const pageRequested = messageType({
  key: 'page.requested',
  exchange: 'work',
  summary: 'A game page to be read for a slot: its matches, its metadata, or both. It expires with the slot.',
  producer: 'collector',
  consumers: ['collector'],
  data: z.strictObject({
    slot: slotInstant,
    titleId,
    matches: z.boolean().meta({ description: 'The slot waits for its matches' }),
    metadata: z.boolean().meta({ description: 'Its metadata is due' }),
  }),
  example: { slot: '2026-01-31T18:05:00Z', titleId: '4d530064', matches: true, metadata: false },
  tags: () => [],
});
