import {
  achievementUnlocked,
  changeRecorded,
  formatInstant,
  formatTimestamp,
  operations,
  playerRanked,
  playersObserved,
} from '@lobbystats/contracts';
import { eventually, getJson } from '@lobbystats/test-kit';
import { BOARD, change, notificationsOf, runNotifications, TITLE } from './running-notifications.ts';
import { NOW, sessionKeyOf } from './running-user-api.ts';

const { eraseMe } = operations;

describe('a followed leaderboard', () => {
  it('notifies of a record alone', async () => {
    const { follow: followBoard, publish, expectNotified } = await runNotifications();
    await followBoard('leaderboard', `${TITLE}:17`);
    await publish(changeRecorded, { changes: [change({ newRank: 2 }), change({ id: 2 })], records: [] });
    await publish(changeRecorded, { changes: [change({ id: 3 }), change({ id: 4, newRating: '0:55' })], records: [3] });
    await expectNotified(['Marlow: 0:49.0']);
  });

  it('notifies the caller alone when their own rank falls below theirs', async () => {
    const { users, follow: followBoard, publish, expectNotified } = await runNotifications();
    await users.observe({ username: 'EmberFox', gamertag: 'Ember Fox' }, { username: 'Marlow', gamertag: 'Marlow' });
    await followBoard('leaderboard', `${TITLE}:17`, { records: false });
    await followBoard('leaderboard', `${TITLE}:17`, { records: false }, 'Marlow');
    const ranks = (revision: number, rank: number | null) =>
      publish(playerRanked, { revision, ranks: [{ gamertag: 'Ember Fox', ...BOARD, rank }] });
    await ranks(1, 1);
    await ranks(2, 2);
    await expectNotified(['You are rank 2, you were rank 1']);
    await ranks(3, 5);
    await expectNotified([], 'Marlow');
    await expectNotified(['You are rank 2, you were rank 1']);
  });
});

const offline = (username: string) => {
  return { username, gamertag: username, verified: true, isOnline: false, titleId: null, game: null };
};

describe('a followed player', () => {
  it('notifies when they come online, whatever name was followed, and not while they stay', async () => {
    const { users, follow: followPlayer, expectNotified } = await runNotifications();
    await followPlayer('player', 'marlow');
    await followPlayer('player', 'The Marlow', {}, 'GreyOwl');
    const marlow = { username: 'Marlow', gamertag: 'The Marlow' };
    await users.observe(marlow);
    await expectNotified(['In Harbor Racing']);
    await expectNotified(['In Harbor Racing'], 'GreyOwl');
    for (const [seconds, isOnline] of [
      [60, true],
      [120, false],
      [900, true],
    ] as const) {
      users.clock.nowMs = (NOW + seconds) * 1000;
      await users.observe({ ...marlow, isOnline });
    }
    await expectNotified(['In Harbor Racing', 'In Harbor Racing']);
  });

  it('does not come online after an outage, nor in the first poll that is known', async () => {
    const { users, follow: followPlayer, publish, expectNotified } = await runNotifications();
    const poll = async (minutes: number, ...online: readonly string[]) => {
      users.clock.nowMs = (NOW + minutes * 60) * 1000;
      await users.observe(...online.map((username) => ({ username, gamertag: username })));
    };
    for (const name of ['Marlow', 'Finch', 'Grebe', 'Heron']) await followPlayer('player', name);
    await poll(0);
    await poll(5, 'Marlow', 'Finch');
    await expectNotified(['In Harbor Racing', 'In Harbor Racing']);
    // Finch goes offline before an outage of 20 minutes, in which Grebe comes.
    await publish(playersObserved, {
      seenAt: formatInstant(NOW + 600),
      players: [{ ...offline('Finch'), lastSeenAt: formatInstant(NOW + 400) }],
    });
    await poll(30, 'Marlow', 'Finch', 'Grebe');
    await poll(35, 'Marlow', 'Finch', 'Grebe');
    await poll(35, 'Marlow', 'Finch', 'Grebe');
    await poll(40, 'Marlow', 'Heron');
    await expectNotified(['In Harbor Racing', 'In Harbor Racing', 'In Harbor Racing']);
  });

  it('comes online after polls of a clock that was ahead, of the collector or of all', async () => {
    const { users, follow: followPlayer, publish, expectNotified } = await runNotifications();
    for (const name of ['Marlow', 'Finch']) await followPlayer('player', name);
    const poll = async (seconds: number, ...online: readonly string[]) => {
      users.clock.nowMs = (NOW + seconds) * 1000;
      await users.observe(...online.map((username) => ({ username, gamertag: username })));
    };
    await publish(playersObserved, { seenAt: formatInstant(NOW + 86_400), players: [] });
    await poll(0, 'Marlow');
    await expectNotified(['In Harbor Racing']);
    await poll(365 * 86_400);
    await poll(300);
    await poll(600, 'Finch');
    await expectNotified(['In Harbor Racing', 'In Harbor Racing']);
  });

  it('notifies of their changes and unlocks', async () => {
    const { follow: followPlayer, publish, expectNotified } = await runNotifications();
    await followPlayer('player', 'Marlow');
    await publish(changeRecorded, { changes: [change({ newRank: 2 }), change({ id: 2, playerName: 'Finch' })] });
    await expectNotified(['Old Pier (Harbor Racing): rank 2, was 3, 0:49.0']);
    const unlock = { ...achievementUnlocked.example.unlocks[0], username: 'Marlow', unlockedAt: formatTimestamp(NOW) };
    await publish(achievementUnlocked, { unlocks: [unlock as never] });
    await eventually(async () => {
      await expectNotified(expect.arrayContaining(['Ten Hours at Sea (Harbor Racing)']) as never);
    });
  });
});

