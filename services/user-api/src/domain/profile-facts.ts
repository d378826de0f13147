import { profileUpdated, userForgotten, userStored, type EpochSeconds, type Fact } from '@lobbystats/contracts';
import type { ProfileRecord } from './profile-store.ts';
import type { UserRecord } from './user-record.ts';

/** What facts of one write have in common. */
export interface Occasion {
  readonly origin: string;
  /** Epoch milliseconds. */
  readonly nowMs: number;
}

/** That somebody has changed their profile. The id has the time: a store that was restored gives versions a second time. */
export function profileUpdatedFact({ username }: UserRecord, { userKey, version }: ProfileRecord, at: Occasion): Fact {
  const id = `${profileUpdated.key}:${at.origin}:${userKey}:${version + 1}:${at.nowMs}`;
  return fact(profileUpdated.key, id, at, { username });
}

/**
 * That there is somebody whom the feed has never shown.
 *
 * @param revision the store's is at least this afterwards: of what the feed says of them later the revision is higher
 */
export function newUserFact({ key, username, gamertag }: UserRecord, revision: number, at: Occasion): Fact {
  const id = `${userStored.key}:${at.origin}:${key}:${at.nowMs}`;
  return fact(userStored.key, id, at, { revision, users: [{ username, gamertag }] });
}

/** That a person was erased; always under one id. */
export function userForgottenFact(
  { username, gamertag }: Pick<UserRecord, 'username' | 'gamertag'>,
  userHash: string,
  at: Occasion,
): Fact {
  return fact(userForgotten.key, `${userForgotten.key}:${at.origin}:${userHash}`, at, { username, gamertag });
}

function fact(type: string, id: string, { nowMs }: Occasion, data: unknown): Fact {
  const occurredAt: EpochSeconds = Math.floor(nowMs / 1000);
  return { type, id, occurredAt, past: false, data };
}
