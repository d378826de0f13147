import type { ProfileUpdate } from '@lobbystats/contracts';
import { hasCode } from '@lobbystats/errors';
import fc from 'fast-check';
import { unwrittenProfile } from '../src/domain/person.ts';
import { changedProfile, expectLinksAllowed, lookUpWanted, saysTheSame } from '../src/domain/profile-change.ts';
import type { ProfileRecord } from '../src/domain/profile-store.ts';

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

const found = { avatarUrl: avatar };

/** What comes of an update with the look-up that it wants. */
const after = (profile: ProfileRecord, update: ProfileUpdate) =>
  changedProfile(profile, update, lookUpWanted(profile, update) === undefined ? undefined : found);

/** What each field of an update is called in a record, but for those that look-ups change. */
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

describe('a changed profile', () => {
  it('is the same when the same update comes again, and wants no second look-up', () => {
    fc.assert(
      fc.property(profiles, updates, (profile, update) => {
        const once = after(profile, update);
        expect(lookUpWanted(once, update)).toBeUndefined();
        expect(saysTheSame(after(once, update), once)).toBe(true);
      }),
    );
  });

  it('keeps what the update doesn’t name', () => {
    fc.assert(
      fc.property(profiles, updates, (profile, update) => {
        const changed = after(profile, update);
        const clearsLinks = update.discord_profile_url === null;
        const isKept = (given: string) => !(given in update) && !(given === 'social_links' && clearsLinks);
        const names = Object.entries(fieldsOf).flatMap(([given, name]) => (isKept(given) ? [name] : []));
        expect(names.map((name) => changed[name])).toEqual(names.map((name) => profile[name]));
        expect(saysTheSame(changedProfile(profile, {}), profile)).toBe(true);
        expect(changed.version).toBe(profile.version);
      }),
    );
  });

  it('has a number that is verified, or none', () => {
    fc.assert(
      fc.property(profiles, updates, (profile, update) => {
        const { discordId, discordVerified } = after(profile, update);
        expect(discordVerified).toBe(discordId !== null);
      }),
    );
  });

  it('has neither links nor the avatar of the number when that is cleared', () => {
    fc.assert(
      fc.property(profiles, updates, (profile, update) => {
        fc.pre(update.avatar_url === undefined && profile.discordId === ids[0]);
        const { discordId, socialLinks, avatarUrl } = after(profile, { ...update, discord_profile_url: null });
        expect({ discordId, socialLinks }).toEqual({ discordId: null, socialLinks: [] });
        expect(avatarUrl).toBe(profile.avatarUrl === avatar ? null : profile.avatarUrl);
      }),
    );
  });

  it('gets links only while it has a number', () => {
    fc.assert(
      fc.property(profiles, updates, (profile, update) => {
        const isAllowed = after(profile, update).discordId !== null || (update.social_links ?? []).length === 0;
        expect(isRefused(() => expectLinksAllowed(profile, update))).toBe(!isAllowed);
      }),
    );
  });

  it('takes links with a number that nobody has looked up only when it is given again', () => {
    const url = `https://discord.com/users/${ids[0]}`;
    const unverified = { ...unwrittenProfile('emberfox'), discordId: ids[0] };
    const social_links = [{ platform: 'twitch', url: 'https://example.com/', label: null }];
    expect(() => expectLinksAllowed(unverified, { social_links })).toThrow(/verified/);
    expect(() => expectLinksAllowed(unverified, { social_links, discord_profile_url: url })).not.toThrow();
    expect(lookUpWanted(unverified, { discord_profile_url: url })).toBe(ids[0]);
  });
});
