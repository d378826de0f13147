import { formatTimestamp, operations } from '@lobbystats/contracts';
import { eventually, getJson, mostInASecond } from '@lobbystats/test-kit';
import { waitForNextSlot } from '../faults/wait.ts';
import { docker } from '@lobbystats/test-kit/docker';
import { expectHealthy, simulatedLobbyCount, newestPoint, type LobbyPoint } from './newest-slot.ts';
import { compose, containersOf, gatewayUrl } from './stack.ts';

const COLLECTORS = 8;
/** The default of COLLECTOR_MAX_RPS. */
const MAX_RPS = 20;
/** The simulator, which shares the machine with the whole stack, notices requests up to this much later than they are sent. */
const ARRIVAL_DELAY_MS = 200;

const simulator = String(process.env['TEST_SIMULATOR_URL']);

beforeAll(async () => {
  await compose('up', '-d', '--no-recreate', '--scale', `collector=${COLLECTORS}`, '--scale', 'gateway=2');
  await eventually(expectHealthy, { timeoutMs: 90_000, everyMs: 1000 });
}, 120_000);

/** Number of requests to each game page since the last reset. */
async function pageRequests(): Promise<number[]> {
  const { body } = await getJson(`${simulator}/simulator/requests`);
  const { byPath } = body as { byPath: Record<string, number> };
  return Object.entries(byPath).flatMap(([path, requests]) => (/^\/games\/[^/]+$/.test(path) ? [requests] : []));
}

let victim: string | undefined;
afterEach(async () => {
  if (victim !== undefined) await docker(['start', victim]);
  victim = undefined;
});

describe('eight collectors and two gateways', () => {
  it('complete a slot when one collector is killed during it', async () => {
    const slot = await waitForNextSlot();
    await fetch(`${simulator}/simulator/requests`, { method: 'DELETE' });
    await eventually(async () => expect((await pageRequests()).length).toBeGreaterThan(3));
    [victim] = await containersOf('collector');
    await docker(['kill', '-s', 'KILL', String(victim)]);

    const stored = await eventually(
      async () => {
        const point = await newestPoint<LobbyPoint>(operations.getLobbySeries.path);
        expect(point?.recorded_at).toBe(formatTimestamp(slot));
        return point;
      },
      { timeoutMs: 150_000, everyMs: 500 },
    );
    expect(stored?.lobby_count).toBe(simulatedLobbyCount(slot));
    // Only pages in progress at the kill are read again.
    const again = (await pageRequests()).reduce((sum, count) => sum + count - 1, 0);
    expect(again).toBeLessThan(20);
    const { body } = await getJson(`${simulator}/simulator/requests/arrivals`);
    const { milliseconds } = body as { milliseconds: number[] };
    expect(mostInASecond(milliseconds, ARRIVAL_DELAY_MS)).toBeLessThanOrEqual(MAX_RPS);
  }, 500_000);

  it('return the same bytes from both gateways', async () => {
    const program = `fetch('http://127.0.0.1:8080${operations.getOnlineUsers.path}').then(async (a) => console.log(a.headers.get('etag'), await a.text()))`;
    const gateways = await containersOf('gateway');
    expect(gateways).toHaveLength(2);
    // A new slot reaches both gateways, but not at the same instant.
    await eventually(
      async () => {
        const [one, other] = await Promise.all(gateways.map((id) => docker(['exec', id, 'node', '-e', program])));
        expect(one?.length).toBeGreaterThan(1000);
        expect(other).toBe(one);
      },
      { everyMs: 500 },
    );
  });

  it('fetch a response once, because nginx sends all requests for a URL to the same gateway', async () => {
    const { body } = await getJson(gatewayUrl + operations.listGames.path);
    const [{ titleId } = { titleId: '' }] = (body as { games: { titleId: string }[] }).games;
    const path = operations.getTitleOnlineHistory.path.replace(':titleId', titleId);
    const urls = Array.from({ length: 40 }, (_, index) => `${gatewayUrl}${path}?hours=${index + 1}`);
    let misses = 0;
    for (const url of [...urls, ...urls, ...urls]) {
      const answer = await fetch(url);
      expect(answer.status).toBe(200);
      await answer.arrayBuffer();
      if (answer.headers.get('cache-status')?.includes('uri-miss') === true) misses += 1;
    }
    // Round robin would give 80. A few URLs have no gateway within 20 positions of the hash ring.
    expect(misses).toBeLessThan(60);
  });
});
