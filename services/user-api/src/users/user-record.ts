import { nameKey, type EpochSeconds, type SocialLink } from '@lobbystats/contracts';

/** Longer names can't be gamertags. */
const GAMERTAG_MAX = 64;

export function playerKey(gamertag: string): string | undefined {
  if (gamertag.length > GAMERTAG_MAX) return undefined;
  const key = nameKey(gamertag.toWellFormed());
  return key === '' ? undefined : key;
}

export interface TitlePlay {
  readonly titleId: string;
  readonly minutes: number;
  readonly lastPlayedAt: EpochSeconds;
}

export interface Presence {
  readonly at: EpochSeconds;
  readonly isOnline: boolean;
  /** null: in no game. */
  readonly titleId: string | null;
  readonly game: string | null;
}

export interface UserRecord {
  readonly key: string;
  readonly username: string;
  readonly gamertag: string;
  readonly verified: boolean;
  /** undefined: never seen in the feed, but has a profile. */
  readonly presence: Presence | undefined;
  readonly titles: readonly TitlePlay[];
  readonly ratingsGiven: number;
  readonly unlocked: readonly number[];
  readonly score: number;
}

export function totalMinutes({ titles }: Pick<UserRecord, 'titles'>): number {
  return titles.reduce((sum, { minutes }) => sum + minutes, 0);
}

export interface PlayDay {
  readonly userKey: string;
  readonly day: number;
  /** 288 bits. No slot is in two titles. */
  readonly titles: ReadonlyMap<string, Uint8Array>;
}

export interface HostDay {
  readonly playerKey: string;
  readonly day: number;
  readonly slots: Uint8Array;
}

export interface Standing {
  /** null: no longer on the board. The later revision wins. */
  readonly rank: number | null;
  readonly revision: number;
  /** When the player was first seen on the board, and then at each better rank, in order of time. */
  readonly best: readonly RankTime[];
}

export type RankTime = readonly [at: EpochSeconds, rank: number];

export interface PlayerRecord {
  readonly key: string;
  readonly standings: ReadonlyMap<string, Standing>;
  readonly hosted: number;
}

export interface Unlock {
  readonly userKey: string;
  readonly achievementId: number;
  readonly unlockedAt: EpochSeconds;
}

export interface NamedUnlock extends Unlock {
  readonly username: string;
}

/** Identity and presence of a user in one poll; replaced together. */
export interface IdentitySnapshot extends Pick<UserRecord, 'username' | 'gamertag' | 'verified'> {
  readonly presence: Presence;
}

/**
 * The later poll wins; on a tie the offline one, which reports the last sighting; else one with a gamertag, and the
 * greater JSON text, so order doesn't matter.
 */
export function supersedes(one: IdentitySnapshot, other: IdentitySnapshot): boolean {
  if (one.presence.at !== other.presence.at) return one.presence.at > other.presence.at;
  if (one.presence.isOnline !== other.presence.isOnline) return other.presence.isOnline;
  return serialize(one) > serialize(other);
}

function serialize({ username, gamertag, verified, presence }: IdentitySnapshot): string {
  return JSON.stringify([gamertag, username, verified, presence.isOnline, presence.titleId, presence.game]);
}

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
