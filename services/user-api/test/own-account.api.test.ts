import {
  CONFIRMATION_SECONDS,
  ERASED_MESSAGE,
  matchEnded,
  operations,
  playerRanked,
  ratingStored,
  userErased,
  type OperationResponse,
} from '@lobbystats/contracts';
import { Secret } from '@lobbystats/service-kit';
import { eventually, getJson } from '@lobbystats/test-kit';
import { keyedErasureConfirmation } from '../src/users/keyed-hashes.node.ts';
import { definition, definitionsOf } from './achievement-builders.ts';
import { NOW, pathOf, runUserApi, sessionKeyOf, type RunningUserApi, type RunOptions } from './running-user-api.ts';

const { getOwnProfile, exportUser, eraseMe, getUserProfile, updateProfile } = operations;

/** Starts a service with the user EmberFox, and returns it with a request in the name of a user. */
const run = async (options: RunOptions = {}) => {
  const users = await runUserApi(options);
  await users.observe({}, { username: 'Marlow', gamertag: 'Marlow' });
  const as = <Body>(username: string | null, path: string, method = 'GET') =>
    getJson<Body>(users.url + path, {
      method,
      headers: username === null ? {} : { 'X-Session-Key': sessionKeyOf(username) },
    });
  const erase = async (username: string | null, confirmation?: string | null) => {
    const query = confirmation === undefined ? '' : `?confirmation=${encodeURIComponent(String(confirmation))}`;
    const path = `${eraseMe.path}${query}`;
    return as<OperationResponse<typeof eraseMe>>(username, path, 'DELETE');
  };
  return { users, as, erase };
};

const profileStatus = async (users: RunningUserApi, name: string) =>
  (await users.get(pathOf(getUserProfile, name))).status;

describe('own profile', () => {
  it('has the fields of the public one and the gamertag of the feed', async () => {
    const { users, as } = await run();
    const { body } = await users.get(pathOf(getUserProfile, 'EmberFox'));
    const own = await as('emberfox', getOwnProfile.path);
    expect(own).toMatchObject({ status: 200 });
    expect(own.body).toEqual({ ...(body as object), gamertag: 'Ember Fox' });
  });

  it('creates an empty profile for everyone who signs in', async () => {
    const { users, as } = await run();
    const own = await as('Newcomer', getOwnProfile.path);
    expect(own).toMatchObject({ status: 200, body: { username: 'Newcomer', gamertag: '' } });
    expect(await profileStatus(users, 'newcomer')).toBe(200);
    const live = await users.send(operations.getOwnPresence.path, {}, { as: 'Visitor' });
    expect(live).toMatchObject({ status: 200, body: { isOnline: false, game: null } });
    expect(await profileStatus(users, 'visitor')).toBe(200);
  });

  it.each([exportUser, eraseMe])(
    'is 404 for a caller without a profile and 400 without a session: $id',
    async ({ path, method }) => {
      const { as } = await run();
      const unknown = await as('Nobody', path, method);
      expect([unknown.status, unknown.body]).toEqual([404, { error: 'Unknown username' }]);
      const anonymous = await as(null, path, method);
      expect([anonymous.status, anonymous.body]).toEqual([400, { error: 'sessionKey is required' }]);
    },
  );
});

describe('profile by gamertag', () => {
  it('is found in any case, and contains the username', async () => {
    const { users } = await run();
    for (const name of ['Ember Fox', 'EMBER%20fox', '%20ember%20%20fox%20']) {
      const { status, body } = await users.get(getUserProfile.path.replace(':username', name));
      expect([status, body]).toMatchObject([200, { username: 'EmberFox' }]);
    }
    expect(await profileStatus(users, 'Ember  Fox 2')).toBe(404);
  });

  it('is that of the user with the name if a username and a gamertag are equal', async () => {
    const { users } = await run();
    await users.observe({ username: 'Ember Fox', gamertag: 'Other' });
    const { body } = await users.get(pathOf(getUserProfile, 'ember fox'));
    expect(body).toMatchObject({ username: 'Ember Fox' });
  });

  it('is that of the first username of several users with one gamertag', async () => {
    const { users } = await run();
    await users.observe({ username: 'Aster', gamertag: 'ember FOX' });
    const { body } = await users.get(pathOf(getUserProfile, 'Ember Fox'));
    expect(body).toMatchObject({ username: 'Aster' });
  });

  it('is not found by a linked gamertag or by the gamertag of an erased user', async () => {
    const { users, erase } = await run();
    await users.send(updateProfile.path, { linked_gamertag: 'Linked Tag' });
    expect(await profileStatus(users, 'Linked Tag')).toBe(404);
    await erase('EmberFox', (await erase('EmberFox')).body.confirmation);
    expect(await profileStatus(users, 'Ember Fox')).toBe(404);
  });
});

