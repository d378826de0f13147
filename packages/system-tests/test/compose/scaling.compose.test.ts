import { operations } from '@lobbystats/contracts';
import { eventually, getJson } from '@lobbystats/test-kit';
import { docker } from '@lobbystats/test-kit/docker';
import { compose, containersOf, gatewayUrl } from './stack.ts';

beforeAll(async () => {
  await compose('up', '-d', '--no-recreate', '--wait', '--scale', 'gateway=2');
});

describe('two gateways', () => {
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
