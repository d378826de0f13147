import { ERASED_MESSAGE, usernameKey, type EpochSeconds } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import type { UserStore } from './user-store.ts';

/**
 * Keyed one-way hashes of names: they recognise erased users without storing names, and can't be guessed without the
 * key.
 */
export interface NameHash {
  user(userKey: string): string;
  gamertag(playerKey: string): string;
}

/** Confirmations of an erasure, each for one user. */
export interface ErasureConfirmation {
  create(userKey: string, expiresAt: EpochSeconds): string;
  isValid(userKey: string, confirmation: string, now: EpochSeconds): boolean;
}

type Erased = Pick<UserStore, 'findErased'>;

export async function findErasedKeys(
  keys: readonly string[],
  hashOf: (key: string) => string,
  store: Erased,
): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const hashes = new Map(keys.map((key) => [key, hashOf(key)]));
  const erased = await store.findErased([...hashes.values()]);
  return new Set(keys.filter((key) => erased.has(hashes.get(key) ?? '')));
}

/** Returns the error of a user without data: `forbidden` after an erasure, else `not-found`. */
export async function ownUserError(
  username: string,
  { users, nameHash }: { users: Erased; nameHash: NameHash },
): Promise<AppError> {
  const erased = await users.findErased([nameHash.user(usernameKey(username))]);
  return erased.size > 0 ? new AppError('forbidden', ERASED_MESSAGE) : unknownUserError();
}

export function unknownUserError(): AppError {
  return new AppError('not-found', 'Unknown username');
}
