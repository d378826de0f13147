import type { ProfileUpdate } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/errors';
import { discordIdOf, isDiscordAvatarOf, type DiscordUser } from './discord.ts';
import type { ProfileRecord } from './profile-store.ts';

/**
 * @throws AppError `forbidden` for links of a profile that would have no Discord number, or one that nobody has looked up
 */
export function expectLinksAllowed(profile: ProfileRecord, update: ProfileUpdate): void {
  if (update.social_links === undefined || update.social_links === null || update.social_links.length === 0) return;
  const id = discordIdAfter(profile, update);
  if (
    id === null ||
    (id === profile.discordId && update.discord_profile_url === undefined && !profile.discordVerified)
  ) {
    throw new AppError('forbidden', 'social_links need a Discord profile that is verified');
  }
}

export function newDiscordId(profile: ProfileRecord, update: ProfileUpdate): string | undefined {
  const id = discordIdAfter(profile, update);
  return id === null || id === profile.discordId ? undefined : id;
}

/** A new number, one not verified yet that is given again, or the current one when its avatar is switched on. */
export function lookUpWanted(profile: ProfileRecord, update: ProfileUpdate): string | undefined {
  const id = discordIdAfter(profile, update);
  if (id === null) return undefined;
  const isGiven = typeof update.discord_profile_url === 'string';
  const isNew = id !== profile.discordId || (isGiven && !profile.discordVerified);
  const beginsToSync = update.sync_avatar_from_discord === true && !profile.syncAvatarFromDiscord;
  return isNew || (beginsToSync && update.avatar_url === undefined) ? id : undefined;
}

/**
 * Clearing the Discord profile also clears social links and a Discord avatar, whose URL contains the number.
 *
 * @param found who has the number that was to be looked up
 */
export function changedProfile(profile: ProfileRecord, update: ProfileUpdate, found?: DiscordUser): ProfileRecord {
  const discordId = discordIdAfter(profile, update);
  const clearsDiscord = update.discord_profile_url === null;
  const losesAvatar = clearsDiscord && isDiscordAvatarOf(profile.discordId, profile.avatarUrl);
  const standingAvatar = losesAvatar ? null : profile.avatarUrl;
  const syncAvatarFromDiscord = orStanding(update.sync_avatar_from_discord, profile.syncAvatarFromDiscord) ?? false;
  const syncedAvatar = syncAvatarFromDiscord ? found?.avatarUrl : undefined;
  return {
    userKey: profile.userKey,
    version: profile.version,
    avatarUrl: orStanding(update.avatar_url, syncedAvatar ?? standingAvatar),
    avatarHue: orStanding(update.avatar_hue, profile.avatarHue),
    discordId,
    discordVerified: discordId !== null && (found !== undefined || profile.discordVerified),
    linkedGamertag: orStanding(update.linked_gamertag, profile.linkedGamertag),
    bio: orStanding(update.bio, profile.bio),
    socialLinks: clearsDiscord ? [] : (orStanding(update.social_links, profile.socialLinks) ?? []),
    syncAvatarFromDiscord,
  };
}

export function saysTheSame(one: ProfileRecord, other: ProfileRecord): boolean {
  return textOf(one) === textOf(other);
}

function discordIdAfter(profile: ProfileRecord, { discord_profile_url: url }: ProfileUpdate): string | null {
  if (url === undefined) return profile.discordId;
  return url === null ? null : discordIdOf(url);
}

function orStanding<Value>(given: Value | undefined, standing: Value): Value {
  return given === undefined ? standing : given;
}

function textOf(profile: ProfileRecord): string {
  return JSON.stringify([
    profile.avatarUrl,
    profile.avatarHue,
    profile.discordId,
    profile.discordVerified,
    profile.linkedGamertag,
    profile.bio,
    profile.socialLinks.map(({ platform, url, label }) => [platform, url, label]),
    profile.syncAvatarFromDiscord,
  ]);
}
