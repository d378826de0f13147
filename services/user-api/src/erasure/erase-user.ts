import { ERASED_MESSAGE, normalizeUsername, usernameKey } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import type { UserDatabase } from '../database/user-database.ts';
import { playerKey, type UserRecord } from '../users/user-record.ts';
import { userAllowedFact, userErasedFact } from '../profiles/profile-facts.ts';
import { unknownUserError } from '../profiles/profile-view.ts';

/**
 * Keyed one-way hashes of names: they recognise erased users without storing names, and can't be guessed without the
 * key.
 */
export interface NameHash {
  user(userKey: string): string;
  gamertag(playerKey: string): string;
}

/** No username is empty. */
const EMPTY_USERNAME = '';

type ErasureStore = Pick<UserDatabase, 'users' | 'profiles'>;

export async function hasErasureKeyMark({ users }: Pick<UserDatabase, 'users'>, nameHash: NameHash): Promise<boolean> {
  return (await users.findErased([nameHash.user(EMPTY_USERNAME)])).size > 0;
}

/** Stores a mark of the erasure key. `other`: the store contains users and was used with another key. */
export async function checkErasureKey(store: ErasureStore, nameHash: NameHash): Promise<'same' | 'first' | 'other'> {
  if (await hasErasureKeyMark(store, nameHash)) return 'same';
  const isUsed = (await store.users.usersAfter(undefined, 1)).length > 0;
  const hashes = [nameHash.user(EMPTY_USERNAME)];
  await store.profiles.eraseUser({ userKey: EMPTY_USERNAME, playerKey: undefined, hashes, facts: [] });
  return isUsed ? 'other' : 'first';
}

/** Returns the error of a user without data: `forbidden` after an erasure, else `not-found`. */
export async function ownUserError(
  username: string,
  { users, nameHash }: { users: Pick<UserDatabase['users'], 'findErased'>; nameHash: NameHash },
): Promise<AppError> {
  const erased = await users.findErased([nameHash.user(usernameKey(username))]);
  return erased.size > 0 ? new AppError('forbidden', ERASED_MESSAGE) : unknownUserError();
}

export interface EraseUserOptions {
  store: Pick<UserDatabase, 'profiles' | 'users'>;
  nameHash: NameHash;
  clock: () => number;
  origin: string;
}

/** `already`: erased before; the fact is published again. `unknown`: no such user. */
export type ErasureOutcome = 'done' | 'already' | 'unknown';

/**
 * Erases profile, play time, unlocks and unshared player data. Keyed hashes remain, so that the feed doesn't re-import
 * the user, and the fact for other services.
 *
 * @throws AppError `unavailable` when the store is unavailable
 */
export async function eraseUser(
  username: string,
  { store, nameHash, clock, origin }: EraseUserOptions,
): Promise<ErasureOutcome> {
  const userKey = usernameKey(username);
  const userHash = nameHash.user(userKey);
  const found = await store.profiles.readUser(userKey);
  const factOf = (names: Names) => userErasedFact(names, userHash, { origin, nowMs: clock() });
  if (found === undefined) {
    if ((await store.users.findErased([userHash])).size === 0) return 'unknown';
    const facts = [factOf({ username: normalizeUsername(username), gamertag: '' })];
    await store.profiles.eraseUser({ userKey, playerKey: undefined, hashes: [userHash], facts });
    return 'already';
  }

  const { user } = found;
  const player = await findUnsharedPlayerKey(user, store);
  await store.profiles.eraseUser({
    userKey,
    playerKey: player,
    hashes: player === undefined ? [userHash] : [userHash, nameHash.gamertag(player)],
    facts: [factOf(user)],
  });
  return 'done';
}

/**
 * Reverts the ban of names that an erasure has left: the feed may import the user again, as a new one.
 *
 * @param gamertag whose own ban is lifted as well; an erasure sets one, unless another user has the same gamertag
 * @returns `already`: neither name is banned
 * @throws AppError `unavailable` when the store is unavailable
 */
export async function allowUser(
  username: string,
  gamertag: string | undefined,
  { store, nameHash, clock, origin }: EraseUserOptions,
): Promise<'done' | 'already'> {
  const userHash = nameHash.user(usernameKey(username));
  const player = gamertag === undefined ? undefined : playerKey(gamertag);
  const hashes = player === undefined ? [userHash] : [userHash, nameHash.gamertag(player)];
  const facts = [userAllowedFact(normalizeUsername(username), userHash, { origin, nowMs: clock() })];
  return (await store.profiles.allowUser({ hashes, facts })) ? 'done' : 'already';
}

type Names = Pick<UserRecord, 'username' | 'gamertag'>;

/** The key of the gamertag's data; undefined if another user has the same gamertag. */
export async function findUnsharedPlayerKey(
  user: UserRecord,
  { users }: EraseUserOptions['store'],
): Promise<string | undefined> {
  const player = playerKey(user.gamertag);
  if (player === undefined) return undefined;
  const gamertagUsers = (await users.usersByGamertag([player])).get(player) ?? [];
  return gamertagUsers.every(({ key }) => key === user.key) ? player : undefined;
}
