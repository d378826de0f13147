import type { ProfileUpdate } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import { discordIdOf, isDiscordAvatarOf, type DiscordUser } from './discord.ts';
import type { ProfileRecord } from '../users/user-record.ts';

/** @throws AppError `forbidden` for links of a profile without a verified Discord ID */
export function assertLinksAllowed(profile: ProfileRecord, update: ProfileUpdate): void {
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

/** Returns a new ID, an unverified one sent again, or the current one when avatar synchronisation is switched on. */
export function requiredLookUp(profile: ProfileRecord, update: ProfileUpdate): string | undefined {
  const id = discordIdAfter(profile, update);
  if (id === null) return undefined;
  const hasUrl = typeof update.discord_profile_url === 'string';
  const isNew = id !== profile.discordId || (hasUrl && !profile.discordVerified);
  const beginsToSync = update.sync_avatar_from_discord === true && !profile.syncAvatarFromDiscord;
  return isNew || (beginsToSync && update.avatar_url === undefined) ? id : undefined;
}

/**
 * Clearing the Discord profile also clears social links. The avatar of a Discord account, whose URL contains the ID, goes
 * when the account is no longer linked, or has none to synchronise any more.
 * `found`: the result of the look-up, when one was required.
 */
export function applyProfileUpdate(profile: ProfileRecord, update: ProfileUpdate, found?: DiscordUser): ProfileRecord {
  const discordId = discordIdAfter(profile, update);
  const clearsDiscord = update.discord_profile_url === null;
  const syncAvatarFromDiscord = updatedValue(update.sync_avatar_from_discord, profile.syncAvatarFromDiscord) ?? false;
  const syncedAvatar = syncAvatarFromDiscord ? found?.avatarUrl : undefined;
  const isOutdated = discordId !== profile.discordId || syncedAvatar === null;
  const losesAvatar = isOutdated && isDiscordAvatarOf(profile.discordId, profile.avatarUrl);
  const standingAvatar = losesAvatar ? null : profile.avatarUrl;
  return {
    userKey: profile.userKey,
    version: profile.version,
    avatarUrl: updatedValue(update.avatar_url, syncedAvatar ?? standingAvatar),
    avatarHue: updatedValue(update.avatar_hue, profile.avatarHue),
    discordId,
    discordVerified: discordId !== null && (found !== undefined || profile.discordVerified),
    linkedGamertag: updatedValue(update.linked_gamertag, profile.linkedGamertag),
    bio: updatedValue(update.bio, profile.bio),
    socialLinks: clearsDiscord ? [] : (updatedValue(update.social_links, profile.socialLinks) ?? []),
    syncAvatarFromDiscord,
  };
}

export function isSameProfile(one: ProfileRecord, other: ProfileRecord): boolean {
  return serialize(one) === serialize(other);
}

function discordIdAfter(profile: ProfileRecord, { discord_profile_url: url }: ProfileUpdate): string | null {
  if (url === undefined) return profile.discordId;
  return url === null ? null : discordIdOf(url);
}

function updatedValue<Value>(value: Value | undefined, standing: Value): Value {
  return value === undefined ? standing : value;
}

function serialize(profile: ProfileRecord): string {
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
