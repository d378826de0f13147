import { operations, titleObserved } from '@lobbystats/contracts';
import { eventually, getJson } from '@lobbystats/test-kit';
import type { TestDatabase } from '@lobbystats/test-kit/test-database';
import { startTcpProxy, type TcpProxy } from '@lobbystats/test-kit/tcp-proxy';
import { prepareCatalogDatabase } from './prepare-catalog-database.ts';
import { gamesOf, homeTitles, NOW, runCatalog, type RunningCatalog } from './running-catalog.ts';

const TITLE = '4d530064';
const PATHS = [
  operations.getGame.path.replace(':titleId', TITLE),
  operations.listGames.path,
  operations.listTitles.path,
];

describe('catalog-api during a MongoDB outage', () => {
  let titles: TestDatabase;
  let proxy: TcpProxy;
  let catalog: RunningCatalog;
  beforeAll(async () => {
    titles = await prepareCatalogDatabase('test_outage');
    await titles.clear();
    const url = new URL(titles.url);
    proxy = await startTcpProxy(Number(url.port));
    url.port = String(proxy.port);
    catalog = await runCatalog({ env: { DATABASE_URL: url.href } });
    await catalog.observeHome({ [TITLE]: { name: 'Harbor Racing' } });
  });
  afterAll(async () => {
    await catalog.stop();
    await proxy.close();
    await titles.clear();
  });

  const ask = () => Promise.all(PATHS.map((path) => getJson(catalog.url + path)));
  const isAway = (answers: Awaited<ReturnType<typeof ask>>) => {
    for (const { status, headers, body } of answers) {
      expect([status, body]).toEqual([503, { error: expect.any(String) }]);
      expect(headers.get('retry-after')).toMatch(/^\d+$/);
    }
  };
  const isBack = async () => {
    expect((await ask()).map(({ status }) => status)).toEqual(PATHS.map(() => 200));
  };
  const newName = (name: string, seenAt: number) => ({
    titles: homeTitles({ [TITLE]: { name } }),
    seenAt: new Date(seenAt * 1000).toISOString().replace('.000Z', 'Z'),
  });
  const named = async (name: string) => {
    const answers = await ask();
    expect(answers[1] && gamesOf(answers[1])).toMatchObject([{ titleId: TITLE, name }]);
  };

  it('returns 503 while MongoDB hangs, and recovers afterwards', async () => {
    await isBack();
    proxy.stall();
    try {
      for (let time = 0; time < 3; time += 1) isAway(await ask());
      const ready = await getJson(`${catalog.url}/readyz`);
      expect([ready.status, ready.body]).toMatchObject([503, { dependencies: { store: { status: 'down' } } }]);
    } finally {
      await proxy.restore();
    }
    await eventually(isBack);
  });

  it('returns 503 while MongoDB is down, and then applies queued observations', async () => {
    await proxy.disconnect();
    await catalog.bus.publish(titleObserved, newName('Harbor Racing II', NOW + 1));
    for (let time = 0; time < 3; time += 1) isAway(await ask());
    expect(await catalog.bus.depth('catalog-api')).toBe(1);
    await proxy.restore();
    await eventually(isBack);
    await eventually(() => named('Harbor Racing II'));
  });
});
