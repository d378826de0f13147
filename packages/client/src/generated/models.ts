// Made by `npm run docs:generate` from packages/contracts: change it there.

export interface Game {
  /** Title ID, 8 hexadecimal digits */
  readonly titleId: string;
  /** Name of the game, as routes find it; "" while it is unknown */
  readonly name: string;
  /** Full title, as the game’s own page has it */
  readonly title: string;
  /** URL of its icon, as a browser can reach it */
  readonly image: string;
  /** "" when unknown */
  readonly publisher: string;
  /** YYYY-MM-DD, or "" when unknown */
  readonly releaseDate: string;
}

export interface GameActivity {
  /** Name of the game, as routes find it; "" while it is unknown */
  readonly name: string;
  /** Title ID, 8 hexadecimal digits */
  readonly titleId: string;
  readonly image: string;
  /** "" when unknown */
  readonly publisher: string;
  /** Users online */
  readonly online: number;
  /** Open matches */
  readonly activeLobbies: number;
  /** There is a session */
  readonly hasActiveSession: boolean;
  /** Sessions, as the homepage says */
  readonly sessionCount: number;
  /** Players in sessions, as the homepage says */
  readonly activeLobbyPlayers: number;
  /** Hosts of the open matches */
  readonly lobbyHostNames: readonly string[];
}

export interface LeaderboardEntry {
  readonly rank: string;
  readonly name: string;
  /** As the network has it */
  readonly rating: string;
  /** Milliseconds; 0 for a score */
  readonly timeMs: number;
  /** m:ss.mmm, minutes unpadded; "" for a score */
  readonly timeFormatted: string;
  /** A time, not a score */
  readonly isTime: boolean;
}

export interface LeaderboardRow {
  /** Title ID, 8 hexadecimal digits */
  readonly titleId: string;
  /** Name of the game, as routes find it; "" while it is unknown */
  readonly gameName: string;
  readonly leaderboardId: number;
  readonly leaderboardName: string;
  readonly playerName: string;
  readonly rank: number;
  /** As the network has it */
  readonly rating: string;
  /** Milliseconds; 0 for a score */
  readonly timeMs: number;
  /** m:ss.mmm, minutes unpadded; "" for a score */
  readonly timeFormatted: string;
  /** A time, not a score */
  readonly isTime: boolean;
}

export interface Change {
  /** Grows with changedAt */
  readonly id: number;
  readonly type: 'new' | 'updated' | 'removed';
  /** Title ID, 8 hexadecimal digits */
  readonly titleId: string;
  /** Name of the game, as routes find it; "" while it is unknown */
  readonly gameName: string;
  readonly leaderboardId: number;
  readonly leaderboardName: string;
  readonly playerName: string;
  readonly isTime: boolean;
  readonly oldRank: number | null;
  readonly newRank: number | null;
  readonly oldRating: string | null;
  readonly newRating: string | null;
  readonly oldTimeMs: number | null;
  readonly newTimeMs: number | null;
  /** An instant, UTC */
  readonly changedAt: string;
}

export interface Event {
  readonly id: number;
  readonly title: string;
  readonly game_name: string;
  /** Title ID, 8 hexadecimal digits */
  readonly title_id: string | null;
  readonly game_image: string;
  readonly banner_url: string;
  readonly description: string;
  /** A UTC day */
  readonly event_date: string;
  readonly start_time: string;
  readonly end_time: string | null;
  /** IANA time zone */
  readonly event_timezone: string;
  readonly item_kind: 'event' | 'tournament';
  readonly tournament_status: string | null;
  readonly signup_count: number;
  readonly has_prize: boolean;
  readonly prize_amount: string | null;
  readonly is_paid_event: boolean;
  readonly entry_fee_sats: number | null;
  readonly reward_total_sats: number | null;
  readonly pot_verified_balance_sats: number | null;
  readonly sponsor_name: string | null;
  /** An instant, UTC */
  readonly registration_opens_at: string | null;
  /** An instant, UTC */
  readonly registration_closes_at: string | null;
  /** A UTC day */
  readonly start_date_utc: string;
  readonly start_datetime_utc: string;
  /** A UTC day */
  readonly end_date_utc: string | null;
  readonly end_datetime_utc: string | null;
  /** An instant, UTC */
  readonly starts_at: string;
  /** An instant, UTC */
  readonly ends_at: string | null;
}

export interface Profile {
  readonly avatar_url: string;
  readonly avatar_hue: number | null;
  readonly discord_profile_url: string;
  readonly linked_gamertag: string;
  /** As the network says */
  readonly console_verified: boolean;
  readonly bio: string;
  readonly social_links: readonly SocialLink[];
  readonly sync_avatar_from_discord: boolean;
  /** The Discord number exists; it does not show whose it is */
  readonly discord_verified: boolean;
}

export interface SocialLink {
  readonly platform: string;
  readonly url: string;
  readonly label: string | null;
}

export interface NewUnlock {
  readonly id: number;
  /** `hidden-<id>` where it is not to be known which one it is */
  readonly key: string;
  readonly name: string;
  readonly points: number;
  /** An instant, UTC */
  readonly unlocked_at: string;
}

export interface Achievement {
  readonly id: number;
  /** `hidden-<id>` where it is not to be known which one it is */
  readonly key: string;
  /** `Hidden Achievement` where it is not to be known */
  readonly name: string;
  readonly description: string;
  readonly points: number;
  /** Not told before it is earned */
  readonly is_hidden: boolean;
  /** Title ID, 8 hexadecimal digits */
  readonly game_title_id: string | null;
  /** Its group’s displayName */
  readonly category: string;
  readonly earned: boolean;
  /** An instant, UTC */
  readonly unlocked_at: string | null;
  readonly revealed_name?: string | undefined;
  readonly revealed_description?: string | undefined;
}

export interface RecentUnlock {
  /** Site username, canonical spelling */
  readonly username: string;
  /** An instant, UTC */
  readonly unlockedAt: string;
  readonly achievementId: number;
  /** `hidden-<id>` where it is not to be known which one it is */
  readonly achievementKey: string;
  /** With the game’s label; `Hidden Achievement` for a hidden one */
  readonly achievementName: string;
  readonly gameName: string;
  readonly points: number;
}

export interface Feedback {
  /** Site username, canonical spelling */
  readonly raterUsername: string;
  readonly stars: number;
  readonly comment: string | null;
  /** An instant, UTC */
  readonly createdAt: string;
}

/** A 5-minute slot can be read: who is online, how many lobbies are open. */
export interface StreamOnline {
  /** The slot, UTC */
  readonly slot: string;
  readonly online: number;
  /** null where some of the network’s pages could not be had */
  readonly lobbies: number | null;
}

/** A match has been opened or is over. */
export interface StreamMatches {
  /** Title ID, 8 hexadecimal digits */
  readonly titleId: string;
  /** Name of the game, as routes find it; "" while it is unknown */
  readonly gameName: string;
  readonly hostName: string;
  readonly currentPlayers: number;
  /** How many players the lobby admits; 0 = unknown */
  readonly maxPlayers: number;
  readonly state: 'open' | 'closed';
  /** The slot in which it was seen first or, where it is closed, last */
  readonly timestamp: string;
}

/** A profile’s ratings have changed. */
export interface StreamRatings {
  /** Site username, canonical spelling */
  readonly username: string;
  readonly average: number;
  readonly ratingCount: number;
}
