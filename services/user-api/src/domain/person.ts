import { usernameKey } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/errors';
import type { ProfileRecord, ProfileStore } from './profile-store.ts';
import type { UserRecord } from './user-record.ts';

export interface Person {
  readonly user: UserRecord;
  readonly profile: ProfileRecord;
}

/** @throws AppError `not-found` for somebody whom the site doesn't know, or no longer */
export async function findPerson(profiles: Pick<ProfileStore, 'readPerson'>, username: string): Promise<Person> {
  const found = await profiles.readPerson(usernameKey(username));
  if (found === undefined) throw unknownPerson();
  return { user: found.user, profile: found.profile ?? unwrittenProfile(found.user.key) };
}

export function unknownPerson(): AppError {
  return new AppError('not-found', 'Unknown username');
}

export function unwrittenProfile(userKey: string): ProfileRecord {
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

export function unseenUser(userKey: string, username: string): UserRecord {
  return {
    key: userKey,
    username,
    gamertag: '',
    verified: false,
    sight: undefined,
    titles: [],
    ratingsGiven: 0,
    unlocked: [],
    score: 0,
  };
}
