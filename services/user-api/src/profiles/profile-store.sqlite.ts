import type { SocialLink } from '@lobbystats/contracts';
import { appendToOutbox, type SqliteStore } from '@lobbystats/service-kit/sqlite';
import type { ProfileStore } from './profile-store.ts';
import type { ProfileRecord } from '../users/user-record.ts';
import { USER_COLUMNS, userOf, type UserRow } from '../users/user-rows.sqlite.ts';
import { putUsers } from '../users/user-writes.sqlite.ts';

export const PROFILE_COLUMNS = `user_key AS userKey, version, avatar_url AS avatarUrl, avatar_hue AS avatarHue, discord_id AS discordId,
  discord_verified AS discordVerified, linked_gamertag AS linkedGamertag, bio, social_links AS socialLinks,
  sync_avatar_from_discord AS syncAvatarFromDiscord`;
const ADD_PROFILE = 'INSERT INTO profile VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)';

export function sqliteProfileStore(sqlite: SqliteStore): ProfileStore {
  const readProfile = (userKey: string): ProfileRecord | undefined => {
    const row = sqlite.get<ProfileRow>(`SELECT ${PROFILE_COLUMNS} FROM profile WHERE user_key = ?`, userKey);
    return row && profileOf(row);
  };
  const findDiscordUser = (discordId: string): string | undefined =>
    sqlite.get<{ userKey: string }>('SELECT user_key AS userKey FROM profile WHERE discord_id = ?', discordId)?.userKey;
  const isErased = (hash: string) => sqlite.get('SELECT 1 FROM erased_user WHERE hash = ?', hash) !== undefined;
  const readUser = (userKey: string) => sqlite.get<UserRow>(`SELECT ${USER_COLUMNS} FROM user WHERE key = ?`, userKey);

  return {
    readProfile: async (userKey) => readProfile(userKey),
    readUser: async (userKey) => {
      const row = readUser(userKey);
      return row && { user: userOf(row), profile: readProfile(userKey) };
    },
    findDiscordUser: async (discordId) => findDiscordUser(discordId),
    writeProfile: async ({ profile, newUser, facts }) =>
      sqlite.transaction(() => {
        const { userKey, version, discordId } = profile;
        const isKnown = readUser(userKey) !== undefined;
        if (!isKnown && newUser === undefined) return 'stale';
        if (!isKnown && newUser !== undefined && isErased(newUser.hash)) return 'erased';
        if ((readProfile(userKey)?.version ?? 0) !== version) return 'stale';
        const linkedUserKey = discordId === null ? undefined : findDiscordUser(discordId);
        if (linkedUserKey !== undefined && linkedUserKey !== userKey) return 'discord-taken';
        if (!isKnown && newUser !== undefined) {
          sqlite.run('UPDATE user_state SET revision = max(revision + 1, ?) WHERE only = 1', newUser.revision);
          putUsers(sqlite, [newUser.user]);
        }
        // REPLACE would delete another profile with the same Discord ID.
        sqlite.run('DELETE FROM profile WHERE user_key = ?', userKey);
        sqlite.run(ADD_PROFILE, ...valuesOf({ ...profile, version: version + 1 }));
        appendToOutbox(sqlite, facts);
        return 'written';
      }),
  };
}

export interface ProfileRow extends Omit<ProfileRecord, 'discordVerified' | 'socialLinks' | 'syncAvatarFromDiscord'> {
  discordVerified: number;
  socialLinks: string;
  syncAvatarFromDiscord: number;
}

export function profileOf({ discordVerified, socialLinks, syncAvatarFromDiscord, ...row }: ProfileRow): ProfileRecord {
  return {
    ...row,
    discordVerified: discordVerified === 1,
    socialLinks: JSON.parse(socialLinks) as SocialLink[],
    syncAvatarFromDiscord: syncAvatarFromDiscord === 1,
  };
}

function valuesOf(profile: ProfileRecord): readonly (string | number | null)[] {
  return [
    profile.userKey,
    profile.version,
    profile.avatarUrl,
    profile.avatarHue,
    profile.discordId,
    Number(profile.discordVerified),
    profile.linkedGamertag,
    profile.bio,
    JSON.stringify(profile.socialLinks),
    Number(profile.syncAvatarFromDiscord),
  ];
}
