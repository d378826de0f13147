import { z } from 'zod';
import { networkId, NUMBER_MAX, tags, titleId } from '../primitives/keys.ts';
import {
  emptyToUndefined,
  excludedBy,
  format,
  integer,
  isTextWithin,
  limit,
  oneOf,
  optionalOffset,
  pageCursor,
  queryInstant,
} from '../primitives/query.ts';
import { timestamp } from '../primitives/time.ts';
import { gameFilters, gameName, namedObject, none, publicGet, titleParams } from './fields.ts';
import { PLAYER_NAME_MAX, playerNameParam } from './leaderboards.ts';
import { operation } from './operation.ts';

export const changeTypes = ['new', 'updated', 'removed'] as const;
export type ChangeType = (typeof changeTypes)[number];

const rank = z.int().positive().nullable();
const timeMs = z.int().nonnegative().nullable();

/** `old…` is null for a new entry, `new…` for a removed one; times are null on score boards. */
export const change = namedObject('Change', {
  id: z.int().positive().meta({ description: 'Grows with changedAt' }),
  type: z.enum(changeTypes),
  titleId,
  gameName,
  leaderboardId: networkId,
  leaderboardName: z.string(),
  playerName: z.string(),
  isTime: z.boolean(),
  oldRank: rank,
  newRank: rank,
  oldRating: z.string().nullable(),
  newRating: z.string().nullable(),
  oldTimeMs: timeMs,
  newTimeMs: timeMs,
  changedAt: timestamp,
});
export type Change = z.output<typeof change>;

const CHANGES_MAX = 500;

const changeFilter = {
  type: oneOf(changeTypes).optional(),
  records: oneOf(['only'])
    .optional()
    .meta({ description: '`only`: entries that are better than every entry that was known of their leaderboard' }),
};

const cursor = pageCursor.optional().meta({ description: '`nextCursor` of the page before' });

/** Readers of feeds ask once an hour, and many know no pages. */
export const feedFilter = { limit: limit({ max: CHANGES_MAX, default: 250 }), ...changeFilter, cursor };

const afterExcluded = excludedBy('after', 'cursor', 'offset');

const paging = {
  limit: limit({ max: CHANGES_MAX, default: 50 }),
  ...changeFilter,
  offset: optionalOffset,
  since: queryInstant.optional(),
  cursor,
  after: integer({ min: 0, max: Number.MAX_SAFE_INTEGER })
    .optional()
    .meta({ description: `Greater ids, oldest first. ${afterExcluded.text}` }),
  format,
};

const leaderboardFilter = {
  leaderboardId: integer({ min: 0, max: NUMBER_MAX })
    .optional()
    .meta({ description: 'Only of this leaderboard of the game; needs `game` or `titleId`' }),
};

/** Filters of changes of all games. */
export const changeFilters = { ...gameFilters, ...leaderboardFilter };

const gamePaging = { ...paging, ...changeFilters };

interface BoardFilter {
  readonly game?: string | undefined;
  readonly titleId?: string | undefined;
  readonly leaderboardId?: number | undefined;
}

/** Numbers of leaderboards count in their games. */
export function validateBoardFilter({ game, titleId: title, leaderboardId }: BoardFilter, context: z.RefinementCtx) {
  if (leaderboardId === undefined || game !== undefined || title !== undefined) return;
  context.addIssue({ code: 'custom', path: ['leaderboardId'], message: 'must be given with game or titleId' });
}

export const playerFilter = z
  .string({ error: 'must be given once' })
  .trim()
  .refine((text) => isTextWithin(text, PLAYER_NAME_MAX), `must be a text of at most ${PLAYER_NAME_MAX} characters`)
  .transform(emptyToUndefined)
  .optional()
  .meta({ description: 'Name of a player, in any case; empty is no filter', maxLength: PLAYER_NAME_MAX });

const page = namedObject('ChangeList', {
  changes: z.array(change),
  total: z.int().nonnegative().meta({ description: 'Changes on all pages' }),
  limit: z.int(),
  offset: z.int(),
  hasMore: z.boolean(),
  nextCursor: z.string().nullable().meta({ description: 'Where the next page begins; null on the last' }),
});

export const listChanges = operation({
  ...publicGet,
  id: 'listChanges',
  summary: 'Changes of leaderboard entries, newest first',
  description:
    'A rank that moved only because others came or went is no change. The first sight of a board is its baseline and no change. A `cursor` keeps its place while new changes come in; `after` follows them as they come.',
  errors: { 404: 'There is no such game, or no player of that name is or was on a leaderboard' },
  path: '/api/changes',
  group: 'Leaderboards',
  sample: { query: { limit: '3' } },
  upstream: 'catalog-api',
  params: none,
  query: z
    .object({ ...gamePaging, player: playerFilter })
    .superRefine(afterExcluded.check)
    .superRefine(validateBoardFilter),
  response: page,
  rows: 'changes',
  tags: [tags.everyChange, tags.everyBoard, tags.titles],
});

export const listPlayerChanges = operation({
  ...publicGet,
  id: 'listPlayerChanges',
  cache: 'coalesce',
  summary: 'Changes of one player’s leaderboard entries, newest first',
  description: 'Names are compared in any case. All players of the name are meant: the network has no other identity.',
  errors: { 404: 'There is no such game, or no player of that name is or was on a leaderboard' },
  path: '/api/player/:player/changes',
  group: 'Leaderboards',
  sample: { query: { limit: '3' } },
  upstream: 'catalog-api',
  params: z.object({ player: playerNameParam }),
  query: z.object(gamePaging).superRefine(afterExcluded.check).superRefine(validateBoardFilter),
  response: page,
  rows: 'changes',
  tags: [tags.everyChange, tags.everyBoard, tags.titles],
});

export const listTitleChanges = operation({
  ...publicGet,
  id: 'listTitleChanges',
  summary: 'Changes of one game’s leaderboard entries, newest first',
  path: '/api/title/:titleId/changes',
  group: 'Leaderboards',
  sample: { query: { limit: '3' } },
  gamePath: '/api/game/:game/changes',
  upstream: 'catalog-api',
  params: titleParams,
  query: z.object({ ...paging, ...leaderboardFilter }).superRefine(afterExcluded.check),
  response: page,
  rows: 'changes',
  tags: [tags.changes(':titleId'), tags.boards(':titleId'), tags.title(':titleId')],
});

export const listChangedGames = operation({
  ...publicGet,
  id: 'listChangedGames',
  summary: 'Names of the games that have at least one change',
  path: '/api/changes/games',
  group: 'Leaderboards',
  upstream: 'catalog-api',
  params: none,
  query: z.object({ format }),
  response: z.array(z.string()),
  rows: '',
  tags: [tags.everyChange, tags.titles],
});
