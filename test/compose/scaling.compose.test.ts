import { formatTimestamp, operations, SLOT_SECONDS } from '@lobbystats/contracts';
import { createSimulator } from '@lobbystats/simulator';
import { eventually, getJson } from '@lobbystats/test-kit';
import { truthOf } from '../../services/standalone/test/like-truth.ts';
import { compose, containersOf, gateway, unhealthy, until } from './stack.ts';
import { docker } from '../stack/docker.ts';

const simulator = String(process.env['TEST_SIMULATOR_URL']);
const { world } = createSimulator();

beforeAll(async () => {
  await compose('up', '-d', '--no-recreate', '--scale', 'collector=4', '--scale', 'gateway=2');
  await eventually(allHealthy, { timeoutMs: 90_000, everyMs: 1000 });
}, 120_000);

async function allHealthy(): Promise<void> {
  const ill = await unhealthy();
  if (ill.length > 0) throw new Error(`not healthy: ${ill.join(', ')}`);
}

/** How often each game's page was asked for since the count began. */
async function pageRequests(): Promise<number[]> {
  const { body } = await getJson(`${simulator}/simulator/requests`);
  const { byPath } = body as { byPath: Record<string, number> };
  return Object.entries(byPath).flatMap(([path, requests]) => (path.startsWith('/games/') ? [requests] : []));
}

describe('four collectors and two gateways', () => {
  it('have a slot whole, when one collector is killed in the middle of it', async () => {
    const slot = (Math.floor(Date.now() / 1000 / SLOT_SECONDS) + 1) * SLOT_SECONDS;
    await until(slot * 1000 - 500);
    await fetch(`${simulator}/simulator/requests`, { method: 'DELETE' });
    await eventually(async () => expect((await pageRequests()).length).toBeGreaterThan(3), { timeoutMs: 30_000 });
    const [victim] = await containersOf('collector');
    await docker(['kill', '-s', 'KILL', String(victim)]);

    const truth = truthOf(world, slot, slot).get(formatTimestamp(slot));
    const stored = await eventually(
      async () => {
        const { body } = await getJson(`${gateway}${operations.getLobbySeries.path}?days=1`);
        const point = (body as { recorded_at: string; lobby_count: number }[]).at(-1);
        expect(point?.recorded_at).toBe(formatTimestamp(slot));
        return point;
      },
      { timeoutMs: 150_000, everyMs: 500 },
    );
    expect(stored?.lobby_count).toBe(truth?.titles.reduce((sum, { matches }) => sum + matches.length, 0));
    // Only what the killed one had in hand was read twice.
    const requests = await pageRequests();
    expect(requests.filter((count) => count > 2)).toEqual([]);
    expect(requests.filter((count) => count === 2).length).toBeLessThan(20);
  }, 500_000);

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
