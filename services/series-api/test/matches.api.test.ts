import { matchId, operations } from '@lobbystats/contracts';
import { DAY, HARBOR, HOUR, NOW, SLOT, slotsFrom, TODAY, type SlotSketch } from './observations.ts';
import { httpDate, runSeries, type RunningSeries } from './running-series.ts';

const path = ({ path: template }: { path: string }): string => template.replace(':titleId', HARBOR);
const MATCHES = path(operations.getMatches);
const HISTORY = path(operations.getMatchHistory);
const STATS = path(operations.getMatchStats);
const DAYS = path(operations.getDailyStats);

const hosting = (matches: Record<string, number> | null, online = 0): SlotSketch => ({
  titles: { [HARBOR]: { online, matches } },
});

let series: RunningSeries;
beforeEach(async () => {
  series = await runSeries();
  await series.name(1, { [HARBOR]: 'Harbor Racing' });
});
afterEach(async () => {
  await series.stop();
});

describe('title without matches', () => {
  it('has empty lists and zeros', async () => {
    const head = { titleId: HARBOR, gameName: 'Harbor Racing' };
    expect((await series.get(MATCHES)).body).toEqual({ ...head, matches: [] });
    expect((await series.get(HISTORY)).body).toEqual({ ...head, hours: 24, total: 0, matches: [] });
    const none = { totalMatches: 0, peakPlayers: 0, uniqueHosts: 0 };
    expect((await series.get(STATS)).body).toEqual({ ...head, hours: 24, ...none });
    expect((await series.get(DAYS)).body).toEqual({ ...head, days: 30, stats: [] });
  });
});

describe('latest matches', () => {
  it('list the hosts of the last hour with their latest snapshots, newest first', async () => {
    await series.observe({
      [NOW - HOUR]: hosting({ Gone: 1 }),
      [NOW - HOUR + SLOT]: hosting({ Twice: 5, Early: 2 }),
      [NOW - 2 * SLOT]: hosting({ Twice: 3 }),
      [NOW - SLOT]: hosting({ b: 1, B: 4 }),
      [NOW]: hosting({}),
    });
    const { body, headers } = await series.get(MATCHES);
    const match = (hostName: string, currentPlayers: number, timestamp: string) => ({
      id: expect.any(String),
      hostName,
      currentPlayers,
      maxPlayers: 8,
      timestamp,
    });
    expect(body).toEqual({
      titleId: HARBOR,
      gameName: 'Harbor Racing',
      matches: [
        match('B', 4, '2027-01-15 07:55:00'),
        match('b', 1, '2027-01-15 07:55:00'),
        match('Twice', 3, '2027-01-15 07:50:00'),
        match('Early', 2, '2027-01-15 07:05:00'),
      ],
    });
    expect(headers.get('last-modified')).toBe(httpDate(NOW));
  });

  it('ignore snapshots after the present when the clock of the network is ahead', async () => {
    await series.observe({
      [NOW - SLOT]: hosting({ Ada: 1 }),
      [NOW]: hosting({ Ada: 2 }),
      [NOW + SLOT]: hosting({ Ada: 3, New: 1 }),
    });
    const ada = { hostName: 'Ada', currentPlayers: 2, maxPlayers: 8, timestamp: '2027-01-15 08:00:00' };
    expect((await series.get(MATCHES)).body).toMatchObject({ matches: [ada] });
    series.clock.nowMs -= 600_000;
    expect((await series.get(MATCHES)).body).toMatchObject({ matches: [] });
    series.clock.nowMs += 900_000;
    expect((await series.get(MATCHES)).body).toMatchObject({
      matches: [
        { hostName: 'Ada', currentPlayers: 3 },
        { hostName: 'New', currentPlayers: 1 },
      ],
    });
  });
});

const idOf = (host: string, startedAt: number) => ({
  id: matchId({ titleId: HARBOR, host, startedAt }),
  hostName: host,
});

