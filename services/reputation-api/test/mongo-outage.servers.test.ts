import { eventually, getJson } from '@lobbystats/test-kit';
import type { TestDatabase } from '@lobbystats/test-kit/test-database';
import { startTcpProxy, type TcpProxy } from '@lobbystats/test-kit/tcp-proxy';
import { prepareRatingsDatabase } from './prepare-ratings-database.ts';
import { runReputation } from './running-reputation.ts';

/** Allowance of the machine over the second that a response may take. */
const SLACK_MS = 300;

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
    /** Requests all routes concurrently; returns the responses and the duration. */
    const requestAll = async () => {
      const begunMs = performance.now();
      const answers = await Promise.all([
        api.rate('Marlow', 'EmberFox', 3),
        api.read('EmberFox'),
        api.read('EmberFox', { as: 'Marlow' }),
      ]);
      return { answers, tookMs: performance.now() - begunMs };
    };
    const expectAway = async () => {
      const { answers, tookMs } = await requestAll();
      for (const { status, headers, body } of answers) {
        expect([status, body]).toEqual([503, { error: expect.any(String) }]);
        expect(headers.get('retry-after')).toMatch(/^\d+$/);
      }
      expect(tookMs).toBeLessThan(1000 + SLACK_MS);
    };
    const expectBack = async () => {
      expect((await requestAll()).answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    };
    return { api, expectAway, expectBack };
  }

  it('answers 503 within a second while MongoDB hangs, and recovers afterwards', async () => {
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
    await eventually(expectBack, { timeoutMs: 15_000 });
  });

  it('answers 503 within a second while MongoDB is unreachable, and recovers afterwards', async () => {
    const { expectAway, expectBack } = await running();
    await proxy.disconnect();
    for (let time = 0; time < 3; time += 1) await expectAway();
    await proxy.restore();
    await eventually(expectBack, { timeoutMs: 15_000 });
  });
});
