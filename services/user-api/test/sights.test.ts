import { userStored } from '@lobbystats/contracts';
import { look, NOON, openPeople, past, sighting, SLOT, spans } from './observed-people.ts';

describe('a person', () => {
  it('is as they were seen last, whatever comes later', async () => {
    const { people, user } = openPeople();
    await people.observePlayers([look(sighting({ isOnline: false, lastSeenAt: NOON + 60 }))], false);
    await people.observePlayers([look(sighting({ username: 'EMBERFOX', gamertag: 'Old', verified: false }))], false);
    expect(await user()).toMatchObject({
      username: 'EmberFox',
      gamertag: 'Ember Fox',
      verified: true,
      sight: { at: NOON + 60, isOnline: false },
    });
  });

  it('has left when the feed says so, though they were last seen when they were still there', async () => {
    const { people, user } = openPeople();
    await people.observePlayers([look(sighting())], false);
    await people.observePlayers([look(sighting({ isOnline: false, titleId: null, game: null }))], false);
    expect(await user()).toMatchObject({ sight: { at: NOON, isOnline: false, titleId: null } });
    await people.observePlayers([look(sighting())], false);
    expect(await user()).toMatchObject({ sight: { isOnline: false } });
  });

  it('is the same in any order where two looks are of one time', async () => {
    const looks = [
      sighting(),
      sighting({ gamertag: 'Amber' }),
      sighting({ isOnline: false }),
      sighting({ game: null }),
    ];
    const [forwards, backwards] = [openPeople(), openPeople()];
    for (const one of looks) await forwards.people.observePlayers([look(one)], false);
    for (const one of looks.toReversed()) await backwards.people.observePlayers([look(one)], false);
    expect(await forwards.user()).toEqual(await backwards.user());
  });

  it('has left in the last slot of a past stretch', async () => {
    const { people, user } = openPeople();
    await people.observePlay([past(spans({ titleId: null, from: NOON - 9 * SLOT, slots: 3 }))], true);
    expect(await user()).toMatchObject({
      titles: [],
      sight: { at: NOON - 7 * SLOT, isOnline: false, titleId: null, game: null },
    });
  });

  it('who is seen in the future is left as they are: their clock is wrong', async () => {
    const { people, user } = openPeople();
    const ahead = sighting({ username: 'Marlow', lastSeenAt: NOON + 2 * SLOT });
    expect(await people.observePlayers([look(ahead, sighting())], false)).toMatchObject({ changed: 1, refused: 1 });
    expect(await user('marlow')).toBeUndefined();
  });

  it('may come with an unknown gamertag, which is nobody’s', async () => {
    const { people, store, told } = openPeople();
    await people.observePlayers(
      [look(sighting({ gamertag: '' }), sighting({ username: 'Wren', gamertag: ' ' }))],
      false,
    );
    expect(await store.users.usersByGamertag(['', ' '])).toEqual(new Map());
    expect(await told(userStored.key)).toMatchObject([{ users: [{ gamertag: '' }, { gamertag: ' ' }] }]);
  });

  it('is announced when they are new or called otherwise, and not again', async () => {
    const { people, told } = openPeople();
    const times = [0, 1, 2, 3].map((index) => NOON + index);
    await people.observePlayers([look(sighting({ lastSeenAt: times[0]! }))], false);
    await people.observePlayers([look(sighting({ lastSeenAt: times[1]! }))], false);
    await people.observePlayers([look(sighting({ lastSeenAt: times[2]!, gamertag: 'Fox' }))], false);
    await people.observePlayers(
      [look(sighting({ lastSeenAt: times[3]!, gamertag: 'Fox', username: 'Emberfox' }))],
      false,
    );
    expect(await told(userStored.key)).toEqual([
      { revision: NOON * 1000, users: [{ username: 'EmberFox', gamertag: 'Ember Fox' }] },
      { revision: NOON * 1000 + 2, users: [{ username: 'EmberFox', gamertag: 'Fox' }] },
      { revision: NOON * 1000 + 3, users: [{ username: 'Emberfox', gamertag: 'Fox' }] },
    ]);
  });

  it('is nobody under a name of spaces', async () => {
    const { people, store } = openPeople();
    expect(await people.observePlayers([look(sighting({ username: '  ' }))], false)).toMatchObject({ changed: 0 });
    expect(await store.users.usersAfter(undefined, 10)).toEqual([]);
  });

  it('is known by the key of their name, odd ones included', async () => {
    const { people, user } = openPeople();
    const names = ['__proto__', 'constructor', 'A  B', ' a b '];
    await people.observePlayers([look(...names.map((username) => sighting({ username })))], false);
    expect(await user('__proto__')).toMatchObject({ username: '__proto__' });
    expect(await user('constructor')).toMatchObject({ titles: [{ minutes: 5 }] });
    expect((await user('a b'))?.username).toBe('a b');
  });

  it('keeps texts that no store can carry in a form that it can', async () => {
    const { people, user } = openPeople();
    const odd = look(sighting({ gamertag: 'lone \ud83c', game: '\udfff' }));
    await people.observePlayers([odd], false);
    expect(await people.observePlayers([odd], false)).toMatchObject({ changed: 0 });
    expect(await user()).toMatchObject({ gamertag: 'lone \ufffd', sight: { game: '\ufffd' } });
  });
});
