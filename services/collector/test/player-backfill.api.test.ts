import { DAY_SECONDS, formatInstant, PLAYERS_PER_MESSAGE, SLOT_SECONDS } from '@lobbystats/contracts';
import { killAfter } from './kill-after.ts';
import { setStage, SLOT, type Stage } from './running-collector.ts';
import { nock, requestsTo, type MockedRequest } from '@lobbystats/test-kit/nock';
import { mockNetwork, NETWORK } from './mock-network.ts';

/** Two whole days before today. */
const FROM = Math.floor(SLOT / DAY_SECONDS) * DAY_SECONDS - 2 * DAY_SECONDS;
const PARTS = 5;
const PLAYERS_PER_PART = 30;

let stage: Stage;
let requests: MockedRequest[];
beforeEach(async () => {
  stage = await setStage({ titles: 2, openMatches: 1, boards: 2 });
  const network = nock(NETWORK).persist();
  network
    .get('/players')
    .query(true)
    .reply(({ url }: Request) => {
      const part = Number(new URL(url).searchParams.get('cursor') ?? '0');
      const players = Array.from({ length: PLAYERS_PER_PART }, (_, i) => playerOf(part * PLAYERS_PER_PART + i));
      return [200, { players, next: part + 1 < PARTS ? String(part + 1) : null }];
    });
  requests = requestsTo(network);
});
afterEach(() => stage.close());

function playerOf(number: number) {
  const from = FROM + number * SLOT_SECONDS;
  const span = { titleId: '4d530064', game: 'Harbor Racing', from: formatInstant(from), to: formatInstant(from + 600) };
  return { username: `P${number}`, gamertag: `Player ${number}`, verified: false, spans: [span] };
}

const options = { backfillDays: { playTime: 2 }, env: { HISTORY_URL: NETWORK } };
const historyRequests = () => requests.filter(({ url }) => url.startsWith('/players'));
const publishedPlayers = () => stage.play.flatMap(({ data }) => data.players);
const allPlayers = Array.from({ length: PARTS * PLAYERS_PER_PART }, (_, number) => playerOf(number));

describe('play time backfill', () => {
  it('publishes past presence once, marked as past', async () => {
    const collector = await stage.collector(options);
    await collector.backfillDone();
    await stage.until(() => publishedPlayers().length === allPlayers.length);
    expect(publishedPlayers()).toEqual(allPlayers);
    expect(stage.play[0]).toMatchObject({
      past: true,
      occurredAt: formatInstant(FROM + (PLAYERS_PER_PART - 1 + 3) * SLOT_SECONDS),
    });
    expect(collector.status.playerFill).toEqual({ done: true });
    const { searchParams } = new URL(historyRequests()[0]?.url ?? '', 'http://network');
    expect([searchParams.get('from'), searchParams.get('to')]).toEqual([formatInstant(FROM), formatInstant(SLOT)]);

    const { length } = historyRequests();
    await collector.stop();
    await (await stage.collector(options)).backfillDone();
    expect(historyRequests()).toHaveLength(length);
  });

  it('publishes all players when killed between any two steps', async () => {
    for (let steps = 1; ; steps += 2) {
      const life = killAfter(stage.store, stage.bus, steps);
      const killed = await stage.collector({ store: life.store, bus: life.bus, ...options });
      await stage.poll(() => Promise.resolve(life.isKilled() || killed.status.playerFill?.done === true));
      await killed.stop();
      if (killed.status.playerFill?.done === true) break;
      stage.clock.nowMs += 15_000;
    }
    await stage.until(() => new Set(publishedPlayers().map(({ username }) => username)).size === allPlayers.length);
    const playersByUsername = new Map(publishedPlayers().map((one) => [one.username, one]));
    expect(
      [...playersByUsername.values()].sort((a, b) => Number(a.username.slice(1)) - Number(b.username.slice(1))),
    ).toEqual(allPlayers);
    expect(Math.max(...stage.play.map(({ data }) => data.players.length))).toBeLessThanOrEqual(PLAYERS_PER_MESSAGE);
  });

  it('ends at once when the network has no player history', async () => {
    nock.cleanAll();
    mockNetwork();
    const collector = await stage.collector(options);
    await stage.poll(async () => (await stage.store.playerBackfill.state())?.isDone === true);
    expect(collector.status.playerFill).toBeDefined();
    expect(publishedPlayers()).toEqual([]);
  });
});
