import type { NameHash } from './name-hash.ts';
import type { PeopleStore } from './people-store.ts';

/** The key of nobody: a username has a character at least. */
const NOBODY = '';

type MarkedStore = Pick<PeopleStore, 'users' | 'profiles'>;

/** Whether the service has worked on the store with this key. */
export async function hasKeyMark({ users }: Pick<PeopleStore, 'users'>, nameHash: NameHash): Promise<boolean> {
  return (await users.forgotten([nameHash.user(NOBODY)])).size > 0;
}

/**
 * Leaves in the store by which key people are forgotten, so that nobody is forgotten by another one.
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
