import { operations, parseInstant } from '@lobbystats/contracts';
import { route } from '@lobbystats/service-kit';
import { instantText, UTC } from '@lobbystats/site';
import { EVENT } from './catalog-responses.ts';
import { day, titleDay } from './day.ts';
import { catalogRoutes, seriesRoutes } from './network.ts';
import { readPage } from './page-text.ts';
import { runGateway, startStubUpstream } from './running-gateway.ts';

describe('page of a game', () => {
  const known = day();
  const at = (index: number) => known.online[index]?.recorded_at ?? '';
  const minute = (index: number) => instantText(parseInstant(at(index)) * 1000, UTC, known.newest * 1000);
  known.online = known.online.map((row, index) => (index === 100 ? { ...row, online_count: 3 } : row));
  const event = { ...EVENT, title: '<b>Cup</b>', starts_at: at(200), ends_at: at(212) };
  const atDay = 'event: <b>Cup</b>, Fri 15 Jan, 00:45 to 01:45 UTC';
  const outage = 'outage: players of the whole network fell, Thu 14 Jan, 16:25 to 16:30 UTC';

  async function runMarked() {
    const series = await startStubUpstream(
      seriesRoutes(known, [
        route(operations.getGameRecords, async ({ params: { titleId } }) => ({
          body: {
            ...{ titleId, gameName: 'Harbor Racing' },
            online: { count: 234, at: at(50) },
            lobbies: { count: 12, at: at(60) },
          },
        })),
        route(operations.getDailyStats, async ({ params: { titleId }, query: { days } }) => ({
          body: { titleId, gameName: 'Harbor Racing', days, stats: [titleDay(at(50).slice(0, 10), 10, 30)] },
        })),
      ]),
    );
    const catalog = await startStubUpstream(
      catalogRoutes(known, [route(operations.listEvents, async () => ({ body: [event] }))]),
    );
    return runGateway({ network: known, env: { SERIES_API_URL: series.url, CATALOG_API_URL: catalog.url } });
  }

  it.each([
    ['24h', [outage]],
    ['7d', [outage]],
    ['30d', [outage]],
    ['1y', []],
  ])('marks events, records and outages of %s in its plots, and names them below', async (range, outages) => {
    const page = await readPage(await runMarked(), `/game/00000001?range=${range}`);
    const flags = (id: string) => page.texts(`#${id} .flags li`);
    expect(flags('online-plot')).toEqual([atDay, ...outages, `record: 234 online, ${minute(50)}`]);
    expect(flags('lobbies-plot')).toEqual([atDay, ...outages, `record: 12 open lobbies, ${minute(60)}`]);
    expect(page.texts('#online-plot svg rect')).toHaveLength(2 + outages.length);
  });
});
