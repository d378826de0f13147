import {
  achievementUnlocked,
  boardStored,
  changeRecorded,
  eventStored,
  formatTimestamp,
  operations,
  playerRanked,
  type WebhookMessage,
} from '@lobbystats/contracts';
import { tokenHash } from '@lobbystats/service-kit';
import { eventually, startHttpReceiver } from '@lobbystats/test-kit';
import { confirm } from './channel-receiver.ts';
import { runDeliveries } from './running-deliveries.ts';
import { BOARD, change, TITLE } from './running-notifications.ts';
import { NOW } from './running-user-api.ts';

type Client = Awaited<ReturnType<typeof runClient>>;

/** Runs a program that notifies EmberFox of what it receives at a webhook. */
async function runClient() {
  const receiver = await startHttpReceiver();
  receiver.answer = confirm;
  const running = await runDeliveries();
  await running.confirmed('client', receiver.url);
  const { follow, users, publish } = running;
  const received = () =>
    receiver.requests
      .map(({ body }) => JSON.parse(body.toString()) as WebhookMessage)
      .flatMap((message) => (message.type === 'notification' ? [message.data] : []))
      .map(({ title, text }) => `${title}: ${text}`);
  return {
    ...running,
    received,
    /** Follows a leaderboard on which EmberFox has a rank. */
    withRank: async (rank: number, rules: object) => {
      await users.observe({ username: 'EmberFox', gamertag: 'Ember Fox' });
      await follow('leaderboard', `${TITLE}:17`, rules);
      await publish(playerRanked, { revision: 1, ranks: [{ gamertag: 'Ember Fox', ...BOARD, rank }] });
    },
    /** A leaderboard that the game has had for days. */
    withOldBoard: () =>
      users.bus.publish(
        boardStored,
        { boards: [{ ...board, leaderboardId: 17 }] },
        { past: true, occurredAt: NOW - 2 * 86_400 },
      ),
    setRank: (rank: number) =>
      publish(playerRanked, { revision: 2, ranks: [{ gamertag: 'Ember Fox', ...BOARD, rank }] }),
    announce: (startsAt: number) => {
      const [example] = eventStored.example.events;
      const event = { ...example!, id: 31, title: 'Harbor Night', title_id: TITLE, ends_at: null };
      return publish(eventStored, { events: [{ ...event, starts_at: formatTimestamp(startsAt) }], withdrawn: [] });
    },
  };
}

const board = { ...BOARD, leaderboardId: 18, name: 'New Pier', isTime: true, entries: 0, gone: false, version: 1 };
const RECORD = 'Record on Old Pier (Harbor Racing)';

const CASES: readonly (readonly [string, (client: Client) => Promise<unknown>, string])[] = [
  [
    'a lobby opened in a game',
    ({ slot }) => slot(1, { Marlow: 1 }),
    'Lobby in Harbor Racing: Marlow has a lobby with 1 of 8 players',
  ],
  [
    'a lobby has enough players to start',
    async ({ follow, slot }) => {
      await follow('game', TITLE, { lobbyPlayers: 4 });
      await slot(1, { Marlow: 3 });
      await slot(2, { Marlow: 4 });
    },
    'Lobby in Harbor Racing: Marlow has a lobby with 4 of 8 players',
  ],
  [
    'a game gets busy',
    async ({ follow, slot }) => {
      await follow('game', TITLE, { lobbyPlayers: null, onlineAbove: 10 });
      await slot(1, {}, 10);
      await slot(2, {}, 11);
    },
    'Harbor Racing is busy: 11 players online',
  ],
  [
    'a friend comes online',
    async ({ follow, users }) => {
      await follow('player', 'Marlow');
      await users.observe({ username: 'Marlow', gamertag: 'Marlow' });
    },
    'Marlow is online: In Harbor Racing',
  ],
  [
    'a friend changes their rank',
    async ({ follow, publish }) => {
      await follow('player', 'Marlow');
      await publish(changeRecorded, { changes: [change({ newRank: 2 })] });
    },
    'Marlow on leaderboards: Old Pier (Harbor Racing): rank 2, was 3, 0:49.0',
  ],
  [
    'a friend unlocks an achievement',
    async ({ follow, publish }) => {
      await follow('player', 'Marlow');
      const [unlock] = achievementUnlocked.example.unlocks;
      await publish(achievementUnlocked, {
        unlocks: [{ ...unlock!, username: 'Marlow', unlockedAt: formatTimestamp(NOW) }],
      });
    },
    'Marlow unlocked an achievement: Ten Hours at Sea (Harbor Racing)',
  ],
  [
    'an event begins in 15 minutes',
    async ({ follow, users, announce }) => {
      await follow('event', '31');
      await follow('game', TITLE, { events: false });
      await follow('player', 'Finch');
      await announce(NOW + 1000);
      users.clock.nowMs = (NOW + 100) * 1000;
    },
    `Harbor Night begins soon: Harbor Racing, ${formatTimestamp(NOW + 1000)} UTC`,
  ],
  [
    'a record of a leaderboard falls',
    async ({ follow, publish }) => {
      await follow('leaderboard', `${TITLE}:17`);
      await publish(changeRecorded, { changes: [change()], records: [1] });
    },
    `${RECORD}: Marlow: 0:49.0`,
  ],
  [
    'my own record is beaten',
    async ({ withRank, setRank }) => {
      await withRank(1, {});
      await setRank(2);
    },
    'Your rank on a leaderboard (Harbor Racing): You are rank 2, you were rank 1',
  ],
  [
    'my rank falls below 10',
    async ({ withRank, setRank }) => {
      await withRank(9, { rankBelow: 10 });
      await setRank(11);
    },
    'Your rank on a leaderboard (Harbor Racing): You are rank 11, you were rank 9',
  ],
  [
    'a game has a new leaderboard',
    async ({ publish, withOldBoard }) => {
      await withOldBoard();
      await publish(boardStored, { boards: [board] });
      await publish(boardStored, { boards: [{ ...board, version: 2 }] });
    },
    'New leaderboard in Harbor Racing: New Pier',
  ],
];

