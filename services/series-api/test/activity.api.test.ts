import { operations } from '@lobbystats/contracts';
import { DAY, HARBOR, HOUR, NOW, RALLY, SLOT } from './observations.ts';
import { httpDate, runSeries, type RunningSeries } from './running-series.ts';

const PATH = operations.getActivity.path.replace(':titleId', HARBOR);
const playing = (online: number) => ({ titles: { [HARBOR]: { online } } });

let series: RunningSeries;
beforeEach(async () => {
  series = await runSeries();
});
afterEach(async () => {
  await series.stop();
});

describe('activity of a game', () => {
  it('has mean and peak of each weekday and hour with snapshots, from Monday on', async () => {
    await series.name(1, { [HARBOR]: 'Harbor Racing' });
    // NOW is a Friday, 08:00.
    await series.observe({
      [NOW - 7 * DAY]: playing(1),
      [NOW - 7 * DAY + SLOT]: playing(2),
      [NOW]: playing(7),
      [NOW - HOUR]: playing(4),
      [NOW - 4 * DAY]: playing(9),
      [NOW - 5 * DAY]: playing(0),
      [NOW - 2 * DAY]: { titles: { [RALLY]: { online: 5 } } },
    });
    const { body, headers } = await series.get(PATH);
    expect(body).toEqual({
      titleId: HARBOR,
      gameName: 'Harbor Racing',
      days: 28,
      hours: [
        { weekday: 'monday', hour: 8, average_online: 9, peak_online: 9 },
        { weekday: 'friday', hour: 7, average_online: 4, peak_online: 4 },
        { weekday: 'friday', hour: 8, average_online: 3.33, peak_online: 7 },
        { weekday: 'sunday', hour: 8, average_online: 0, peak_online: 0 },
      ],
    });
    expect(headers.get('last-modified')).toBe(httpDate(NOW));
  });

  it('counts the last 28 days and no slot before or in the future', async () => {
    await series.observe({
      [NOW - 28 * DAY]: playing(50),
      [NOW - 28 * DAY + SLOT]: playing(1),
      [NOW + SLOT]: playing(60),
    });
    expect((await series.get(PATH)).body).toMatchObject({ hours: [{ weekday: 'friday', hour: 8, peak_online: 1 }] });
  });

  it('is empty for a title that has only a name', async () => {
    await series.name(1, { [HARBOR]: 'Harbor Racing' });
    expect((await series.get(PATH)).body).toMatchObject({ hours: [] });
  });
});
