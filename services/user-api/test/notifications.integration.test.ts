import {
  boardStored,
  eventStored,
  formatInstant,
  formatTimestamp,
  operations,
  slotObserved,
  titleStored,
} from '@lobbystats/contracts';
import { eventually } from '@lobbystats/test-kit';
import { BOARD, notificationsOf, runNotifications, TITLE } from './running-notifications.ts';
import { NOW } from './running-user-api.ts';

const { setQuietHours } = operations;

describe('a followed game', () => {
  it('notifies of a lobby once, when it has enough players, and not in each slot', async () => {
    const { follow: followGame, slot, expectNotified, notified } = await runNotifications();
    await followGame('game', TITLE, { lobbyPlayers: 3 });
    await slot(0, {});
    await slot(1, { Marlow: 2 });
    await slot(2, { Marlow: 3 });
    await expectNotified(['Marlow has a lobby with 3 of 8 players']);
    await slot(3, { Marlow: 5 });
    await slot(4, { Marlow: 2 });
    await slot(5, { Marlow: 4 });
    await slot(9, { 'Grey Owl': 6 });
    await expectNotified(['Grey Owl has a lobby with 6 of 8 players', 'Marlow has a lobby with 3 of 8 players']);
    expect((await notified())[0]).toMatchObject({
      ...{ kind: 'game', target: TITLE, rule: 'lobbyPlayers', title: 'Lobby in Harbor Racing', count: 1 },
      url: `http://127.0.0.1:8080/game/${TITLE}`,
    });
  });

  it('notifies of another lobby of the same host after a gap, and of none in the first slot', async () => {
    const { follow: followGame, slot, expectNotified } = await runNotifications();
    await followGame('game', TITLE);
    await slot(0, { Marlow: 2 });
    await slot(1, { Marlow: 2 });
    for (const index of [2, 3, 4]) await slot(index, {});
    await slot(5, { Marlow: 1 });
    await expectNotified(['Marlow has a lobby with 1 of 8 players']);
  });

  it('notifies of no lobby that was open before an outage, and of none after a long one', async () => {
    const { follow: followGame, slot, expectNotified } = await runNotifications();
    await followGame('game', TITLE);
    await slot(0, { Marlow: 1, Finch: 1 });
    await slot(1, { Marlow: 1, Finch: 1 });
    await slot(11, { Marlow: 1, Grebe: 1 });
    await expectNotified(['Grebe has a lobby with 1 of 8 players']);
    await slot(12, { Marlow: 1, Grebe: 1, Finch: 1 });
    // Twelve slots are unread.
    await slot(25, { Marlow: 1, Grebe: 1, Finch: 1, Osprey: 1 });
    await expectNotified(['Osprey has a lobby with 1 of 8 players', 'Grebe has a lobby with 1 of 8 players']);
    await slot(40, { Heron: 1, Grebe: 1 });
    await slot(41, { Heron: 1, Grebe: 1, Teal: 1 });
    await expectNotified(['Teal', 'Osprey', 'Grebe'].map((host) => `${host} has a lobby with 1 of 8 players`));
  });

  it('notifies of no lobby whose page was missing, nor of players online who were there before', async () => {
    const { follow: followGame, slot, publish, expectNotified } = await runNotifications();
    await followGame('game', TITLE, { onlineAbove: 10 });
    await slot(0, { Marlow: 1 }, 20);
    for (let index = 1; index < 6; index += 1) {
      const title = { titleId: TITLE, online: 20, sessions: 1, players: 1, matches: null };
      const titles = index === 3 ? [] : [title];
      await publish(slotObserved, { slot: formatInstant(NOW + index * 300), registered: 1, online: 20, titles });
    }
    await slot(6, { Marlow: 1, Finch: 1 }, 20);
    await expectNotified(['Finch has a lobby with 1 of 8 players']);
  });

  it('notifies of no lobby that is first found after the page was missing for more than an hour', async () => {
    const { users, follow: followGame, slot, publish, expectNotified } = await runNotifications();
    await followGame('game', TITLE);
    await slot(0, { Marlow: 1 });
    for (let index = 1; index <= 13; index += 1) {
      users.clock.nowMs = (NOW + index * 300) * 1000;
      const title = { titleId: TITLE, online: 3, sessions: 1, players: 1, matches: null };
      const titles = [title];
      await publish(slotObserved, { slot: formatInstant(NOW + index * 300), registered: 1, online: 3, titles });
    }
    await slot(14, { Marlow: 1, Finch: 1 });
    await slot(15, { Marlow: 1, Finch: 1, Grebe: 1 });
    await expectNotified(['Grebe has a lobby with 1 of 8 players']);
  });

  it('notifies when its players rise above a number, not when they stay or fall', async () => {
    const { follow: followGame, slot, expectNotified } = await runNotifications();
    await followGame('game', TITLE, { lobbyPlayers: null, onlineAbove: 10 });
    for (const [index, online] of [9, 10, 11, 12, 4].entries()) await slot(index, {}, online);
    await expectNotified(['11 players online']);
    await slot(5, {}, 20);
    await expectNotified(['20 players online', '11 players online']);
  });

  it('sends one notification of a rule in ten minutes, and what happens meanwhile with the next', async () => {
    const { users, follow: followGame, slot, expectNotified, notified } = await runNotifications();
    await followGame('game', TITLE);
    await slot(0, {});
    await slot(1, { Marlow: 1 });
    await expectNotified(['Marlow has a lobby with 1 of 8 players']);
    await slot(2, { Marlow: 1, Finch: 2, Grebe: 3 });
    await expectNotified(['Marlow has a lobby with 1 of 8 players']);
    users.clock.nowMs = (NOW + 900) * 1000;
    await expectNotified([
      'Grebe has a lobby with 3 of 8 players\nFinch has a lobby with 2 of 8 players',
      'Marlow has a lobby with 1 of 8 players',
    ]);
    expect((await notified())[0]).toMatchObject({ count: 2 });
  });

  it('adds nothing to a notification that is about to be sent', async () => {
    const { users, follow: followGame, slot, publish, expectNotified } = await runNotifications();
    await followGame('game', TITLE);
    await slot(0, {});
    await slot(1, { Marlow: 1 });
    await expectNotified(['Marlow has a lobby with 1 of 8 players']);
    await slot(2, { Marlow: 1, Finch: 2 });
    // The second one is due in 2 seconds.
    users.clock.nowMs = (NOW + 898) * 1000;
    const matches = ['Marlow', 'Finch', 'Grebe'].map((host) => ({ host, players: 2, maxPlayers: 8 }));
    const title = { titleId: TITLE, online: 3, sessions: 1, players: 1, matches };
    await publish(slotObserved, { slot: formatInstant(NOW + 900), registered: 1, online: 3, titles: [title] });
    users.clock.nowMs = (NOW + 1499) * 1000;
    await expectNotified(['Finch has a lobby with 2 of 8 players', 'Marlow has a lobby with 1 of 8 players']);
    users.clock.nowMs = (NOW + 1500) * 1000;
    await expectNotified([
      'Grebe has a lobby with 2 of 8 players',
      'Finch has a lobby with 2 of 8 players',
      'Marlow has a lobby with 1 of 8 players',
    ]);
  });

  it('goes on after a clock was a year ahead', async () => {
    const { users, follow: followGame, slot, expectNotified } = await runNotifications();
    const YEAR = 105_120;
    await followGame('game', TITLE);
    await slot(0, {});
    await slot(YEAR, { Marlow: 1 });
    await slot(YEAR + 1, { Finch: 1 });
    await expectNotified(['Finch has a lobby with 1 of 8 players']);
    await slot(1, { Marlow: 1 });
    await slot(2, { Marlow: 1, Grebe: 1 });
    await expectNotified(['Grebe has a lobby with 1 of 8 players']);
    expect(users.clock.nowMs).toBe((NOW + 600) * 1000);
  });

  it('takes no slot of a collector whose clock is ahead', async () => {
    const { users, follow: followGame, slot, publish, expectNotified } = await runNotifications();
    await followGame('game', TITLE);
    await slot(0, {});
    const matches = [{ host: 'Marlow', players: 2, maxPlayers: 8 }];
    const title = { titleId: TITLE, online: 3, sessions: 1, players: 1, matches };
    await publish(slotObserved, { slot: formatInstant(NOW + 86_400), registered: 1, online: 3, titles: [title] });
    await slot(1, { Finch: 1 });
    await expectNotified(['Finch has a lobby with 1 of 8 players']);
    expect(users.logged.join('')).not.toContain('error');
  });

  it('waits until quiet hours end, and tells then when it happened', async () => {
    const { users, follow: followGame, slot, expectNotified, notified } = await runNotifications();
    await followGame('game', TITLE);
    // It is 08:00 UTC, and 09:00 in Berlin.
    const quietHours = { from: '08:30', to: '09:30', timeZone: 'Europe/Berlin' };
    expect(await users.send(setQuietHours.path, { quietHours })).toMatchObject({ status: 200 });
    await followGame('game', TITLE, {}, 'Marlow');
    await slot(0, {});
    await slot(1, { Finch: 1 });
    await expectNotified(['Finch has a lobby with 1 of 8 players'], 'Marlow');
    await expectNotified([]);
    users.clock.nowMs = (NOW + 1800) * 1000;
    const happenedAt = formatTimestamp(NOW + 300);
    await expectNotified([`Finch has a lobby with 1 of 8 players\nThis happened at ${happenedAt} UTC.`]);
    expect(await notified()).toMatchObject([{ happenedAt, expiresAt: formatTimestamp(NOW + 2100) }]);
  });

  it('notifies of a new leaderboard, not of a change of one, nor of those of a first pass', async () => {
    const { users, follow: followGame, publish, expectNotified, notified } = await runNotifications();
    await followGame('game', TITLE);
    const stored = (leaderboardId: number, version = 1) => ({
      ...{ titleId: TITLE, leaderboardId, name: `Pier ${leaderboardId}`, isTime: true, version, entries: 0 },
      gone: false,
    });
    await publish(boardStored, { boards: [stored(17), stored(18)] });
    users.clock.nowMs = (NOW + 3 * 3600) * 1000;
    await publish(boardStored, { boards: [stored(19)] });
    users.clock.nowMs = (NOW + 25 * 3600) * 1000;
    await publish(boardStored, { boards: [stored(17, 2)] });
    await publish(boardStored, { boards: [stored(20)] });
    await expectNotified(['Pier 20']);
    const happenedAt = formatTimestamp(NOW + 25 * 3600);
    expect(await notified()).toMatchObject([{ happenedAt, expiresAt: null }]);
  });

  it('notifies of a new leaderboard of a game whose others a backfill has brought', async () => {
    const { users, follow: followGame, publish, expectNotified } = await runNotifications();
    await followGame('game', TITLE);
    const board = { ...BOARD, name: 'Old Pier', isTime: true, version: 1, entries: 0, gone: false };
    await users.bus.publish(boardStored, { boards: [board] }, { past: true, occurredAt: NOW - 2 * 86_400 });
    await publish(boardStored, { boards: [{ ...board, leaderboardId: 18, name: 'New Pier' }] });
    await expectNotified(['New Pier']);
  });
});

