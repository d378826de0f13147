import type { Fact } from '@lobbystats/contracts';
import type { ProfileRecord, UserRecord } from '../users/user-record.ts';

export interface ProfileWrite {
  readonly profile: ProfileRecord;
  readonly newUser?: NewUser;
  readonly facts: readonly Fact[];
}

/** Written unless the user has become known meanwhile. */
export interface NewUser {
  readonly user: UserRecord;
  readonly revision: number;
  readonly hash: string;
}

/** Rejects with AppError `unavailable`. */
export interface ProfileStore {
  readProfile(userKey: string): Promise<ProfileRecord | undefined>;
  readUser(userKey: string): Promise<{ user: UserRecord; profile: ProfileRecord | undefined } | undefined>;
  findDiscordUser(discordId: string): Promise<string | undefined>;
  /** `stale`: another version, or the user is unknown and no `newUser` is given. Nothing changes unless `written`. */
  writeProfile(write: ProfileWrite): Promise<'written' | 'stale' | 'discord-taken' | 'erased'>;
}
