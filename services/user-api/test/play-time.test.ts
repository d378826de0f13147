import { playtimeCredited } from '@lobbystats/contracts';
import { CHESS, DAY, look, NOON, openPeople, past, RACING, sighting, SLOT, spans, TENNIS } from './observed-people.ts';

describe('play time', () => {
  it('is 5 minutes for each slot in which somebody is seen online in a game', async () => {
    const { people, user } = openPeople();
    await people.observePlayers([look(sighting({ lastSeenAt: NOON - SLOT + 17 }))], false);
    await people.observePlayers([look(sighting())], false);
    expect((await user())?.titles).toEqual([{ titleId: RACING, minutes: 10, lastPlayedAt: NOON }]);
  });

  it('is nobody’s who is offline, or online in no game', async () => {
    const { people, user } = openPeople();
    await people.observePlayers([look(sighting({ isOnline: false }))], false);
    await people.observePlayers([look(sighting({ titleId: null, game: null, lastSeenAt: NOON + 1 }))], false);
    expect(await user()).toMatchObject({ titles: [], sight: { isOnline: true, titleId: null } });
  });

  it('is earned once a slot, however often and by whatever message it is told', async () => {
    const { people, store, user } = openPeople();
    const told = [past(spans({ from: NOON - 4 * SLOT, slots: 4 }))];
    expect(await people.observePlay(told, true)).toMatchObject({ slots: 4, changed: 1 });
    const revision = await store.users.revision();
    expect(await people.observePlay([...told, ...told], true)).toEqual({
      changed: 0,
      slots: 0,
      unlocks: 0,
      refused: 0,
    });
    expect(await people.observePlayers([look(sighting({ lastSeenAt: NOON - SLOT }))], false)).toMatchObject({
      slots: 0,
    });
    expect(await store.users.revision()).toBe(revision);
    expect((await user())?.titles).toEqual([{ titleId: RACING, minutes: 20, lastPlayedAt: NOON - SLOT }]);
  });

  it('is that of the lower titleId where a slot is said of two titles, whichever comes first', async () => {
    const titles = [
      { titleId: RACING, minutes: 5, lastPlayedAt: NOON - SLOT },
      { titleId: TENNIS, minutes: 10, lastPlayedAt: NOON },
    ];
    const racing = past(spans({ titleId: RACING, from: NOON - SLOT }));
    const tennis = past(spans({ titleId: TENNIS, from: NOON - 2 * SLOT, slots: 3 }));
    for (const order of [[[racing], [tennis]], [[tennis], [racing]], [[racing, tennis]], [[tennis, racing]]]) {
      const { people, user } = openPeople();
      for (const messages of order) await people.observePlay(messages, true);
      expect((await user())?.titles).toEqual(titles);
    }
  });

  it('of a title ends with the slot before the one that went to another title', async () => {
    const { people, user } = openPeople();
    const told = spans({ titleId: CHESS, from: DAY - SLOT }, { titleId: TENNIS, from: DAY - 86_400, slots: 2 });
    await people.observePlay([past(told, spans({ titleId: TENNIS, from: NOON }))], true);
    await people.observePlay([past(spans({ titleId: RACING, from: NOON }))], true);
    expect((await user())?.titles).toEqual([
      { titleId: RACING, minutes: 5, lastPlayedAt: NOON },
      { titleId: TENNIS, minutes: 10, lastPlayedAt: DAY - 86_400 + SLOT },
      { titleId: CHESS, minutes: 5, lastPlayedAt: DAY - SLOT },
    ]);
  });

  it('of a title that has lost all of its slots is gone', async () => {
    const { people, user } = openPeople();
    await people.observePlayers([look(sighting({ titleId: TENNIS }))], false);
    await people.observePlayers([look(sighting({ titleId: RACING }))], false);
    expect((await user())?.titles).toEqual([{ titleId: RACING, minutes: 5, lastPlayedAt: NOON }]);
  });

  it('goes on over midnight', async () => {
    const { people, user, store } = openPeople();
    await people.observePlay([past(spans({ from: DAY - 2 * SLOT, slots: 5 }))], true);
    expect((await user())?.titles).toEqual([{ titleId: RACING, minutes: 25, lastPlayedAt: DAY + 2 * SLOT }]);
    const day = DAY / 86_400;
    const days = await store.users.playDays([day - 1, day, day + 1].map((some) => ({ key: 'emberfox', day: some })));
    expect(days.map((some) => some.day).sort()).toEqual([day - 1, day]);
  });

  it('older than 30 days, or more than a slot ahead, is refused: the rest of the message is taken in', async () => {
    const { people, user } = openPeople();
    const oldest = NOON - 30 * 86_400;
    const told = past(
      spans({ from: oldest - 2 * SLOT, slots: 3 }, { from: NOON, slots: 4 }),
      { ...spans({ from: NOON + 2 * SLOT }), username: 'Marlow' },
      { ...spans({ from: NOON }), username: 'Wren' },
    );
    expect(await people.observePlay([told], true)).toEqual({ changed: 2, slots: 4, unlocks: 0, refused: 5 });
    expect((await user())?.titles).toEqual([{ titleId: RACING, minutes: 15, lastPlayedAt: NOON + SLOT }]);
    expect(await user('marlow')).toBeUndefined();
    expect((await user('wren'))?.titles).toHaveLength(1);
  });

  it('of a stretch without an end, or before its beginning, costs no more than 30 days', async () => {
    const { people, user } = openPeople();
    const endless = { titleId: RACING, from: -62_167_219_200, to: 253_402_300_500 };
    const backwards = { titleId: RACING, from: NOON, to: NOON - SLOT };
    const { slots } = await people.observePlay([past({ ...spans(), spans: [endless, backwards] })], true);
    expect(slots).toBe(30 * 288 + 2);
    expect((await user())?.titles).toEqual([{ titleId: RACING, minutes: slots * 5, lastPlayedAt: NOON + SLOT }]);
  });

  it('is told of once, with all minutes, for whoever has earned some or is seen otherwise', async () => {
    const { people, told } = openPeople();
    await people.observePlay([past(spans({ from: NOON - SLOT }, { titleId: TENNIS, from: NOON - 3 * SLOT }))], true);
    const offline = sighting({ isOnline: false, titleId: null, game: null, lastSeenAt: NOON + 1 });
    for (let times = 0; times < 2; times += 1) await people.observePlayers([look(offline)], false);
    const credited = { users: [{ username: 'EmberFox', totalMinutes: 10 }] };
    expect(await told(playtimeCredited.key)).toEqual([credited, credited]);
  });
});
