import type { EpochSeconds } from '@lobbystats/contracts';

/** How long one title was played. */
export interface TitlePlay {
  readonly titleId: string;
  readonly minutes: number;
  /** The last slot in which it was played. */
  readonly lastPlayedAt: EpochSeconds;
}

/** A person as last seen. */
export interface Sight {
  readonly at: EpochSeconds;
  readonly isOnline: boolean;
  /** null: in no game. */
  readonly titleId: string | null;
  readonly game: string | null;
}

/** What the site knows of a person, but for what they say of themself: see {@link ProfileRecord}. */
export interface UserRecord {
  /** `usernameKey` of the username. */
  readonly key: string;
  /** Canonical spelling. */
  readonly username: string;
  /** As the network's feed has it; "" when unknown. */
  readonly gamertag: string;
  readonly verified: boolean;
  /** undefined: never seen in the feed, has written a profile. */
  readonly sight: Sight | undefined;
  /** By titleId. */
  readonly titles: readonly TitlePlay[];
  /** How many profiles they have rated, at most so far. */
  readonly ratingsGiven: number;
  /** Ids of unlocked achievements, ascending. */
  readonly unlocked: readonly number[];
  readonly score: number;
}

/** Minutes played in all titles. */
export function totalMinutes({ titles }: Pick<UserRecord, 'titles'>): number {
  return titles.reduce((sum, { minutes }) => sum + minutes, 0);
}

/** Which slots of a UTC day a person has played, by title. */
export interface PlayDay {
  readonly userKey: string;
  /** Days since 1970. */
  readonly day: number;
  /** One bit a slot, 288 of them. No slot is in two titles. */
  readonly titles: ReadonlyMap<string, Uint8Array>;
}

/** In which slots of a UTC day a player's matches ended. */
export interface HostDay {
  readonly playerKey: string;
  readonly day: number;
  /** One bit a slot. */
  readonly slots: Uint8Array;
}

/** A player's rank on a board; null: no longer on it. Of two the one of the later revision is right. */
export interface Standing {
  readonly rank: number | null;
  readonly revision: number;
}

/** What is known of a player by the name that they have in games: whoever it belongs to. */
export interface PlayerRecord {
  /** `nameKey` of the gamertag. */
  readonly key: string;
  /** By board: `titleId:leaderboardId`. */
  readonly standings: ReadonlyMap<string, Standing>;
  /** Matches hosted; see {@link HostDay}. */
  readonly hosted: number;
}

/** An achievement that a person has. It is for ever. */
export interface Unlock {
  readonly userKey: string;
  readonly achievementId: number;
  /** The time of the fact that fulfilled its rule. */
  readonly unlockedAt: EpochSeconds;
}

/** An unlock and whose it is. */
export interface NamedUnlock extends Unlock {
  readonly username: string;
}
