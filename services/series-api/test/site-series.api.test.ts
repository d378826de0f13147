import { operations } from '@lobbystats/contracts';
import { DAY, HARBOR, HOUR, NOW, RALLY, SLOT, slotsFrom } from './observations.ts';
import { httpDate, runSeries, type RunningSeries } from './running-series.ts';

const ONLINE = operations.getOnlineSeries.path;
const LOBBIES = operations.getLobbySeries.path;
const REGISTERED = operations.getDailyRegistered.path;

let series: RunningSeries;
beforeEach(async () => {
  series = await runSeries();
});
afterEach(async () => {
  await series.stop();
});

describe('empty store', () => {
  it.each([ONLINE, `${ONLINE}?resolution=60`, LOBBIES, `${LOBBIES}?resolution=1440`, REGISTERED])(
    '%s returns an empty array without Last-Modified',
    async (path) => {
      const { status, body, headers } = await series.get(path);
      expect([status, body, headers.get('last-modified')]).toEqual([200, [], null]);
    },
  );
});

describe('online series', () => {
  it('lists the snapshots of the last N days, ascending', async () => {
    await series.observe({
      [NOW]: { online: 5 },
      [NOW - DAY]: { online: 1 },
      [NOW - DAY + SLOT]: { online: 2 },
      [NOW + SLOT]: { online: 9 },
    });
    const day = await series.get(ONLINE);
    expect(day.body).toEqual([
      { recorded_at: '2027-01-14 08:05:00', online_count: 2 },
      { recorded_at: '2027-01-15 08:00:00', online_count: 5 },
    ]);
    expect(day.headers.get('last-modified')).toBe(httpDate(NOW));
    series.clock.nowMs -= 1;
    expect((await series.get(ONLINE)).body).toHaveLength(2);
    expect((await series.get(`${ONLINE}?days=2`)).body).toHaveLength(2);
  });

  it('goes back at most thirty days', async () => {
    const oldest = NOW - 30 * DAY + SLOT;
    await series.observe({ [oldest]: { online: 1 }, [oldest + SLOT]: { online: 2 } });
    expect((await series.get(`${ONLINE}?days=30`)).body).toHaveLength(2);
    series.clock.nowMs += SLOT * 1000;
    expect((await series.get(`${ONLINE}?days=30`)).body).toEqual([expect.objectContaining({ online_count: 2 })]);
  });

  it('a resolution returns buckets with start, rounded mean, minimum and maximum', async () => {
    const counts = Object.fromEntries(slotsFrom(NOW - HOUR, 12).map((slot, index) => [slot, { online: index }]));
    await series.observe({ ...counts, [NOW]: { online: 7 } });
    expect((await series.get(`${ONLINE}?resolution=60`)).body).toEqual([
      { recorded_at: '2027-01-15 07:00:00', online_count: 6, min: 0, max: 11 },
      { recorded_at: '2027-01-15 08:00:00', online_count: 7, min: 7, max: 7 },
    ]);
    expect((await series.get(`${ONLINE}?resolution=30`)).body).toHaveLength(3);
    expect((await series.get(`${ONLINE}?resolution=1440`)).body).toEqual([
      { recorded_at: '2027-01-15 00:00:00', online_count: 6, min: 0, max: 11 },
    ]);
  });
});

describe('lobby series', () => {
  it('omits slots in which a title is missing', async () => {
    await series.observe({
      [NOW - 2 * SLOT]: { titles: { [HARBOR]: { matches: { Ada: 1, Bob: 1 } }, [RALLY]: { matches: { Ada: 1 } } } },
      [NOW - SLOT]: { titles: { [HARBOR]: { matches: { Ada: 1 } }, [RALLY]: { matches: null } } },
      [NOW]: { online: 1 },
    });
    const raw = await series.get(LOBBIES);
    expect(raw.body).toEqual([
      { recorded_at: '2027-01-15 07:50:00', lobby_count: 3 },
      { recorded_at: '2027-01-15 08:00:00', lobby_count: 0 },
    ]);
    expect((await series.get(`${LOBBIES}?resolution=1440`)).body).toEqual([
      { recorded_at: '2027-01-15 00:00:00', lobby_count: 2, min: 0, max: 3 },
    ]);
    expect((await series.get(ONLINE)).body).toHaveLength(3);
  });
});

describe('registered users by day', () => {
  it('has one count per day including today, ascending', async () => {
    await series.observeRegistered({ '2027-01-14': 99, '2027-01-13': 98, '2027-01-12': 97 });
    await series.observe({ [NOW]: { registered: 101 }, [NOW - SLOT]: { registered: 100 } });
    const answer = await series.get(`${REGISTERED}?days=3`);
    expect(answer.body).toEqual([
      { date: '2027-01-13', registered_count: 98 },
      { date: '2027-01-14', registered_count: 99 },
      { date: '2027-01-15', registered_count: 101 },
    ]);
    expect(answer.headers.get('last-modified')).toBe(httpDate(NOW));
    expect((await series.get(`${REGISTERED}?days=1`)).body).toHaveLength(1);
  });

  it('go back a year, longer than snapshots', async () => {
    await series.observeRegistered({ '2026-01-16': 2, '2026-01-15': 1 });
    expect((await series.get(`${REGISTERED}?days=365`)).body).toEqual([{ date: '2026-01-16', registered_count: 2 }]);
    expect((await series.get(REGISTERED)).body).toEqual([]);
  });

  it('the latest reading of a day wins, from slots and from daily counts', async () => {
    await series.observe({ [NOW - SLOT]: { registered: 50 } });
    await series.observeRegistered({ '2027-01-15': 40 });
    expect((await series.get(REGISTERED)).body).toEqual([{ date: '2027-01-15', registered_count: 50 }]);
    await series.observe({ [NOW]: { registered: null } });
    expect((await series.get(REGISTERED)).body).toEqual([{ date: '2027-01-15', registered_count: 50 }]);
  });
});
