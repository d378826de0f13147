import { normalizeUsername, usernameKey } from '@lobbystats/contracts';
import { StartupError } from '@lobbystats/contracts/errors';
import type { ProfileStore } from '../profiles/profile-store.ts';
import type { NameHash } from '../users/erased-users.ts';
import type { ErasureStore } from './erasure-store.ts';
import { playerKey, type UserRecord } from '../users/user-record.ts';
import type { UserStore } from '../users/user-store.ts';
import { userAllowedFact, userErasedFact } from '../profiles/profile-facts.ts';

/** No username is empty. */
const EMPTY_USERNAME = '';

interface Store {
  readonly users: UserStore;
  readonly profiles: ProfileStore;
  readonly erasures: ErasureStore;
}

export async function hasErasureKeyMark({ users }: Pick<Store, 'users'>, nameHash: NameHash): Promise<boolean> {
  return (await users.findErased([nameHash.user(EMPTY_USERNAME)])).size > 0;
}

/** Stores a mark of the erasure key. `other`: the store contains users and was used with another key. */
export async function checkErasureKey(store: Store, nameHash: NameHash): Promise<'same' | 'first' | 'other'> {
  if (await hasErasureKeyMark(store, nameHash)) return 'same';
  const isUsed = (await store.users.usersAfter(undefined, 1)).length > 0;
  const hashes = [nameHash.user(EMPTY_USERNAME)];
  await store.erasures.eraseUser({ userKey: EMPTY_USERNAME, playerKey: undefined, hashes, facts: [] });
  return isUsed ? 'other' : 'first';
}

export interface EraseUserOptions {
  store: Store;
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
    await store.erasures.eraseUser({ userKey, playerKey: undefined, hashes: [userHash], facts });
    return 'already';
  }

  const { user } = found;
  const player = await findUnsharedPlayerKey(user, store);
  await store.erasures.eraseUser({
    userKey,
    playerKey: player,
    hashes: player === undefined ? [userHash] : [userHash, nameHash.gamertag(player)],
    facts: [factOf(user)],
  });
  return 'done';
}

/** Users that are read, and hashes that are stored, at once. */
const PAGE = 100;

/**
 * Repeats erasures, as after the restore of a backup that is older than they are: erases all users that have a listed hash, and keeps the hashes.
 *
 * @param hashes all of a store with the same key: its mark is one of them
 * @returns the number of users that were there
 * @throws StartupError for hashes under another key
 * @throws AppError `unavailable` when the store is unavailable; repeat it then
 */
export async function eraseAgain(hashes: readonly string[], options: EraseUserOptions): Promise<number> {
  const { store, nameHash } = options;
  const listed = new Set(hashes);
  if (!listed.has(nameHash.user(EMPTY_USERNAME))) {
    throw new StartupError('the list was made with another ERASURE_KEY, or is incomplete');
  }
  let count = 0;
  let users: UserRecord[] = [];
  do {
    users = await store.users.usersAfter(users.at(-1)?.key, PAGE);
    for (const { key, username } of users) {
      if (!listed.has(nameHash.user(key))) continue;
      await eraseUser(username, options);
      count += 1;
    }
  } while (users.length === PAGE);
  for (let at = 0; at < hashes.length; at += PAGE) {
    const some = hashes.slice(at, at + PAGE);
    await store.erasures.eraseUser({ userKey: EMPTY_USERNAME, playerKey: undefined, hashes: some, facts: [] });
  }
  return count;
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
  return (await store.erasures.allowUser({ hashes, facts })) ? 'done' : 'already';
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
