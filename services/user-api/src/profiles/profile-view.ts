import {
  usernameKey,
  formatTimestamp,
  SLOT_SECONDS,
  type EpochSeconds,
  type operations,
  type OperationResponse,
  type Profile,
} from '@lobbystats/contracts';
import { unknownUserError } from '../users/erased-users.ts';
import type { OnlineUser } from '../users/user-store.ts';
import type { ProfileStore } from './profile-store.ts';
import { totalMinutes, type UserRecord, type TitlePlay, type ProfileRecord } from '../users/user-record.ts';
import { discordUrl } from './discord.ts';

export interface UserWithProfile {
  readonly user: UserRecord;
  readonly profile: ProfileRecord;
}

/** @throws AppError `not-found` for an unknown or erased user */
export async function findUser(profiles: Pick<ProfileStore, 'readUser'>, username: string): Promise<UserWithProfile> {
  return withProfile(await profiles.readUser(usernameKey(username)));
}

/** @throws AppError `not-found` for no user */
export function withProfile(found: Awaited<ReturnType<ProfileStore['readUser']>>): UserWithProfile {
  if (found === undefined) throw unknownUserError();
  return { user: found.user, profile: found.profile ?? emptyProfile(found.user.key) };
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

type UserProfile = OperationResponse<typeof operations.getUserProfile>;

export function profileView(
  { user, profile }: UserWithProfile,
  newUnlocks: UserProfile['newUnlocks'],
  now: EpochSeconds,
): UserProfile {
  return {
    username: user.username,
    profile: profileFields({ user, profile }),
    playTime: playTimeView(user, now),
    achievementScore: user.score,
    achievementCount: user.unlocked.length,
    newUnlocks,
    leaderboardPlayerName: leaderboardName({ user, profile }),
    usesExplicitConsoleLiveGamertag: profile.linkedGamertag !== null,
  };
}

export function profileFields({ user, profile }: UserWithProfile): Profile {
  return {
    avatar_url: profile.avatarUrl ?? '',
    avatar_hue: profile.avatarHue,
    discord_profile_url: profile.discordId === null ? '' : discordUrl(profile.discordId),
    linked_gamertag: profile.linkedGamertag ?? '',
    console_verified: user.verified,
    bio: profile.bio ?? '',
    social_links: profile.socialLinks.map((link) => ({ ...link })),
    sync_avatar_from_discord: profile.syncAvatarFromDiscord,
    discord_verified: profile.discordVerified,
  };
}

export function leaderboardName({ user, profile }: UserWithProfile): string {
  return profile.linkedGamertag ?? user.username;
}

export function gamesView({ user, profile }: UserWithProfile): OperationResponse<typeof operations.getUserGames> {
  return {
    leaderboardPlayerName: leaderboardName({ user, profile }),
    games: user.titles.toSorted(longestFirst).map(({ titleId, minutes, lastPlayedAt }) => ({
      titleId,
      totalMinutes: minutes,
      lastPlayedAt: formatTimestamp(lastPlayedAt),
    })),
    hasPlayTimeTracking: user.presence !== undefined,
  };
}

/** The feed reports a departure once, or never when it wasn't polled. */
export const PRESENCE_TTL_SECONDS = 3 * SLOT_SECONDS;

function playTimeView(user: UserRecord, now: EpochSeconds): UserProfile['playTime'] {
  const { presence, titles } = user;
  const { isOnline, current } = currentPresence(user, now);
  const last = titles.reduce<TitlePlay | undefined>(latestPlay, undefined);
  return {
    totalMinutes: totalMinutes(user),
    lastState: isOnline ? 'online' : 'offline',
    current,
    byTitle: titles.map(({ titleId, minutes }) => ({ titleId, minutes })),
    lastPlayedTitleId: last?.titleId ?? null,
    lastPlayedAt: last === undefined ? null : formatTimestamp(last.lastPlayedAt),
    lastOnlineAt: presence === undefined ? null : formatTimestamp(presence.at),
  };
}

/** `game` is null also when the sighting has no name of it. */
export function presenceView(user: UserRecord, now: EpochSeconds): OperationResponse<typeof operations.getOwnPresence> {
  const { isOnline } = currentPresence(user, now);
  const game = user.presence?.game ?? '';
  return { isOnline, game: isOnline && game !== '' ? game : null };
}

export function onlineUserView({ username, titleId, game }: OnlineUser) {
  return { username, titleId, game: game === '' ? null : game };
}

function currentPresence({ presence }: UserRecord, now: EpochSeconds) {
  const isOnline = presence?.isOnline === true && now < presence.at + PRESENCE_TTL_SECONDS;
  const isPlaying = isOnline && presence.titleId !== null;
  return { isOnline, current: isPlaying ? { titleId: presence.titleId, game: presence.game ?? '' } : null };
}

function latestPlay(last: TitlePlay | undefined, play: TitlePlay): TitlePlay {
  return last === undefined || play.lastPlayedAt > last.lastPlayedAt ? play : last;
}

function longestFirst(a: TitlePlay, b: TitlePlay): number {
  return b.minutes - a.minutes || (a.titleId < b.titleId ? -1 : 1);
}
