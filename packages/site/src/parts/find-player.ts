import { isValidUsername, nameKey, operations, usernameKey, type OperationResponse } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import type { PageData } from '../page.ts';

const { getUserProfile, getGamertagUser, getPlayerStanding, listPlayerScores, getHost } = operations;

/** Operations that {@link findPlayer} asks with the name. */
export const userOperations = [getUserProfile] as const;
export const playerOperations = [getGamertagUser, getPlayerStanding, listPlayerScores, getHost] as const;

export type User = OperationResponse<typeof getUserProfile>;
export type Score = OperationResponse<typeof listPlayerScores>['scores'][number];

/** Undefined parts are unavailable at the moment. */
export interface FoundPlayer {
  /** As its page is headed. */
  readonly name: string;
  /** Null: there is no account of that name. */
  readonly user: User | null | undefined;
  /** The name on leaderboards and in matches. */
  readonly playerName: string;
  /** Whether {@link operations.getPlayer} knows that name: the username of an account may be no player's. */
  readonly isPlayer: boolean;
  readonly standing: OperationResponse<typeof getPlayerStanding> | undefined;
  /** Best rank first, at most {@link SCORES_MAX}. */
  readonly scores: readonly Score[] | undefined;
  readonly host: OperationResponse<typeof getHost> | undefined;
}

export const SCORES_MAX = 500;
const NO_STANDING = { leaderboardsOn: 0, top10Count: 0, titleIds: [] };
const NO_MATCHES = { name: null, matchesHosted: 0, firstSeenAt: null, lastSeenAt: null };

/**
 * Finds who has a name: the username or gamertag of an account, or a name on leaderboards or in matches.
 *
 * @throws AppError `not-found`, or `unavailable` while a service that may know the name is down
 */
export async function findPlayer(name: string, data: PageData): Promise<FoundPlayer> {
  const user = await findUser(name, data);
  const player = boardName(name, user);
  const [standing, found, host, owner] = await Promise.all([
    data.find(getPlayerStanding, { player }),
    data.find(listPlayerScores, { player }, { limit: SCORES_MAX }),
    data.find(getHost, { player }),
    user ? data.find(getGamertagUser, { player }) : null,
  ]);
  const scores = found === null ? [] : found?.scores;
  const network = scores?.[0]?.playerName ?? host?.name ?? undefined;
  if (!user && network === undefined) throw notFound([user, scores, host].includes(undefined));
  const playerName = network ?? player;
  return {
    name: user?.username ?? playerName,
    user,
    playerName,
    isPlayer: network !== undefined || (owner?.gamertag ?? null) !== null,
    standing: standing ?? (standing === null ? NO_STANDING : undefined),
    scores,
    host: host ?? (host === null ? NO_MATCHES : undefined),
  };
}

/** An account that is found by a gamertag has a username other than the name. */
export function isNamed({ username }: User, name: string): boolean {
  return usernameKey(username) === usernameKey(name);
}

/** Names that can not be usernames may be gamertags. */
async function findUser(name: string, data: PageData): Promise<User | null | undefined> {
  if (isValidUsername(name)) return data.find(getUserProfile, { username: name });
  const owner = await data.find(getGamertagUser, { player: name });
  if (owner === undefined) return undefined;
  const username = owner?.username ?? null;
  return username === null ? null : data.find(getUserProfile, { username });
}

/** A gamertag that the user has linked comes first. */
function boardName(name: string, user: User | null | undefined): string {
  if (!user) return name;
  return user.usesExplicitConsoleLiveGamertag || isNamed(user, name) ? user.leaderboardPlayerName : name;
}

function notFound(isUnavailable: boolean): AppError {
  return isUnavailable
    ? new AppError('unavailable', 'Players are unavailable at the moment, try again soon')
    : new AppError('not-found', 'There is no player of that name');
}

/** Equal for all spellings of a name. */
export const playerKey = nameKey;