it('followers of an erased player have no notification of the player, and get none', async () => {
  const { users, follow: followAny, slot, expectNotified } = await runNotifications();
  await followAny('game', TITLE);
  for (const name of ['Marlow', 'The Marlow']) await followAny('player', name);
  const marlow = { username: 'Marlow', gamertag: 'The Marlow' };
  await users.observe(marlow);
  await expectNotified(['In Harbor Racing', 'In Harbor Racing']);
  const headers = { 'X-Session-Key': sessionKeyOf('Marlow') };
  const erase = async (query = '') =>
    (await getJson<{ confirmation: string }>(users.url + eraseMe.path + query, { method: 'DELETE', headers })).body;
  await erase(`?confirmation=${(await erase()).confirmation}`);
  await expectNotified([]);
  users.clock.nowMs += 3_600_000;
  await users.observe(marlow);
  await slot(13, {});
  await slot(14, { Finch: 1 });
  await expectNotified(['Finch has a lobby with 1 of 8 players']);
});

it('notifies once however often, and in whatever order, messages are delivered', async () => {
  const { users, follow: followAny, publish, slot, expectNotified } = await runNotifications();
  await followAny('game', TITLE);
  await followAny('player', 'Marlow');
  await slot(0, {});
  await slot(1, { Finch: 1 });
  const online = { username: 'Marlow', gamertag: 'Marlow' };
  await users.observe(online);
  for (let time = 0; time < 3; time += 1) {
    await publish(changeRecorded, { changes: [change()] });
    await slot(0, {});
    await slot(1, { Finch: 1 });
    await users.observe(online);
  }
  users.clock.nowMs = (NOW + 3600) * 1000;
  await eventually(async () => {
    const notified = await notificationsOf(users, 'EmberFox');
    expect(notified.map(({ count, rule }) => [rule, count]).toSorted()).toEqual([
      ['lobbyPlayers', 1],
      ['online', 1],
      ['ranks', 1],
    ]);
  });
  await expectNotified(expect.any(Array) as never);
});

it('notifies nobody of the past, or of what is older than an hour', async () => {
  const { users, follow: followPlayer, publish, expectNotified } = await runNotifications();
  await followPlayer('player', 'Marlow');
  await publish(changeRecorded, { changes: [change({ changedAt: formatTimestamp(NOW - 3601) })] });
  await users.bus.publish(changeRecorded, { changes: [change({ id: 2 })] }, { past: true, occurredAt: NOW });
  await publish(changeRecorded, { changes: [change({ id: 3, newRank: 9 })] });
  await expectNotified(['Old Pier (Harbor Racing): rank 9, was 3, 0:49.0']);
});