describe('a followed event', () => {
  it('is announced a quarter of an hour before, once, and again after it was moved', async () => {
    const { users, follow: followEvent, publish, expectNotified } = await runNotifications();
    await followEvent('event', '31');
    await followEvent('game', TITLE, {}, 'Marlow');
    const [example] = eventStored.example.events;
    if (example === undefined) throw new Error('the message has no example');
    const at = (startsAt: number) =>
      publish(eventStored, {
        events: [{ ...example, starts_at: formatTimestamp(startsAt), ends_at: null }],
        withdrawn: [],
      });
    await at(NOW + 1000);
    await publish(titleStored, { revision: 2, titles: [] });
    expect(await notificationsOf(users, 'EmberFox')).toEqual([]);
    users.clock.nowMs = (NOW + 200) * 1000;
    // Any news wakes what looks at events.
    await followEvent('player', 'Finch');
    await users.observe({ username: 'Finch' });
    const text = `Harbor Racing, ${formatTimestamp(NOW + 1000)} UTC`;
    await eventually(async () => {
      const notified = await notificationsOf(users, 'EmberFox');
      expect(notified.filter(({ kind }) => kind === 'event').map((one) => one.text)).toEqual([text]);
    });
    await expectNotified([text], 'Marlow');
    await at(NOW + 1000);
    await at(NOW + 1060);
    users.clock.nowMs = (NOW + 900) * 1000;
    await users.observe({ username: 'Finch', isOnline: false });
    users.clock.nowMs += 1000;
    await users.observe({ username: 'Finch' });
    await expectNotified([`Harbor Racing, ${formatTimestamp(NOW + 1060)} UTC`, text], 'Marlow');
  });
});
