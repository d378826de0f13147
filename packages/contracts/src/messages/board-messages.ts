import { z } from 'zod';
import { change } from '../operations/changes.ts';
import { tags } from '../operations/tags.ts';
import { networkId, NUMBER_MAX } from '../primitives/board-id.ts';
import { BOARD_PASS_SECONDS, instant, parseInstant } from '../primitives/time.ts';
import { titleId } from '../primitives/title-id.ts';
import { messageType } from './message-type.ts';

/** A board with more entries is not read. */
export const BOARD_ENTRIES_MAX = 20_000;
/** A fact tells of at most so many changes, or so many boards. */
export const CHANGES_PER_FACT = 500;

const count = z.int().nonnegative();
const boardName = z.string().max(200);

/** The hour in which each board is read once. */
export const boardPass = instant.refine(
  (text) => parseInstant(text) % BOARD_PASS_SECONDS === 0,
  'must be the beginning of an hour',
);

/** A row of a board in the network's order. `rating` is its time or score as the page has it; `timeMs` is 0 on a score board. */
export const observedEntry = z.strictObject({
  rank: z.int().min(1).max(NUMBER_MAX),
  name: z.string().min(1).max(200),
  rating: z.string().max(100),
  timeMs: count,
});
export type ObservedEntry = z.output<typeof observedEntry>;

/** One board in one pass; `board` is null when the network no longer has it. */
export const boardObserved = messageType({
  key: 'board.observed',
  version: 1,
  exchange: 'observations',
  inTurn: true,
  summary: 'A leaderboard, read whole, that is other than it was; or that is gone.',
  producer: 'collector',
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
  tags: () => [],
});

/** A reading that found a board as the `board.observed` of an earlier pass has it: most readings do. */
export const boardConfirmed = messageType({
  key: 'board.confirmed',
  version: 1,
  exchange: 'observations',
  // Ahead of the observation that it confirms, it would be ignored.
  inTurn: true,
  summary: 'A leaderboard was read and is unchanged.',
  producer: 'collector',
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
  tags: () => [],
});

export const boardWanted = messageType({
  key: 'board.wanted',
  version: 1,
  exchange: 'work',
  // The pages of a slot, which has two minutes, go before the boards of an hour.
  inTurn: true,
  summary: 'A leaderboard to be read in a pass. It expires with the pass.',
  producer: 'collector',
  consumers: ['collector'],
  data: z.strictObject({ pass: boardPass, titleId, leaderboardId: networkId, name: boardName }),
  example: { pass: '2026-01-31T18:00:00Z', titleId: '4d530064', leaderboardId: 17, name: 'Old Pier, best lap' },
  tags: () => [],
});

export const boardStored = messageType({
  key: 'board.stored',
  version: 1,
  exchange: 'facts',
  summary: 'Leaderboards that are new, have changed or are gone, as they stand.',
  producer: 'catalog-api',
  consumers: [],
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
  version: 1,
  exchange: 'facts',
  summary: 'Changes of leaderboard entries, as routes show them, by id.',
  producer: 'catalog-api',
  consumers: [],
  data: z.strictObject({ changes: z.array(change).max(CHANGES_PER_FACT) }),
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
  },
  tags: ({ changes }) => [tags.everyChange, ...new Set(changes.map((one) => tags.changes(one.titleId)))],
});