/** Without the marks that isolate names from the text around them. */
const plain = (text: string) => text.replace(/[\u2066-\u2069]/g, '');

describe('a program that notifies its user', () => {
  it.each(CASES)('receives, once, that %s', async (_, happen, expected) => {
    const client = await runClient();
    await happen(client);
    await eventually(() => {
      expect(client.received().map(plain)).toEqual([expected]);
    });
  });

  it('reads the same in a feed, and which events are followed, but nothing that is not due', async () => {
    const { add, follow, slot, users, received, notification } = await runClient();
    const { feedUrl } = await add({ kind: 'feed', name: 'reader' });
    const feed = tokenHash(new URL(feedUrl ?? '').searchParams.get('token') ?? '');
    const read = async <Body>({ path }: { path: string }) => (await users.get<Body>(path.replace(':feed', feed))).body;
    await slot(1, { Marlow: 1 });
    await eventually(() => {
      expect(received()).toHaveLength(1);
    });
    await slot(2, { Marlow: 1, Finch: 2 });
    expect(await read(operations.listFeedNotifications)).toEqual({ notifications: [await notification()] });
    await follow('event', '31');
    await follow('event', '32', { events: false });
    await follow('game', '4d530065', { events: false });
    expect(await read(operations.listFeedEvents)).toEqual({ eventIds: [31, 32], titleIds: [TITLE] });
  });

  it('receives what happens in a night of the user’s own zone when it ends', async () => {
    const { users, slot, publish, withOldBoard, received } = await runClient();
    // It is 21:00 in Auckland.
    const quietHours = { from: '20:30', to: '07:00', timeZone: 'Pacific/Auckland' };
    expect(await users.send(operations.setQuietHours.path, { quietHours })).toMatchObject({ status: 200 });
    await withOldBoard();
    // Who has a lobby is no news in the morning.
    await slot(1, { Marlow: 1 });
    await publish(boardStored, { boards: [board] });
    await publish(boardStored, { boards: [{ ...board, leaderboardId: 19, name: 'Far Pier' }] });
    await slot(119, {});
    expect(received()).toEqual([]);
    users.clock.nowMs = (NOW + 10 * 3600) * 1000;
    await eventually(() => {
      expect(received().map(plain)).toEqual([
        'New leaderboard in Harbor Racing: Far Pier\nNew Pier\nThe newest happened at 2027-01-15 08:05:00 UTC.',
      ]);
    });
  });

  it('receives a digest of what happens within 10 minutes of a message, which counts all and lists 10', async () => {
    const { slot, received, later, deliveries } = await runClient();
    await slot(1, { Marlow: 1 });
    // Sent again, were the clock moved before its delivery is stored.
    await eventually(async () => {
      expect(await deliveries('client')).toContainEqual(
        expect.objectContaining({ type: 'notification', state: 'delivered' }),
      );
    });
    const hosts = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`Host${index}`, 1]));
    await slot(2, hosts);
    later(300);
    await eventually(() => {
      expect(received()).toHaveLength(2);
    });
    const lines = (received()[1] ?? '').split('\n');
    expect([lines.length, lines.at(-1)]).toEqual([11, '… and 2 more']);
  });
});
