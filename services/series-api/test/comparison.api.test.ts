import { operations } from '@lobbystats/contracts';
import { CHESS, HARBOR, NOW, RALLY, SLOT } from './observations.ts';
import { httpDate, runSeries, type RunningSeries } from './running-series.ts';

const PATH = operations.compareGames.path;

let series: RunningSeries;
beforeAll(async () => {
  series = await runSeries();
  await series.name(1, { [HARBOR]: 'Harbor Racing', [CHESS]: 'Chess' });
  await series.observe({
    [NOW - 2 * SLOT]: { titles: { [HARBOR]: { online: 2 } } },
    [NOW - SLOT]: { titles: { [HARBOR]: { online: 5 }, [RALLY]: { online: 1 } } },
  });
});
afterAll(async () => {
  await series.stop();
});

describe('comparison of games', () => {
  it('has the history of each game in the order asked for, doubles once', async () => {
    const { body, headers } = await series.get(
      `${PATH}?titleIds=${RALLY},${HARBOR.toUpperCase()},${RALLY},${CHESS}&resolution=60`,
    );
    const bucket = { recorded_at: '2027-01-15 07:00:00' };
    expect(body).toEqual({
      days: 1,
      resolution: '60',
      games: [
        { titleId: RALLY, gameName: '', history: [{ ...bucket, online_count: 1, min: 1, max: 1 }] },
        { titleId: HARBOR, gameName: 'Harbor Racing', history: [{ ...bucket, online_count: 4, min: 2, max: 5 }] },
        { titleId: CHESS, gameName: 'Chess', history: [] },
      ],
    });
    expect(headers.get('last-modified')).toBe(httpDate(NOW - SLOT));
  });

  it('has no Last-Modified without snapshots', async () => {
    const { status, headers } = await series.get(`${PATH}?titleIds=${CHESS}`);
    expect([status, headers.get('last-modified')]).toEqual([200, null]);
  });

  it('rejects more than six title IDs, and texts that are none', async () => {
    const seven = Array.from({ length: 7 }, (_, index) => `0000000${index}`).join(',');
    const hostile = [
      '',
      ',',
      `${HARBOR},`,
      '__proto__',
      '$where',
      "'",
      '<script>',
      '%00',
      '%E2%80%AE',
      '%25',
      'x'.repeat(200),
    ];
    for (const titleIds of [seven, ...hostile, `${HARBOR}&titleIds=${RALLY}`]) {
      const { status, body } = await series.get(`${PATH}?titleIds=${titleIds}`);
      const error = 'titleIds must be 1 to 6 title IDs, separated by commas';
      expect([titleIds, status, body]).toEqual([titleIds, 400, { error }]);
    }
    expect((await series.get(PATH)).status).toBe(400);
  });

  it('answers 404 when one of the titles is unknown', async () => {
    const { status, body } = await series.get(`${PATH}?titleIds=${HARBOR},00000001`);
    expect([status, body]).toEqual([404, { error: 'Unknown title' }]);
  });

  it.each([0, 31, 'x'])('rejects days=%s', async (days) => {
    expect((await series.get(`${PATH}?titleIds=${HARBOR}&days=${days}`)).body).toEqual({
      error: 'days must be an integer from 1 to 30',
    });
  });
});
