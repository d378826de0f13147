import type { Fact, SocialLink } from '@lobbystats/contracts';
import type { UserRecord } from './user-record.ts';

/** What a person says of themself. */
export interface ProfileRecord {
  readonly userKey: string;
  /** Grows with each write: 0 for one that was never written. */
  readonly version: number;
  readonly avatarUrl: string | null;
  readonly avatarHue: number | null;
  /** Digits: the profile's URL ends with them. */
  readonly discordId: string | null;
  /** The number exists, as Discord says. */
  readonly discordVerified: boolean;
  readonly linkedGamertag: string | null;
  readonly bio: string | null;
  readonly socialLinks: readonly SocialLink[];
  readonly syncAvatarFromDiscord: boolean;
}

export interface ProfileWrite {
  /** With the version that was read, which the store raises by one. */
  readonly profile: ProfileRecord;
  /** Where the site didn't know the person yet. */
  readonly newUser?: NewUser;
  readonly facts: readonly Fact[];
}

/** A person whom the site doesn't know: written unless they have come to be known meanwhile. */
export interface NewUser {
  readonly user: UserRecord;
  /** The store's is at least this afterwards. */
  readonly revision: number;
  /** Keyed hash of their name: nobody is written who was forgotten. */
  readonly hash: string;
}

export interface ForgetCommand {
  readonly userKey: string;
  /** `nameKey` of their gamertag; undefined: unknown. */
  readonly playerKey: string | undefined;
  /** Keyed hashes by which the feed's word of them is told later. */
  readonly hashes: readonly string[];
  readonly facts: readonly Fact[];
}

/** Profiles, in the database of users. Every method rejects with an AppError `unavailable` when it can't be had. */
export interface ProfileStore {
  readProfile(userKey: string): Promise<ProfileRecord | undefined>;
  /** The person and what they say of themself, as of one instant where that is cheap. */
  readPerson(userKey: string): Promise<{ user: UserRecord; profile: ProfileRecord | undefined } | undefined>;
  /** Whose profile has this Discord number. */
  ownerOfDiscord(discordId: string): Promise<string | undefined>;
  /**
   * `stale`: the profile's version is another, or the person isn't there and no `newUser` is given; `discord-taken`: another
   * profile has the number; `forgotten`: the new user was. Nothing has changed then.
   */
  writeProfile(write: ProfileWrite): Promise<'written' | 'stale' | 'discord-taken' | 'forgotten'>;
  /**
   * Takes out everything of a person, counts included, and remembers the hashes. Doing it again changes nothing; the facts
   * are published again.
   */
  forget(command: ForgetCommand): Promise<void>;
}
