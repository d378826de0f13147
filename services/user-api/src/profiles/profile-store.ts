import type { Fact, SocialLink } from '@lobbystats/contracts';
import type { UserRecord } from '../users/user-record.ts';

export interface ProfileRecord {
  readonly userKey: string;
  readonly version: number;
  readonly avatarUrl: string | null;
  readonly avatarHue: number | null;
  readonly discordId: string | null;
  readonly discordVerified: boolean;
  readonly linkedGamertag: string | null;
  readonly bio: string | null;
  readonly socialLinks: readonly SocialLink[];
  readonly syncAvatarFromDiscord: boolean;
}

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

export interface ErasureCommand {
  readonly userKey: string;
  readonly playerKey: string | undefined;
  readonly hashes: readonly string[];
  readonly facts: readonly Fact[];
}

/** Rejects with AppError `unavailable`. */
export interface ProfileStore {
  readProfile(userKey: string): Promise<ProfileRecord | undefined>;
  readUser(userKey: string): Promise<{ user: UserRecord; profile: ProfileRecord | undefined } | undefined>;
  findDiscordUser(discordId: string): Promise<string | undefined>;
  /** `stale`: another version, or the user is unknown and no `newUser` is given. Nothing changes unless `written`. */
  writeProfile(write: ProfileWrite): Promise<'written' | 'stale' | 'discord-taken' | 'erased'>;
  /** Erases a user with all counts, and stores the hashes. Idempotent; repeats publish the facts again. */
  eraseUser(command: ErasureCommand): Promise<void>;
  /** Removes hashes of {@link eraseUser}. Returns false, and stores no facts, if there was none of them. */
  allowUser(command: Pick<ErasureCommand, 'hashes' | 'facts'>): Promise<boolean>;
}
