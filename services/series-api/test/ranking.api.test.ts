import { operations, type OperationResponse } from '@lobbystats/contracts';
import { CHESS, DAY, HARBOR, HOUR, NOW, RALLY, SLOT, slotsFrom, TODAY, type SlotSketch } from './observations.ts';
import { httpDate, runSeries, type RunningSeries } from './running-series.ts';

type Ranking = OperationResponse<typeof operations.getRanking>;

let series: RunningSeries;
beforeEach(async () => {
  series = await runSeries();
  await series.name(1, { [HARBOR]: 'Harbor Racing', [RALLY]: 'Rally', [CHESS]: 'Chess' });
});
afterEach(async () => {
  await series.stop();
});

const ranking = async (query: string) => (await series.get(`${operations.getRanking.path}?${query}`)).body as Ranking;

const playing = (online: Record<string, number>): SlotSketch => ({
  titles: Object.fromEntries(Object.entries(online).map(([id, count]) => [id, { online: count }])),
});

/** Every slot of some days from an instant on. */
const slotsOf = (from: number, days: number, sketch: (slot: number) => SlotSketch) =>
  Object.fromEntries(slotsFrom(from, days * 288).map((slot) => [slot, sketch(slot)]));

describe('ranking of games', () => {
  it('is empty without snapshots', async () => {
    expect(await ranking('')).toEqual({ period: '24h', by: 'mean', total: 0, games: [] });
  });

  it('ranks by mean, peak or hours of the last 24 hours', async () => {
    await series.observe({
      [NOW - DAY]: playing({ [CHESS]: 900 }),
      [NOW - DAY + SLOT]: playing({ [HARBOR]: 6, [RALLY]: 5, [CHESS]: 5 }),
      [NOW - 9 * HOUR]: playing({ [HARBOR]: 0, [RALLY]: 5 }),
      [NOW]: playing({ [HARBOR]: 1, [RALLY]: 4 }),
      [NOW + SLOT]: playing({ [HARBOR]: 900 }),
    });
    const none = { previous: null, change: null };
    expect(await ranking('by=mean')).toEqual({
      period: '24h',
      by: 'mean',
      total: 3,
      games: [
        { rank: 1, titleId: CHESS, gameName: 'Chess', mean: 5, peak: 5, hours: 0.42, ...none },
        { rank: 2, titleId: RALLY, gameName: 'Rally', mean: 4.67, peak: 5, hours: 1.17, ...none },
        { rank: 3, titleId: HARBOR, gameName: 'Harbor Racing', mean: 2.33, peak: 6, hours: 0.58, ...none },
      ],
    });
    const places = async (query: string) => (await ranking(query)).games.map(({ rank, titleId }) => [rank, titleId]);
    expect(await places('by=peak')).toEqual([
      [1, HARBOR],
      [2, RALLY],
      [2, CHESS],
    ]);
    expect(await places('by=hours&limit=2')).toEqual([
      [1, RALLY],
      [2, HARBOR],
    ]);
    const { headers } = await series.get(operations.getRanking.path);
    expect(headers.get('last-modified')).toBe(httpDate(NOW));
  });

  it('leaves out titles that the catalog does not know', async () => {
    await series.observe({ [NOW]: playing({ [HARBOR]: 1, '0badf00d': 9 }) });
    expect(await ranking('')).toMatchObject({ total: 1, games: [{ rank: 1, titleId: HARBOR }] });
  });

  it.each([
    ['24h', 1],
    ['7d', 7],
  ])('compares %s with the same time before', async (period, days) => {
    await series.observe(slotsOf(NOW - 2 * days * DAY + SLOT, days, () => playing({ [HARBOR]: 2, [RALLY]: 8 })));
    await series.observe(slotsOf(NOW - days * DAY + SLOT, days, () => playing({ [HARBOR]: 5, [CHESS]: 1 })));
    expect((await ranking(`period=${period}&by=hours`)).games).toMatchObject([
      { titleId: HARBOR, mean: 5, peak: 5, hours: days * 120, previous: days * 48, change: days * 72 },
      { titleId: CHESS, hours: days * 24, previous: null, change: null },
    ]);
    expect((await ranking(`period=${period}`)).games[0]).toMatchObject({ mean: 5, previous: 2, change: 3 });
  });

  it('compares with no period of which more than a tenth is missing', async () => {
    const early = slotsFrom(NOW - 2 * DAY + SLOT, 288);
    const observe = (slots: readonly number[]) =>
      series.observe(Object.fromEntries(slots.map((slot) => [slot, playing({ [HARBOR]: 2 })])));
    await observe([...early.slice(29), NOW]);
    expect((await ranking('by=peak')).games).toMatchObject([{ peak: 2, previous: null, change: null }]);
    await observe(early.slice(28, 29));
    expect((await ranking('by=peak')).games).toMatchObject([{ peak: 2, previous: 2, change: 0 }]);
  });

  it('compares 30 days with the days before, as long as their statistics are stored', async () => {
    const [first, clockMs] = [TODAY - 30 * DAY, series.clock.nowMs];
    series.clock.nowMs = TODAY * 1000;
    await series.observe(slotsOf(first + SLOT, 30, () => playing({ [HARBOR]: 2 })));
    expect((await ranking('period=30d')).games).toMatchObject([{ titleId: HARBOR, mean: 2, previous: null }]);
    series.clock.nowMs = clockMs + 30 * DAY * 1000;
    await series.observe(slotsOf(TODAY + DAY, 29, () => playing({ [HARBOR]: 3 })));
    expect((await ranking('period=30d&by=peak')).games).toMatchObject([{ peak: 3, previous: 2, change: 1 }]);
  });
});
