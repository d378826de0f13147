import { formatTimestamp, operations } from '@lobbystats/contracts';
import { createSimulator } from '@lobbystats/simulator';
import { eventually, getJson } from '@lobbystats/test-kit';
import { truthOf } from '../../services/standalone/test/like-truth.ts';
import { compose, containersOf, deadLetters, gateway, pauseFor, unhealthy } from './stack.ts';
import { nextSlot } from '../drills/faults/slots.ts';
import { docker } from '../stack/docker.ts';

const simulator = String(process.env['TEST_SIMULATOR_URL']);
const { world } = createSimulator();

beforeAll(async () => {
  await compose('up', '-d', '--no-recreate', '--scale', 'collector=4', '--scale', 'gateway=2');
  await eventually(allHealthy, { timeoutMs: 90_000, everyMs: 1000 });
}, 120_000);

/** The newest point of a site series. */
async function newest<Point>(path: string): Promise<Point | undefined> {
  const { body } = await getJson(`${gateway}${path}?days=1`);
  return (body as Point[]).at(-1);
}

/** Open matches of the whole network, as the simulator knows them. */
function lobbiesIn(slot: number): number | undefined {
  const truth = truthOf(world, slot, slot).get(formatTimestamp(slot));
  return truth?.titles.reduce((sum, { matches }) => sum + matches.length, 0);
}

interface LobbyPoint {
  recorded_at: string;
  lobby_count: number;
}

async function allHealthy(): Promise<void> {
  const ill = await unhealthy();
  if (ill.length > 0) throw new Error(`not healthy: ${ill.join(', ')}`);
}

/** How often each game's page was asked for since the count began. */
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

describe('four collectors and two gateways', () => {
  it('have a slot whole, when one collector is killed in the middle of it', async () => {
    const slot = await nextSlot();
    await fetch(`${simulator}/simulator/requests`, { method: 'DELETE' });
    await eventually(async () => expect((await pageRequests()).length).toBeGreaterThan(3), { timeoutMs: 30_000 });
    [victim] = await containersOf('collector');
    await docker(['kill', '-s', 'KILL', String(victim)]);

    const stored = await eventually(
      async () => {
        const point = await newest<LobbyPoint>(operations.getLobbySeries.path);
        expect(point?.recorded_at).toBe(formatTimestamp(slot));
        return point;
      },
      { timeoutMs: 150_000, everyMs: 500 },
    );
    expect(stored?.lobby_count).toBe(lobbiesIn(slot));
    // Only what the killed one had in hand was read again.
    const again = (await pageRequests()).reduce((sum, count) => sum + count - 1, 0);
    expect(again).toBeLessThan(20);
  }, 500_000);

  it('have a slot, and no wrong sum in it, when all servers stand still in the middle of it', async () => {
    const slot = await nextSlot();
    await Promise.all(['rabbitmq', 'mongodb', 'influxdb'].map((server) => pauseFor(server, 30)));
    await eventually(
      async () => {
        const point = await newest<{ recorded_at: string }>(operations.getOnlineSeries.path);
        expect(point?.recorded_at).toBe(formatTimestamp(slot));
      },
      { timeoutMs: 150_000, everyMs: 500 },
    );
    const { recorded_at, lobby_count } = { ...(await newest<LobbyPoint>(operations.getLobbySeries.path)) };
    // Where a page could not be had by the deadline there is no sum.
    const sum = recorded_at === formatTimestamp(slot) ? lobby_count : 'none';
    expect(['none', lobbiesIn(slot)]).toContain(sum);
    await eventually(allHealthy, { timeoutMs: 60_000, everyMs: 1000 });
    expect(await deadLetters()).toEqual([]);
  }, 600_000);

  it('give the same bytes at either gateway', async () => {
    const ask = (index: number) =>
      compose(
        ...['exec', '-T', '--index', String(index), 'gateway', 'node', '-e'],
        `fetch('http://127.0.0.1:8080${operations.getOnlineUsers.path}').then(async (a) => console.log(a.headers.get('etag'), await a.text()))`,
      );
    const [one, other] = await Promise.all([ask(1), ask(2)]);
    expect(one.length).toBeGreaterThan(1000);
    expect(other).toBe(one);
  });
});
