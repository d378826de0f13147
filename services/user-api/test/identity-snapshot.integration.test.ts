import { userStored } from '@lobbystats/contracts';
import { poll, NOON, openUsers, playMessage, sighting, SLOT, spans } from './observed-users.ts';

describe('identity and presence of a user', () => {
  it('is that of the latest sighting when messages arrive out of order', async () => {
    const { catalog, user } = openUsers();
    await catalog.applyPresence([poll(sighting({ isOnline: false, lastSeenAt: NOON + 60 }))], false);
    await catalog.applyPresence([poll(sighting({ username: 'EMBERFOX', gamertag: 'Old', verified: false }))], false);
    expect(await user()).toMatchObject({
      username: 'EmberFox',
      gamertag: 'Ember Fox',
      verified: true,
      presence: { at: NOON + 60, isOnline: false },
    });
  });

  it('is offline when an online and an offline sighting have the same time', async () => {
    const { catalog, user } = openUsers();
    await catalog.applyPresence([poll(sighting())], false);
    await catalog.applyPresence([poll(sighting({ isOnline: false, titleId: null, game: null }))], false);
    expect(await user()).toMatchObject({ presence: { at: NOON, isOnline: false, titleId: null } });
    await catalog.applyPresence([poll(sighting())], false);
    expect(await user()).toMatchObject({ presence: { isOnline: false } });
  });

  it('is the same in any order of polls with the same time', async () => {
    const looks = [
      sighting(),
      sighting({ gamertag: 'Amber' }),
      sighting({ isOnline: false }),
      sighting({ game: null }),
    ];
    const [forwards, backwards] = [openUsers(), openUsers()];
    for (const one of looks) await forwards.catalog.applyPresence([poll(one)], false);
    for (const one of looks.toReversed()) await backwards.catalog.applyPresence([poll(one)], false);
    expect(await forwards.user()).toEqual(await backwards.user());
  });

  it('is offline as of the last slot of a past span', async () => {
    const { catalog, user } = openUsers();
    await catalog.applyPlayTime([playMessage(spans({ titleId: null, from: NOON - 9 * SLOT, slots: 3 }))], true);
    expect(await user()).toMatchObject({
      titles: [],
      presence: { at: NOON - 7 * SLOT, isOnline: false, titleId: null, game: null },
    });
  });

  it('ignores sightings in the future', async () => {
    const { catalog, user } = openUsers();
    const ahead = sighting({ username: 'Marlow', lastSeenAt: NOON + 2 * SLOT });
    expect(await catalog.applyPresence([poll(ahead, sighting())], false)).toMatchObject({ changed: 1, refused: 1 });
    expect(await user('marlow')).toBeUndefined();
  });

  it('allows an unknown gamertag, by which no user is found', async () => {
    const { catalog, store, pendingFacts } = openUsers();
    await catalog.applyPresence(
      [poll(sighting({ gamertag: '' }), sighting({ username: 'Wren', gamertag: ' ' }))],
      false,
    );
    expect(await store.users.usersByGamertag(['', ' '])).toEqual(new Map());
    expect(await pendingFacts(userStored.key)).toMatchObject([{ users: [{ gamertag: '' }, { gamertag: ' ' }] }]);
  });

  it('is published when the user is new or renamed, and not again', async () => {
    const { catalog, pendingFacts } = openUsers();
    const times = [0, 1, 2, 3].map((index) => NOON + index);
    await catalog.applyPresence([poll(sighting({ lastSeenAt: times[0]! }))], false);
    await catalog.applyPresence([poll(sighting({ lastSeenAt: times[1]! }))], false);
    await catalog.applyPresence([poll(sighting({ lastSeenAt: times[2]!, gamertag: 'Fox' }))], false);
    await catalog.applyPresence(
      [poll(sighting({ lastSeenAt: times[3]!, gamertag: 'Fox', username: 'Emberfox' }))],
      false,
    );
    expect(await pendingFacts(userStored.key)).toEqual([
      { revision: NOON * 1000, users: [{ username: 'EmberFox', gamertag: 'Ember Fox' }] },
      { revision: NOON * 1000 + 2, users: [{ username: 'EmberFox', gamertag: 'Fox' }] },
      { revision: NOON * 1000 + 3, users: [{ username: 'Emberfox', gamertag: 'Fox' }] },
    ]);
  });

  it('ignores a username that consists of spaces', async () => {
    const { catalog, store } = openUsers();
    expect(await catalog.applyPresence([poll(sighting({ username: '  ' }))], false)).toMatchObject({ changed: 0 });
    expect(await store.users.usersAfter(undefined, 10)).toEqual([]);
  });

  it('is stored under the key of the username, special property names included', async () => {
    const { catalog, user } = openUsers();
    const names = ['__proto__', 'constructor', 'A  B', ' a b '];
    await catalog.applyPresence([poll(...names.map((username) => sighting({ username })))], false);
    expect(await user('__proto__')).toMatchObject({ username: '__proto__' });
    expect(await user('constructor')).toMatchObject({ titles: [{ minutes: 5 }] });
    expect((await user('a b'))?.username).toBe('a b');
  });

  it('replaces lone surrogates, which stores cannot hold', async () => {
    const { catalog, user } = openUsers();
    const odd = poll(sighting({ gamertag: 'lone \ud83c', game: '\udfff' }));
    await catalog.applyPresence([odd], false);
    expect(await catalog.applyPresence([odd], false)).toMatchObject({ changed: 0 });
    expect(await user()).toMatchObject({ gamertag: 'lone \ufffd', presence: { game: '\ufffd' } });
  });
});
