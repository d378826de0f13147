import { usernameKey } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/errors';
import type { ProfileRecord, ProfileStore } from './profile-store.ts';
import type { UserRecord } from '../users/user-record.ts';

export interface UserWithProfile {
  readonly user: UserRecord;
  readonly profile: ProfileRecord;
}

/** @throws AppError `not-found` for an unknown or erased user */
export async function findUser(profiles: Pick<ProfileStore, 'readUser'>, username: string): Promise<UserWithProfile> {
  const found = await profiles.readUser(usernameKey(username));
  if (found === undefined) throw unknownUserError();
  return { user: found.user, profile: found.profile ?? emptyProfile(found.user.key) };
}

export function unknownUserError(): AppError {
  return new AppError('not-found', 'Unknown username');
}

export function emptyProfile(userKey: string): ProfileRecord {
  return {
    userKey,
    version: 0,
    avatarUrl: null,
    avatarHue: null,
    discordId: null,
    discordVerified: false,
    linkedGamertag: null,
    bio: null,
    socialLinks: [],
    syncAvatarFromDiscord: false,
  };
}

export function createUserRecord(userKey: string, username: string): UserRecord {
  return {
    key: userKey,
    username,
    gamertag: '',
    verified: false,
    presence: undefined,
    titles: [],
    ratingsGiven: 0,
    unlocked: [],
    score: 0,
  };
}
