import { operations } from '@lobbystats/contracts';
import { expect } from 'expect';
import { pathTo } from '../../standalone/sign-in.ts';
import type { SharedDrill } from '../drill.ts';

const FIELDS: readonly Readonly<Record<string, unknown>>[] = [
  { username: 'somebody-else' },
  { console_verified: true },
  { discord_verified: true },
  { viewer: { stars: 5 } },
  { score: 1_000_000 },
  { playTime: { totalMinutes: 1_000_000 } },
  { is_admin: true },
  { role: 'operator' },
  { barred: false },
  { _id: 'x' },
  { newUnlocks: [{ id: 1 }] },
  { profile: { bio: 'x' } },
];

export const massAssignment: SharedDrill = {
  number: 30,
  name: 'fields that no client may set',
  on: 'either',
  isShort: true,
  run: async (stage) => {
    const [user, other] = stage.users;
    const path = pathTo(operations.getProfile.path, user.username);
    expect(await user.update({ bio: 'Up before the birds.' })).toMatchObject({ status: 200 });
    const profileOf = async () => JSON.stringify(((await stage.request(path)).body as { profile: unknown }).profile);
    const before = await profileOf();
    for (const field of FIELDS) {
      for (const more of [{}, { bio: 'changed' }]) {
        const updated = await user.update({ ...more, ...field });
        expect([field, updated.status]).toEqual([field, 400]);
      }
      const rated = await user.rate(other.username, { stars: 1, ...field });
      expect([field, rated.status]).toEqual([field, 400]);
    }
    expect(await profileOf()).toBe(before);
    return [
      `${FIELDS.length} fields, alone and beside a sound one, in profiles and ratings: 400 each; the profile is the same ${before.length} bytes`,
    ];
  },
};
