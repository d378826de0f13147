import type { NameHash } from './name-hash.ts';
import type { PeopleStore } from './people-store.ts';

/** No username is empty. */
const NOBODY = '';

type MarkedStore = Pick<PeopleStore, 'users' | 'profiles'>;

export async function hasKeyMark({ users }: Pick<PeopleStore, 'users'>, nameHash: NameHash): Promise<boolean> {
  return (await users.forgotten([nameHash.user(NOBODY)])).size > 0;
}

/**
 * Stores a mark of the erasure key. `other`: the store was used with another key.
 *
 * @returns `other` when the store has people and was used with another key before
 */
export async function leaveKeyMark(store: MarkedStore, nameHash: NameHash): Promise<'same' | 'first' | 'other'> {
  if (await hasKeyMark(store, nameHash)) return 'same';
  const isUsed = (await store.users.usersAfter(undefined, 1)).length > 0;
  const hashes = [nameHash.user(NOBODY)];
  await store.profiles.forget({ userKey: NOBODY, playerKey: undefined, hashes, facts: [] });
  return isUsed ? 'other' : 'first';
}
