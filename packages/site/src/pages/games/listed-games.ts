import {
  compareCodePoints,
  nameKey,
  searchKey,
  operations,
  type OperationResponse,
  RANKED_GAMES_MAX,
} from '@lobbystats/contracts';
import type { PageData } from '../../page.ts';

const { getOnlineUsers, getRanking, listGames } = operations;

/** Operations that {@link askGames} asks. */
export const gameListOperations = [getOnlineUsers, getRanking, listGames] as const;

type Ranking = OperationResponse<typeof getRanking>;
export type RankingPeriod = Ranking['period'];

/** A tracked game. Null: unknown or unavailable. */
export interface ListedGame {
  readonly titleId: string;
  readonly name: string;
  readonly publisher: string;
  readonly online: number | null;
  readonly lobbies: number | null;
  /** In lobbies. */
  readonly players: number | null;
  readonly mean: number | null;
  readonly peak: number | null;
  /** The mean of the period before. */
  readonly previous: number | null;
  readonly change: number | null;
  readonly hours: number | null;
}

/** All tracked games with their counts; undefined while not even their names are available. */
export async function askGames(period: RankingPeriod, data: PageData): Promise<readonly ListedGame[] | undefined> {
  const [activity, ranking] = await Promise.all([
    data.askPart(getOnlineUsers),
    data.askPart(getRanking, {}, { period, limit: RANKED_GAMES_MAX }),
  ]);
  const games = activity === undefined ? (await data.askPart(listGames))?.games : Object.values(activity);
  if (games === undefined) return undefined;
  const ranked = new Map(ranking?.games.map((game) => [game.titleId, game]));
  return games.map((game) => {
    const { titleId, name, publisher } = game;
    const { mean = null, peak = null, previous = null, change = null, hours = null } = ranked.get(titleId) ?? {};
    return { titleId, name, publisher, ...countsOf(game), mean, peak, previous, change, hours };
  });
}

type Activity = OperationResponse<typeof getOnlineUsers>[string];

function countsOf(game: object): Pick<ListedGame, 'online' | 'lobbies' | 'players'> {
  if (!isActivity(game)) return { online: null, lobbies: null, players: null };
  return { online: game.online, lobbies: game.activeLobbies, players: game.activeLobbyPlayers };
}

function isActivity(game: object): game is Activity {
  return 'online' in game;
}

export const gameSorts = ['name', 'online', 'lobbies', 'players', 'mean', 'peak', 'change', 'hours'] as const;
export type GameSort = (typeof gameSorts)[number];
export type SortOrder = 'asc' | 'desc';

/** Names ascend, numbers descend. */
export function defaultOrder(sort: GameSort): SortOrder {
  return sort === 'name' ? 'asc' : 'desc';
}

/** Unknown values are last in both orders; equal ones go by name. */
export function sortGames(games: readonly ListedGame[], sort: GameSort, order: SortOrder): readonly ListedGame[] {
  const sign = order === 'asc' ? 1 : -1;
  return games.toSorted((a, b) => compareValues(a[sort], b[sort], sign) || compareCodePoints(a.name, b.name));
}

type Value = string | number | null;

function compareValues(a: Value, b: Value, sign: number): number {
  if (isUnknown(a) || isUnknown(b)) return Number(isUnknown(a)) - Number(isUnknown(b));
  if (typeof a === 'number' && typeof b === 'number') return sign * (a - b);
  return sign * compareCodePoints(nameKey(String(a)), nameKey(String(b)));
}

function isUnknown(value: Value): boolean {
  return value === null || value === '';
}

/** Games that {@link operations.listGames} finds by a text, and those with it in their name, publisher or title ID. */
export async function filterGames(
  games: readonly ListedGame[],
  text: string,
  data: PageData,
): Promise<readonly ListedGame[]> {
  if (text === '') return games;
  const found = new Set((await data.askPart(listGames, {}, { q: text }))?.games.map(({ titleId }) => titleId));
  const [literal, folded] = [nameKey(text), searchKey(text)];
  const hasText = (value: string) =>
    nameKey(value).includes(literal) || (folded !== '' && searchKey(value).includes(folded));
  return games.filter(({ titleId, name, publisher }) => found.has(titleId) || [name, publisher, titleId].some(hasText));
}
