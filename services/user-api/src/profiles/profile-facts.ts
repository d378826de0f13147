import {
  profileUpdated,
  userAllowed,
  userErased,
  userStored,
  type EpochSeconds,
  type Fact,
} from '@lobbystats/contracts';
import type { UserRecord, ProfileRecord } from '../users/user-record.ts';

export interface FactContext {
  readonly origin: string;
  readonly nowMs: number;
}

export function profileUpdatedFact(
  { username }: UserRecord,
  { userKey, version }: ProfileRecord,
  at: FactContext,
): Fact {
  const id = `${profileUpdated.key}:${at.origin}:${userKey}:${version + 1}:${at.nowMs}`;
  return fact(profileUpdated.key, id, at, { username });
}

/** `revision`: a lower bound for the store's revision, so that later facts of the feed have higher ones. */
export function newUserFact({ key, username, gamertag }: UserRecord, revision: number, at: FactContext): Fact {
  const id = `${userStored.key}:${at.origin}:${key}:${at.nowMs}`;
  return fact(userStored.key, id, at, { revision, users: [{ username, gamertag }] });
}

export function userErasedFact(
  { username, gamertag }: Pick<UserRecord, 'username' | 'gamertag'>,
  userHash: string,
  at: FactContext,
): Fact {
  return fact(userErased.key, `${userErased.key}:${at.origin}:${userHash}`, at, { username, gamertag });
}

export function userAllowedFact(username: string, userHash: string, at: FactContext): Fact {
  return fact(userAllowed.key, `${userAllowed.key}:${at.origin}:${userHash}:${at.nowMs}`, at, { username });
}

function fact(type: string, id: string, { nowMs }: FactContext, data: unknown): Fact {
  const occurredAt: EpochSeconds = Math.floor(nowMs / 1000);
  return { type, id, occurredAt, past: false, data };
}
