import { operations } from '@lobbystats/contracts';
import { DAY, HARBOR, NOW, SLOT, TODAY } from './observations.ts';
import { httpDate, runSeries, type RunningSeries } from './running-series.ts';

const DAILY = operations.getDailyOnline.path;
const NETWORK = operations.getNetworkRecords.path;
const GAME = operations.getGameRecords.path.replace(':titleId', HARBOR);

const slot = (online: number, hosts: readonly string[] | null) => ({
  online,
  titles: {
    [HARBOR]: { online, matches: hosts === null ? null : Object.fromEntries(hosts.map((host) => [host, 1])) },
  },
});

let series: RunningSeries;
beforeEach(async () => {
  series = await runSeries();
});
afterEach(async () => {
  await series.stop();
});

const observe = () =>
  series.observe({
    [TODAY - DAY]: slot(9, null),
    [TODAY - DAY + SLOT]: slot(9, ['Ada', 'Bob']),
    [TODAY - DAY + 2 * SLOT]: slot(2, ['Ada']),
    [NOW - SLOT]: slot(3, ['Ada', 'Bob']),
    [NOW]: slot(4, ['Cyd']),
  });

describe('daily counts of the network', () => {
  it('are mean, peak and matches of each UTC day, today so far included', async () => {
    await observe();
    const { body, headers } = await series.get(DAILY);
    expect(body).toEqual([
      {
        date: '2027-01-14',
        average_online: 6.67,
        peak_online: 9,
        peak_online_at: '2027-01-14 00:00:00',
        average_lobbies: 1.5,
        peak_lobbies: 2,
        peak_lobbies_at: '2027-01-14 00:05:00',
        matches: 2,
      },
      {
        date: '2027-01-15',
        average_online: 3.5,
        peak_online: 4,
        peak_online_at: '2027-01-15 08:00:00',
        average_lobbies: 1.5,
        peak_lobbies: 2,
        peak_lobbies_at: '2027-01-15 07:55:00',
        matches: 3,
      },
    ]);
    expect(headers.get('last-modified')).toBe(httpDate(NOW));
    expect((await series.get(`${DAILY}?days=1`)).body).toHaveLength(1);
  });

  it('have no lobbies on a day without a count', async () => {
    await series.observe({ [NOW]: slot(4, null) });
    const lobbies = { average_lobbies: null, peak_lobbies: null, peak_lobbies_at: null };
    expect((await series.get(DAILY)).body).toMatchObject([{ peak_online: 4, ...lobbies, matches: 0 }]);
  });

  it('outlive the snapshots by years, as records do', async () => {
    await observe();
    const records = [(await series.get(NETWORK)).body, (await series.get(GAME)).body];
    series.clock.nowMs += 3000 * DAY * 1000;
    await series.observe({ [NOW + 3000 * DAY]: slot(1, []) });
    expect((await series.get(`${DAILY}?days=3650`)).body).toMatchObject([
      { date: '2027-01-14', peak_online: 9 },
      { date: '2027-01-15', peak_online: 4 },
      { peak_online: 1 },
    ]);
    expect([(await series.get(NETWORK)).body, (await series.get(GAME)).body]).toEqual(records);
  });
});

describe('records', () => {
  it('are null before the first slot', async () => {
    expect((await series.get(NETWORK)).body).toEqual({ online: null, lobbies: null, matches: null });
    expect((await series.get(GAME)).status).toBe(404);
    await series.name(1, { [HARBOR]: 'Harbor Racing' });
    expect((await series.get(GAME)).body).toMatchObject({ gameName: 'Harbor Racing', online: null, lobbies: null });
  });

  it('are the first of the highest counts', async () => {
    await observe();
    const network = await series.get(NETWORK);
    expect(network.body).toEqual({
      online: { count: 9, at: '2027-01-14 00:00:00' },
      lobbies: { count: 2, at: '2027-01-14 00:05:00' },
      matches: { count: 3, date: '2027-01-15' },
    });
    const game = await series.get(GAME);
    expect(game.body).toEqual({
      titleId: HARBOR,
      gameName: '',
      online: { count: 9, at: '2027-01-14 00:00:00' },
      lobbies: { count: 2, at: '2027-01-14 00:05:00' },
    });
    for (const { headers } of [network, game]) expect(headers.get('last-modified')).toBe(httpDate(NOW));
  });
});
