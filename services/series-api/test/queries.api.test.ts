import { operations } from '@lobbystats/contracts';
import { HARBOR, NOW } from './observations.ts';
import { runSeries, type RunningSeries } from './running-series.ts';

const path = ({ path: template }: { path: string }, titleId = HARBOR): string => template.replace(':titleId', titleId);

const integers = [
  [path(operations.getDailyRegistered), 'days', 1, 365],
  [path(operations.getDailyOnline), 'days', 1, 3650],
  [path(operations.getOnlineSeries), 'days', 1, 30],
  [path(operations.getLobbySeries), 'days', 1, 30],
  [path(operations.getTitleOnlineHistory), 'hours', 1, 720],
  [path(operations.getMatchHistory), 'hours', 1, 720],
  [path(operations.getMatchHistory), 'limit', 1, 10_000],
  [path(operations.getMatchHistory), 'offset', 0, 100_000],
  [path(operations.getRanking), 'limit', 1, 1000],
  [path(operations.getDailyStats), 'days', 1, 365],
  [path(operations.getDailyStats), 'limit', 1, 365],
] as const;

const choices = [
  [path(operations.getOnlineSeries), 'resolution', ['raw', '30', '60', '1440'], 'must be one of raw, 30, 60, 1440'],
  [path(operations.getLobbySeries), 'resolution', ['raw', '30', '60', '1440'], 'must be one of raw, 30, 60, 1440'],
  [
    path(operations.getTitleOnlineHistory),
    'resolution',
    ['raw', '30', '60', '1440'],
    'must be one of raw, 30, 60, 1440',
  ],
  [path(operations.getRanking), 'period', ['24h', '7d', '30d'], 'must be one of 24h, 7d, 30d'],
  [path(operations.getRanking), 'by', ['mean', 'peak', 'hours'], 'must be one of mean, peak, hours'],
  [path(operations.getOnlineSummary), 'period', ['today', '7d'], 'must be one of today, 7d'],
] as const;

const ofTitles = [
  operations.getActivity,
  operations.getGameRecords,
  operations.getTitleOnlineHistory,
  operations.getMatches,
  operations.getMatchHistory,
  operations.getMatchStats,
  operations.getDailyStats,
];

let series: RunningSeries;
beforeAll(async () => {
  series = await runSeries();
  await series.observe({ [NOW]: { titles: { [HARBOR]: {} } } });
});
afterAll(async () => {
  await series.stop();
});

describe('query parameters', () => {
  it.each(integers)('%s accepts %s from %i to %i and rejects other values', async (route, name, min, max) => {
    for (const good of [min, max]) expect((await series.get(`${route}?${name}=${good}`)).status).toBe(200);
    const refused = { error: `${name} must be an integer from ${min} to ${max}` };
    for (const bad of [min - 1, max + 1, '', '1.0', '1e1', '+1', '%201', '0x1', '9'.repeat(400), '١']) {
      const { status, body } = await series.get(`${route}?${name}=${bad}`);
      expect([bad, status, body]).toEqual([bad, 400, refused]);
    }
    expect(await series.get(`${route}?${name}=${min}&${name}=${min}`)).toMatchObject({ status: 400 });
    expect(await series.get(`${route}?${name}[]=${min}`)).toMatchObject({ status: 200 });
  });

  it.each(choices)('%s accepts only known values of %s', async (route, name, values, message) => {
    for (const value of values) expect((await series.get(`${route}?${name}=${value}`)).status).toBe(200);
    for (const bad of ['', 'RAW', '15', '__proto__', 'constructor']) {
      const { status, body } = await series.get(`${route}?${name}=${bad}`);
      expect([bad, status, body]).toEqual([bad, 400, { error: `${name} ${message}` }]);
    }
  });
});

describe('title ID', () => {
  it.each(ofTitles)('an unknown title returns 404 at $path', async (operation) => {
    const { status, body } = await series.get(path(operation, '00000001'));
    expect([status, body]).toEqual([404, { error: 'Unknown title' }]);
  });

  it.each(ofTitles)('a malformed title ID returns 404 at $path', async (operation) => {
    for (const bad of ['4d53006', '4d5300640', '4d53006g', '__proto__', '%00', '..%2f']) {
      const { status, body } = await series.get(path(operation, bad));
      expect([bad, status, body]).toEqual([bad, 404, { error: expect.any(String) }]);
    }
  });

  it.each(ofTitles)('a title ID is case-insensitive at $path', async (operation) => {
    const lower = await series.get(path(operation, HARBOR));
    const upper = await series.get(path(operation, HARBOR.toUpperCase()));
    expect(lower.status).toBe(200);
    expect(upper.text).toBe(lower.text);
  });
});
