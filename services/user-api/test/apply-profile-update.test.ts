import type { ProfileUpdate } from '@lobbystats/contracts';
import { hasCode } from '@lobbystats/contracts/errors';
import fc from 'fast-check';
import { emptyProfile } from '../src/profiles/profile-view.ts';
import {
  applyProfileUpdate,
  assertLinksAllowed,
  requiredLookUp,
  isSameProfile,
} from '../src/profiles/apply-profile-update.ts';
import type { ProfileRecord } from '../src/users/user-record.ts';

const ids = ['11111111111111111', '22222222222222222222'] as const;
const avatar = `https://cdn.discordapp.com/avatars/${ids[0]}/a.png`;
const link = fc.record({
  platform: fc.constantFrom('youtube', 'twitch'),
  url: fc.constant('https://example.com/'),
  label: fc.constantFrom(null, 'Mine'),
});
const text = fc.option(fc.constantFrom('one', 'two'));

const profiles: fc.Arbitrary<ProfileRecord> = fc
  .record({
    avatarUrl: fc.constantFrom(null, 'one', avatar),
    avatarHue: fc.option(fc.nat(359)),
    discordId: fc.option(fc.constantFrom(...ids)),
    linkedGamertag: text,
    bio: text,
    socialLinks: fc.array(link, { maxLength: 2 }),
    syncAvatarFromDiscord: fc.boolean(),
    version: fc.nat(),
  })
  .map((fields) => ({ ...fields, userKey: 'emberfox', discordVerified: fields.discordId !== null }));

const updates = fc.record(
  {
    avatar_url: text,
    avatar_hue: fc.option(fc.nat(359)),
    discord_profile_url: fc.option(fc.constantFrom(...ids.map((id) => `https://discord.com/users/${id}`))),
    linked_gamertag: text,
    bio: text,
    sync_avatar_from_discord: fc.option(fc.boolean()),
    social_links: fc.option(fc.array(link, { maxLength: 2 })),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<ProfileUpdate>;

const avatarOf = (id: string) => `https://cdn.discordapp.com/avatars/${id}/a.png`;

/** Applies an update with the look-up that it requires, of an account with or without an avatar. */
const after = (profile: ProfileRecord, update: ProfileUpdate, hasAvatar = true) => {
  const id = requiredLookUp(profile, update);
  return applyProfileUpdate(profile, update, id === undefined ? id : { avatarUrl: hasAvatar ? avatarOf(id) : null });
};

/** Field names of updates and records, except fields that look-ups change. */
const fieldsOf = {
  avatar_hue: 'avatarHue',
  bio: 'bio',
  discord_profile_url: 'discordId',
  linked_gamertag: 'linkedGamertag',
  social_links: 'socialLinks',
  sync_avatar_from_discord: 'syncAvatarFromDiscord',
} as const;

function isRefused(check: () => void): boolean {
  try {
    check();
    return false;
  } catch (error) {
    return hasCode(error, 'forbidden');
  }
}

describe('profile update', () => {
  it('is idempotent and needs no second look-up', () => {
    fc.assert(
      fc.property(profiles, updates, (profile, update) => {
        const once = after(profile, update);
        expect(requiredLookUp(once, update)).toBeUndefined();
        expect(isSameProfile(after(once, update), once)).toBe(true);
      }),
    );
  });

  it('keeps fields that the update does not contain', () => {
    fc.assert(
      fc.property(profiles, updates, (profile, update) => {
        const changed = after(profile, update);
        const clearsLinks = update.discord_profile_url === null;
        const isUnchanged = (field: string) => !(field in update) && !(field === 'social_links' && clearsLinks);
        const names = Object.entries(fieldsOf).flatMap(([field, name]) => (isUnchanged(field) ? [name] : []));
        expect(names.map((name) => changed[name])).toEqual(names.map((name) => profile[name]));
        expect(isSameProfile(applyProfileUpdate(profile, {}), profile)).toBe(true);
        expect(changed.version).toBe(profile.version);
      }),
    );
  });

  it('results in a verified Discord ID or none', () => {
    fc.assert(
      fc.property(profiles, updates, (profile, update) => {
        const { discordId, discordVerified } = after(profile, update);
        expect(discordVerified).toBe(discordId !== null);
      }),
    );
  });

  it('leaves no avatar of a Discord account that is no longer linked, or that is asked and has none', () => {
    fc.assert(
      fc.property(profiles, updates, fc.boolean(), (profile, update, hasAvatar) => {
        fc.pre(update.avatar_url === undefined && profile.discordId === ids[0]);
        const changed = after(profile, update, hasAvatar);
        const isAsked = requiredLookUp(profile, update) !== undefined && changed.syncAvatarFromDiscord;
        const isGone = changed.discordId !== ids[0] || (isAsked && !hasAvatar);
        const standing = isGone && profile.avatarUrl === avatar ? null : profile.avatarUrl;
        expect(changed.avatarUrl).toBe(isAsked && hasAvatar ? avatarOf(changed.discordId ?? '') : standing);
      }),
    );
  });

  it('removes social links and the Discord avatar when the Discord ID is cleared', () => {
    fc.assert(
      fc.property(profiles, updates, (profile, update) => {
        fc.pre(update.avatar_url === undefined && profile.discordId === ids[0]);
        const { discordId, socialLinks, avatarUrl } = after(profile, { ...update, discord_profile_url: null });
        expect({ discordId, socialLinks }).toEqual({ discordId: null, socialLinks: [] });
        expect(avatarUrl).toBe(profile.avatarUrl === avatar ? null : profile.avatarUrl);
      }),
    );
  });

  it('allows social links only with a Discord ID', () => {
    fc.assert(
      fc.property(profiles, updates, (profile, update) => {
        const isAllowed = after(profile, update).discordId !== null || (update.social_links ?? []).length === 0;
        expect(isRefused(() => assertLinksAllowed(profile, update))).toBe(!isAllowed);
      }),
    );
  });

  it('allows social links with an unverified Discord ID only when the ID is sent again', () => {
    const url = `https://discord.com/users/${ids[0]}`;
    const unverified = { ...emptyProfile('emberfox'), discordId: ids[0] };
    const social_links = [{ platform: 'twitch', url: 'https://example.com/', label: null }];
    expect(() => assertLinksAllowed(unverified, { social_links })).toThrow(/verified/);
    expect(() => assertLinksAllowed(unverified, { social_links, discord_profile_url: url })).not.toThrow();
    expect(requiredLookUp(unverified, { discord_profile_url: url })).toBe(ids[0]);
  });
});
