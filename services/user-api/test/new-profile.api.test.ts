import { operations, profileUpdated, userStored, type Profile } from '@lobbystats/contracts';
import { eventually } from '@lobbystats/test-kit';
import { pathOf, runUserApi, type UserProfile } from './running-user-api.ts';

const UPDATE = operations.updateProfile.path;
const READ = pathOf(operations.getUserProfile, 'EmberFox');

const empty: Profile = {
  avatar_url: '',
  avatar_hue: null,
  discord_profile_url: '',
  linked_gamertag: '',
  console_verified: false,
  bio: '',
  social_links: [],
  sync_avatar_from_discord: false,
  discord_verified: false,
};

describe('caller without a profile', () => {
  it.each(['POST', 'PATCH'] as const)('gets an empty profile, created once, by a %s of {}', async (method) => {
    const users = await runUserApi();
    const first = await users.send(UPDATE, {}, { method });
    expect(first).toMatchObject({ status: 200, body: { success: true, profile: empty } });
    expect(await users.get<UserProfile>(READ)).toMatchObject({ status: 200, body: { profile: empty } });
    expect(await users.send(UPDATE, {}, { method })).toMatchObject({ status: 200, body: first.body });
    await users.send(UPDATE, { bio: 'One' }, { method, as: 'Marlow' });
    await eventually(() => {
      const updated = users.published(profileUpdated).map(({ data }) => data.username);
      expect(updated).toEqual(['EmberFox', 'Marlow']);
    });
    const stored = users.published(userStored).flatMap(({ data }) => data.users.map(({ username }) => username));
    expect(stored).toEqual(['EmberFox', 'Marlow']);
  });

  it('gets no profile by a rejected update', async () => {
    const users = await runUserApi();
    const links = [{ platform: 'youtube', url: 'https://youtube.com/@ember' }];
    expect(await users.send(UPDATE, { social_links: links })).toMatchObject({ status: 403 });
    expect(await users.get(READ)).toMatchObject({ status: 404 });
  });
});
