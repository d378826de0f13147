import { backfillProgressed, formatTimestamp, operations, parseInstant } from '@lobbystats/contracts';
import { route } from '@lobbystats/service-kit';
import { instantText, UTC } from '@lobbystats/site';
import { eventually } from '@lobbystats/test-kit';
import { change, runBoardGateway } from './board-gateway.ts';
import { activity, day, siteDay } from './day.ts';
import { network, seriesRoutes } from './network.ts';
import { readPage } from './page-text.ts';
import { runGateway, startStubUpstream } from './running-gateway.ts';
import { userRoutes } from './user-responses.ts';

const run = (network: ReturnType<typeof day>, lateSeconds = 0) =>
  runGateway({ network, overrides: { clock: () => (network.newest + 60 + lateSeconds) * 1000 } });

describe('home page', () => {
  it('shows the numbers of the API', async () => {
    const gateway = await run(day());
    const page = await readPage(gateway, '/');
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const now = (await gateway.request(operations.getNow.path)).body as { online: number };
    expect(page.texts('.figures .value')[0]).toBe(now.online.toLocaleString('en'));
    expect(page.texts('.figures .aside')[0]).toBe('peak of 24 hours: 1,287');
    expect(page.text('#network-notice')).toBeUndefined();
  });

  it('lists games with players or lobbies alone', async () => {
    const network = day();
    const page = await readPage(await run(network), '/');
    expect(page.texts('#games li h3')).toEqual(['Harbor Racing', 'Ärger']);
    network.activity = { ...network.activity, titles: [activity('00000004', 0, [])] };
    expect((await readPage(await run(network), '/')).text('#games .empty')).toBe('Nobody is in a game at the moment');
  });

  it('tells the records of the week as sentences, and links all of them', async () => {
    const changes = [
      change(3, { playerName: 'Pike', oldRank: 2, newRank: 1 }),
      change(2, { playerName: 'Oak', newRank: 1 }),
      change(1),
    ];
    const page = await readPage(await runBoardGateway({ changes }), '/');
    const rest = '0:49.300 · Harbor Racing · Fri 15 Jan, 07:58 UTC';
    expect(page.texts('#records li')).toEqual([
      `Pike took Old Pier, best lap from Oak by 0.056 s ${rest}`,
      `Oak bettered their own record of Old Pier, best lap by 0.056 s ${rest}`,
    ]);
    expect([page.text('#records .head a'), page.links('#records .head a')]).toEqual([
      'All 2 records',
      ['/changes?records=only&range=7d'],
    ]);
  });

  it('says while the past is read why there are no records', async () => {
    const gateway = await run(day());
    await gateway.bus.publish(backfillProgressed, { part: 'leaderboards', done: 1, total: 168 });
    await eventually(async () =>
      expect((await readPage(gateway, '/')).text('#records .empty')).toBe(
        'Reading the past: 0 % of 7 days of leaderboards.',
      ),
    );
  });

  it.each(['/', '/?range=30d'])('%s says that the users of the network have left all at once', async (path) => {
    const network = day();
    network.online = [
      ...network.online.slice(0, -1),
      { recorded_at: formatTimestamp(network.newest), online_count: 32 },
    ];
    const page = await readPage(await run(network), path);
    expect(page.text('#network-notice b')).toBe('Players online fell from 1,284 to 32');
    expect(page.text('#network-notice')).toContain('98 % fewer');
  });

  it('marks outages and records in both plots of a period', async () => {
    const known = day();
    const at = (index: number) => known.online[index]?.recorded_at ?? '';
    const minute = (index: number) => instantText(parseInstant(at(index)) * 1000, UTC, known.newest * 1000);
    known.online = known.online.map((row, index) => (index === 100 ? { ...row, online_count: 3 } : row));
    const records = {
      online: { count: 1786, at: at(50) },
      lobbies: { count: 106, at: at(60) },
      matches: null,
    };
    const series = await startStubUpstream(
      seriesRoutes(known, [
        route(operations.getNetworkRecords, async () => ({ body: records })),
        route(operations.getDailyOnline, async () => ({ body: [siteDay(at(50).slice(0, 10), 100, 200, 10)] })),
      ]),
    );
    const gateway = await runGateway({ network: known, env: { SERIES_API_URL: series.url } });
    for (const [range, outages] of [
      ['24h', ['outage: players of the whole network fell, Thu 14 Jan, 16:25 to 16:30 UTC']],
      ['1y', []],
    ] as const) {
      const page = await readPage(gateway, `/?range=${range}`);
      const flags = (id: string) => page.texts(`#${id} .flags li`);
      expect(flags('online-plot')).toEqual([...outages, `record: 1,786 online, ${minute(50)}`]);
      expect(flags('lobbies-plot')).toEqual([...outages, `record: 106 open lobbies, ${minute(60)}`]);
    }
  });

  it('shows unlocks by player, and how many there are', async () => {
    const unlock = (username: string, achievementId: number) => ({
      ...{ username, achievementId, achievementKey: `a${achievementId}`, achievementName: `A${achievementId}` },
      ...{ gameName: '', points: 10, unlockedAt: '2027-01-15 07:55:00' },
    });
    const recent = [unlock('Owl', 1), unlock('Fox', 2), ...[3, 4, 5, 6].map((id) => unlock('Owl', id))];
    const users = await startStubUpstream(
      userRoutes(network(), [
        route(operations.listRecentUnlocks, async ({ query: { limit } }) => ({
          body: { recent: recent.slice(0, limit) },
        })),
      ]),
    );
    const page = await readPage(await runGateway({ env: { USER_API_URL: users.url } }), '/');
    expect(page.texts('#unlocks li')).toEqual([
      'Owl · A1, A3, A4 and 2 more 50 points Fri 15 Jan, 07:55 UTC',
      'Fox · A2 10 points Fri 15 Jan, 07:55 UTC',
    ]);
  });

  it('says that the counts are old', async () => {
    const network = day();
    expect((await readPage(await run(network, 13 * 60), '/')).text('#network-notice')).toBeUndefined();
    const page = await readPage(await run(network, 20 * 60), '/');
    expect(page.text('#network-notice b')).toMatch(/^No new counts since Fri 15 Jan, \d\d:\d\d UTC\.$/);
  });
});