describe('match history', () => {
  it('lists the unbroken runs of hosts, newest first', async () => {
    await series.observe({
      [NOW - 5 * SLOT]: hosting({ Ada: 4 }),
      [NOW - 4 * SLOT]: hosting(null),
      [NOW - 3 * SLOT]: hosting({ Ada: 7 }),
      [NOW - 2 * SLOT]: hosting({ Ada: 2, Bob: 1 }),
      [NOW - SLOT]: hosting({}),
      [NOW]: hosting({}),
      [NOW + SLOT]: hosting({ Ada: 1 }),
    });
    series.clock.nowMs += SLOT * 1000;
    const match = { maxPlayers: 8, timestamp: '2027-01-15 07:50:00', endedAt: '2027-01-15 07:50:00' };
    const again = {
      timestamp: '2027-01-15 08:05:00',
      startedAt: '2027-01-15 08:05:00',
      endedAt: '2027-01-15 08:05:00',
    };
    expect((await series.get(HISTORY)).body).toEqual({
      titleId: HARBOR,
      gameName: 'Harbor Racing',
      hours: 24,
      total: 3,
      matches: [
        { ...idOf('Ada', NOW + SLOT), currentPlayers: 1, maxPlayers: 8, peakPlayers: 1, ...again },
        {
          ...idOf('Ada', NOW - 5 * SLOT),
          currentPlayers: 2,
          peakPlayers: 7,
          startedAt: '2027-01-15 07:35:00',
          ...match,
        },
        {
          ...idOf('Bob', NOW - 2 * SLOT),
          currentPlayers: 1,
          peakPlayers: 1,
          startedAt: '2027-01-15 07:50:00',
          ...match,
        },
      ],
    });
  });

  it('lists the matches that ended within the last N hours', async () => {
    await series.observe({ [NOW - HOUR]: hosting({ Ada: 1 }), [NOW - HOUR + SLOT]: hosting({ Bob: 1 }) });
    expect((await series.get(`${HISTORY}?hours=1`)).body).toMatchObject({ total: 1, matches: [{ hostName: 'Bob' }] });
    expect((await series.get(`${HISTORY}?hours=2`)).body).toMatchObject({ total: 2 });
  });

  it('lists all matches of the period when no limit is given', async () => {
    const hosts = Object.fromEntries(Array.from({ length: 1200 }, (_, index) => [`host ${index}`, 1]));
    await series.observe({ [NOW]: hosting(hosts) });
    const { body, headers } = await series.get(HISTORY);
    const { total, matches } = body as { total: number; matches: object[] };
    expect([total, matches.length, headers.get('link')]).toEqual([1200, 1200, null]);
    const rest = (await series.get(`${HISTORY}?offset=1199`)).body as { matches: object[] };
    expect(rest.matches).toHaveLength(1);
  });

  it('returns pages with a link to the next one', async () => {
    await series.observe({ [NOW]: hosting({ a: 1, b: 1, c: 1, d: 1, e: 1 }) });
    const page = async (query: string) => {
      const { body, headers } = await series.get(`${HISTORY}?${query}`);
      const { total, matches } = body as { total: number; matches: { hostName: string }[] };
      expect(total).toBe(5);
      return [matches.map(({ hostName }) => hostName).join(''), headers.get('link')];
    };
    expect(await page('limit=2&hours=5')).toEqual(['ab', '<?limit=2&hours=5&offset=2>; rel="next"']);
    expect(await page('limit=2&hours=5&offset=2')).toEqual(['cd', '<?limit=2&hours=5&offset=4>; rel="next"']);
    expect(await page('limit=2&offset=4')).toEqual(['e', null]);
    expect(await page('limit=5')).toEqual(['abcde', null]);
    expect(await page('offset=100000')).toEqual(['', null]);
  });
});

