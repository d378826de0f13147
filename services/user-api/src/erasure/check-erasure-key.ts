import type { NameHash } from './name-hash.ts';
import type { UserDatabase } from '../database/user-database.ts';

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