describe('export of a user', () => {
  it('contains profile, sightings, play time by slot, unlocks and player data', async () => {
    const rule = { kind: 'play-minutes', minutes: 5 } as const;
    const { users, as } = await run({ definitions: definitionsOf([definition(1, { rule })]) });
    await users.send(updateProfile.path, { bio: 'About me' });
    const rank = { gamertag: 'Ember Fox', titleId: '4d530064', leaderboardId: 17, rank: 3 };
    await users.bus.publish(playerRanked, { revision: 5, ranks: [rank] });
    const slot = '2027-01-15T08:00:00Z';
    const lobby = { titleId: '4d530064', host: 'Ember Fox', players: 1, maxPlayers: 8, peakPlayers: 2 };
    await users.bus.publish(matchEnded, {
      slot,
      matches: [{ ...lobby, startedAt: '2027-01-15T07:50:00Z', endedAt: '2027-01-15T07:55:00Z' }],
    });
    const read = async () => (await as<OperationResponse<typeof exportUser>>('EMBERFOX', exportUser.path)).body;
    await eventually(async () => {
      expect((await read()).player).toMatchObject({ ranks: [{ rank: 3 }], matchesHosted: 1 });
    });
    const at = '2027-01-15 08:00:00';
    expect(await read()).toEqual({
      username: 'EmberFox',
      profile: expect.objectContaining({ bio: 'About me', console_verified: true }),
      gamertag: 'Ember Fox',
      mostRatingsGiven: 0,
      achievementScore: expect.any(Number),
      presence: { at, isOnline: true, titleId: '4d530064', game: 'Harbor Racing' },
      playTime: [{ titleId: '4d530064', minutes: 5, lastPlayedAt: at, slots: [at] }],
      unlocks: [{ achievementId: 1, unlockedAt: at }],
      player: {
        ranks: [{ titleId: '4d530064', leaderboardId: 17, rank: 3 }],
        matchesHosted: 1,
        matchEnds: ['2027-01-15 07:55:00'],
      },
      following: [],
      quietHours: null,
      notifications: [],
      channels: [],
    });
  });

  it('contains the most ratings given at one time, also after the user has removed some', async () => {
    const { users, as } = await run();
    const rated = (ratingsGiven: number) =>
      users.bus.publish(ratingStored, {
        username: 'Marlow',
        average: 5,
        ratingCount: 1,
        raters: [{ username: 'EmberFox', ratingsGiven }],
      });
    for (const ratingsGiven of [3, 2]) await rated(ratingsGiven);
    await eventually(async () => {
      expect(await users.bus.depth('user-api')).toBe(0);
    });
    const { body } = await as('EmberFox', exportUser.path);
    expect(body).toMatchObject({ mostRatingsGiven: 3 });
  });

  it('has no player data while another user has the same gamertag', async () => {
    const { users, as } = await run();
    await users.observe({ username: 'Aster', gamertag: 'ember fox' });
    expect((await as('EmberFox', exportUser.path)).body).toMatchObject({ player: null });
  });
});

describe('erasure of the own account', () => {
  it('erases nothing at the first call and everything at the second one', async () => {
    const { users, as, erase } = await run();
    const first = await erase('EmberFox');
    expect(first.body).toEqual({
      erased: false,
      confirmation: expect.stringMatching(/^1800000300\.[0-9a-f]{64}$/),
      expiresAt: '2027-01-15 08:05:00',
    });
    expect(await profileStatus(users, 'EmberFox')).toBe(200);
    const { confirmation } = first.body;
    const done = { erased: true, confirmation: null, expiresAt: null };
    expect(await erase('emberfox', confirmation)).toMatchObject({ status: 200, body: done });
    expect(await profileStatus(users, 'EmberFox')).toBe(404);
    expect(await users.send(updateProfile.path, {})).toMatchObject({ status: 403 });
    // A client whose response was lost repeats the call.
    expect(await erase('EmberFox', confirmation)).toMatchObject({ status: 200, body: done });
    expect(await erase('EmberFox')).toMatchObject({ status: 403, body: { error: ERASED_MESSAGE } });
    for (const { path } of [getOwnProfile, exportUser])
      expect(await as('EmberFox', path)).toMatchObject({ status: 403, body: { error: ERASED_MESSAGE } });
    await users.observe({});
    expect(await profileStatus(users, 'EmberFox')).toBe(404);
  });

  it('publishes the fact of an operator’s erasure', async () => {
    const { users, erase } = await run();
    await erase('EmberFox', (await erase('EmberFox')).body.confirmation);
    await eventually(() => {
      expect(users.published(userErased)).toMatchObject([{ data: { username: 'EmberFox', gamertag: 'Ember Fox' } }]);
    });
  });

  it('is rejected with a confirmation that is expired, of another user or made up', async () => {
    const { users, erase } = await run();
    const { confirmation } = (await erase('EmberFox')).body;
    const foreign = (await erase('Marlow')).body.confirmation;
    const otherKey = keyedErasureConfirmation(new Secret('another-key-of-tests')).create('emberfox', NOW + 60);
    const later = String(confirmation).replace('1800000300', '1800009999');
    for (const given of [foreign, otherKey, later, '', 'x', `${confirmation} `, '1e9.x', '\0', 'x'.repeat(5000)]) {
      const { status, body } = await erase('EmberFox', given);
      expect([status, body]).toEqual([
        400,
        { error: 'confirmation must be the one of a call within the last minutes' },
      ]);
    }
    users.clock.nowMs += CONFIRMATION_SECONDS * 1000;
    expect((await erase('EmberFox', confirmation)).status).toBe(400);
    expect(await profileStatus(users, 'EmberFox')).toBe(200);
  });

  it('is rejected for a user who never had a profile', async () => {
    const { erase } = await run();
    const confirmation = keyedErasureConfirmation(new Secret('a-key-of-tests-alone')).create('nobody', NOW + 60);
    expect((await erase('Nobody', confirmation)).status).toBe(404);
  });

  it('logs neither the session key nor the confirmation', async () => {
    const { users, erase } = await run();
    const { confirmation } = (await erase('EmberFox')).body;
    await erase('Marlow', confirmation);
    await erase('EmberFox', confirmation);
    expect(users.logged.join('')).not.toContain(String(confirmation).slice(12));
    expect(users.logged.join('')).not.toContain(sessionKeyOf('EmberFox'));
  });
});