describe('match statistics', () => {
  it('count the runs of the last 24 hours, their hosts, and the most players in one snapshot', async () => {
    await series.observe({
      [NOW - DAY]: hosting({ Old: 50 }),
      [NOW - DAY + SLOT]: hosting({ Ada: 3, Bob: 4 }),
      [NOW - SLOT]: hosting({ Ada: 6 }),
      [NOW]: hosting(null),
    });
    expect((await series.get(STATS)).body).toEqual({
      titleId: HARBOR,
      gameName: 'Harbor Racing',
      hours: 24,
      totalMatches: 3,
      peakPlayers: 7,
      uniqueHosts: 2,
    });
  });

  it('agree with the history of the same hours: a match that was open before counts whole', async () => {
    await series.observe({
      [NOW - DAY - SLOT]: hosting({ Ada: 6, Gone: 30 }),
      [NOW - DAY]: hosting({ Ada: 3, Gone: 2 }),
      [NOW - DAY + SLOT]: hosting({ Ada: 1 }),
      [NOW]: hosting({}),
    });
    const { matches } = (await series.get(HISTORY)).body as { matches: { hostName: string; peakPlayers: number }[] };
    expect(matches.map(({ hostName, peakPlayers }) => [hostName, peakPlayers])).toEqual([['Ada', 6]]);
    expect((await series.get(STATS)).body).toMatchObject({ totalMatches: 1, peakPlayers: 6, uniqueHosts: 1 });
  });

  it('leave out the snapshots after the present when the clock of the network is ahead', async () => {
    await series.observe({ [NOW]: hosting({ Ada: 2 }), [NOW + SLOT]: hosting({ Ada: 9, New: 1 }) });
    expect((await series.get(STATS)).body).toMatchObject({ totalMatches: 1, peakPlayers: 2, uniqueHosts: 1 });
  });
});

describe('daily statistics', () => {
  it('count a match on each day on which it was open, like its host', async () => {
    await series.observe({
      [TODAY - 2 * SLOT]: hosting({ Ada: 1 }),
      [TODAY - SLOT]: hosting({ Ada: 1 }),
      [TODAY]: hosting({ Ada: 1, Bob: 1 }),
    });
    const { stats } = (await series.get(DAYS)).body as { stats: { lobby_count: number; unique_hosts: number }[] };
    expect(stats.map(({ lobby_count, unique_hosts }) => [lobby_count, unique_hosts])).toEqual([
      [1, 1],
      [2, 2],
    ]);
  });

  it('are grouped by UTC day including today, without days that have no data', async () => {
    await series.observe({
      [TODAY - 3 * DAY]: hosting({ Ada: 1 }, 1),
      [TODAY - SLOT]: hosting({ Ada: 2 }, 10),
      [TODAY]: hosting({ Ada: 3, Bob: 3 }, 5),
      [TODAY + SLOT]: hosting(null, 6),
      [NOW]: hosting({}, 5),
    });
    const { body, headers } = await series.get(DAYS);
    const day = (date: string, counts: readonly [number, number, number, number, number]) => ({
      date,
      lobby_count: counts[0],
      peak_players: counts[1],
      unique_hosts: counts[2],
      peak_online: counts[3],
      average_online: counts[4],
    });
    expect(body).toEqual({
      titleId: HARBOR,
      gameName: 'Harbor Racing',
      days: 30,
      stats: [
        day('2027-01-12', [1, 1, 1, 1, 1]),
        day('2027-01-14', [1, 2, 1, 10, 10]),
        day('2027-01-15', [2, 6, 2, 6, 5.33]),
      ],
    });
    expect(headers.get('last-modified')).toBe(httpDate(NOW));
    const dates = async (query: string) =>
      ((await series.get(`${DAYS}?${query}`)).body as { stats: { date: string }[] }).stats.map(({ date }) => date);
    expect(await dates('days=1')).toEqual(['2027-01-15']);
    expect(await dates('days=3')).toEqual(['2027-01-14', '2027-01-15']);
    expect(await dates('limit=2')).toEqual(['2027-01-14', '2027-01-15']);
    expect(await dates('limit=1&days=365')).toEqual(['2027-01-15']);
  });

  it('remain after their snapshots have expired', async () => {
    await series.observe(Object.fromEntries(slotsFrom(TODAY, 3).map((slot) => [slot, hosting({ Ada: 2 }, 4)])));
    const before = (await series.get(`${DAYS}?days=365`)).text;
    series.clock.nowMs += 40 * DAY * 1000;
    await series.observe({ [NOW + 40 * DAY]: {} });
    expect((await series.get(`${DAYS}?days=365`)).text).toBe(before);
    expect((await series.get(`${HISTORY}?hours=720`)).body).toMatchObject({ total: 0 });
  });
});
