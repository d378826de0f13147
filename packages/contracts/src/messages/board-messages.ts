import { z } from 'zod';
import { change } from '../operations/changes.ts';
import { count } from '../operations/fields.ts';
import { PLAYER_NAME_MAX } from '../operations/leaderboards.ts';
import { networkId, NUMBER_MAX, tags, titleId } from '../primitives/keys.ts';
import { BOARD_PASS_SECONDS, instant, parseInstant } from '../primitives/time.ts';
import { messageType, observation } from './message-type.ts';

/** Leaderboards of a title that are read, those included that have gone within the title retention. */
export const BOARDS_PER_TITLE_MAX = 2000;
/** Larger boards are not read. */
export const BOARD_ENTRIES_MAX = 20_000;
/** Maximum changes, or boards, of one fact. */
export const CHANGES_PER_FACT = 500;

/** UTF-16 units of a leaderboard's name; one with a longer name is refused. */
export const BOARD_NAME_MAX = 1000;

const boardName = z.string().max(BOARD_NAME_MAX);

export const boardPass = instant.refine(
  (text) => parseInstant(text) % BOARD_PASS_SECONDS === 0,
  'must be the beginning of an hour',
);

/** In the network's order. `rating` is the page's text; `timeMs` is 0 on a score board. */
export const observedEntry = z.strictObject({
  rank: z.int().min(1).max(NUMBER_MAX),
  name: z.string().min(1).max(PLAYER_NAME_MAX),
  rating: z.string().max(100),
  timeMs: count,
});
export type ObservedEntry = z.output<typeof observedEntry>;

/** `board` is null when the network no longer has it. */
export const boardObserved = messageType({
  ...observation,
  key: 'board.observed',
  ordered: true,
  summary: 'A leaderboard with all entries that is new, has changed or was removed.',
  consumers: ['catalog-api'],
  data: z.strictObject({
    titleId,
    leaderboardId: networkId,
    name: boardName.meta({ description: '"" for one that is gone' }),
    pass: boardPass,
    seenAt: instant,
    board: z.strictObject({ isTime: z.boolean(), entries: z.array(observedEntry).max(BOARD_ENTRIES_MAX) }).nullable(),
  }),
  example: {
    titleId: '4d530064',
    leaderboardId: 17,
    name: 'Old Pier, best lap',
    pass: '2026-01-31T18:00:00Z',
    seenAt: '2026-01-31T18:21:40Z',
    board: { isTime: true, entries: [{ rank: 1, name: 'Ember Fox', rating: '00:49.300', timeMs: 49_300 }] },
  },
});

export const boardConfirmed = messageType({
  ...observation,
  key: 'board.confirmed',
  // Before the observation that it confirms, it would be ignored.
  ordered: true,
  summary: 'A leaderboard was read and is unchanged.',
  consumers: ['catalog-api'],
  data: z.strictObject({
    titleId,
    leaderboardId: networkId,
    pass: boardPass.meta({ description: 'The pass of the `board.observed` that still holds' }),
    seenAt: instant.meta({ description: 'The time of the reading' }),
  }),
  example: {
    titleId: '4d530064',
    leaderboardId: 17,
    pass: '2026-01-31T18:00:00Z',
    seenAt: '2026-01-31T19:21:40Z',
  },
});

export const boardRequested = messageType({
  key: 'board.requested',
  exchange: 'work',
  // A slot's pages have a deadline of two minutes: they overtake boards.
  ordered: true,
  summary: 'A leaderboard to be read in a pass. It expires with the pass.',
  producer: 'collector',
  consumers: ['collector'],
  data: z.strictObject({ pass: boardPass, titleId, leaderboardId: networkId, name: boardName }),
  example: { pass: '2026-01-31T18:00:00Z', titleId: '4d530064', leaderboardId: 17, name: 'Old Pier, best lap' },
  tags: () => [],
});

export const boardStored = messageType({
  key: 'board.stored',
  exchange: 'facts',
  summary: 'Current states of leaderboards that are new, have changed or were removed.',
  producer: 'catalog-api',
  consumers: ['user-api'],
  data: z.strictObject({
    boards: z
      .array(
        z.strictObject({
          titleId,
          leaderboardId: networkId,
          name: boardName,
          isTime: z.boolean(),
          version: z.int().positive().meta({ description: 'Grows with each change of the board' }),
          entries: count,
          gone: z.boolean(),
        }),
      )
      .max(CHANGES_PER_FACT),
  }),
  example: {
    boards: [
      {
        titleId: '4d530064',
        leaderboardId: 17,
        name: 'Old Pier, best lap',
        isTime: true,
        version: 4,
        entries: 212,
        gone: false,
      },
    ],
  },
  tags: ({ boards }) => [...new Set(boards.flatMap((board) => [tags.boards(board.titleId), tags.everyBoard]))],
});

export const changeRecorded = messageType({
  key: 'change.recorded',
  exchange: 'facts',
  summary: 'Changes of leaderboard entries, as in responses, by id.',
  producer: 'catalog-api',
  consumers: ['user-api'],
  data: z.strictObject({
    changes: z.array(change).max(CHANGES_PER_FACT),
    records: z
      .array(networkId)
      .max(CHANGES_PER_FACT)
      .default([])
      .meta({ description: 'Ids of those that are better than every entry that was known of their leaderboard' }),
  }),
  example: {
    changes: [
      {
        id: 4711,
        type: 'updated',
        titleId: '4d530064',
        gameName: 'Harbor Racing',
        leaderboardId: 17,
        leaderboardName: 'Old Pier, best lap',
        playerName: 'Ember Fox',
        isTime: true,
        oldRank: 3,
        newRank: 1,
        oldRating: '00:49.900',
        newRating: '00:49.300',
        oldTimeMs: 49_900,
        newTimeMs: 49_300,
        changedAt: '2026-01-31 18:21:40',
      },
    ],
    records: [4711],
  },
  tags: ({ changes }) => [tags.everyChange, ...new Set(changes.map(({ titleId }) => tags.changes(titleId)))],
});
