import { eventually, getJson } from '@lobbystats/test-kit';
import type { TestDatabase } from '@lobbystats/test-kit/test-database';
import { startTcpProxy, type TcpProxy } from '@lobbystats/test-kit/tcp-proxy';
import { prepareRatingsDatabase } from './prepare-ratings-database.ts';
import { runReputation } from './running-reputation.ts';

describe('reputation-api during a MongoDB outage', () => {
  let ratings: TestDatabase;
  let proxy: TcpProxy;
  beforeAll(async () => {
    ratings = await prepareRatingsDatabase('test_rating_outage');
  });
  beforeEach(async () => {
    await ratings.clear();
    proxy = await startTcpProxy(Number(new URL(ratings.url).port));
  });
  afterEach(() => proxy.close());
  afterAll(() => ratings.clear());

  async function running() {
    const url = new URL(ratings.url);
    url.port = String(proxy.port);
    const api = await runReputation({ env: { DATABASE_URL: url.href } });
    await api.announceUsers({ EmberFox: '' });
    const requestAll = () =>
      Promise.all([api.rate('Marlow', 'EmberFox', 3), api.read('EmberFox'), api.read('EmberFox', { as: 'Marlow' })]);
    const expectAway = async () => {
      for (const { status, headers, body } of await requestAll()) {
        expect([status, body]).toEqual([503, { error: expect.any(String) }]);
        expect(headers.get('retry-after')).toMatch(/^\d+$/);
      }
    };
    const expectBack = async () => {
      expect((await requestAll()).map(({ status }) => status)).toEqual([200, 200, 200]);
    };
    return { api, expectAway, expectBack };
  }

  it('answers 503 while MongoDB hangs, and recovers afterwards', async () => {
    const { api, expectAway, expectBack } = await running();
    await expectBack();
    proxy.stall();
    try {
      for (let time = 0; time < 3; time += 1) await expectAway();
      const ready = await getJson(`${api.url}/readyz`);
      expect([ready.status, ready.body]).toMatchObject([503, { dependencies: { store: { status: 'down' } } }]);
    } finally {
      await proxy.restore();
    }
    await eventually(expectBack);
  });

  it('answers 503 while MongoDB is unreachable, and recovers afterwards', async () => {
    const { expectAway, expectBack } = await running();
    await proxy.disconnect();
    for (let time = 0; time < 3; time += 1) await expectAway();
    await proxy.restore();
    await eventually(expectBack);
  });
});
