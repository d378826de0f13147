import { matchEnded, matchId, matchOpened, operations, slotStored } from '@lobbystats/contracts';
import { openBus } from '@lobbystats/service-kit/bus';
import { openSqliteSeriesStore } from '../src/open-store.ts';
import { HARBOR, NOW, SLOT, slotsFrom, type SlotSketch } from './observations.ts';
import { at, factDataOf, runSeries, until, type RunningSeries, type RunOptions } from './running-series.ts';

const hosting = (matches: Record<string, number> | null): SlotSketch => ({
  online: 3,
  titles: { [HARBOR]: { online: 2, matches } },
});

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function run(options?: RunOptions): Promise<RunningSeries> {
  const series = await runSeries(options);
  closers.push(() => series.stop());
  return series;
}

describe('an outage', () => {
  const newsOf = ({ facts }: RunningSeries) =>
    facts.flatMap(({ type, past, data }) => {
      if (past || (type !== matchOpened.key && type !== matchEnded.key)) return [];
      const { matches } = data as { matches: { host: string }[] };
      return matches.map(({ host }) => `${type} ${host}`);
    });
  const observeInTurn = async (series: RunningSeries, sketches: readonly [slot: number, SlotSketch][]) => {
    for (const [slot, sketch] of sketches) await series.observe({ [slot]: sketch });
    await until(() => factDataOf(series.facts, slotStored).length === sketches.length);
  };

  it.each([1, 2, 12])('of %i slots ends no match and opens none that goes on', async (unread) => {
    const series = await run();
    const first = NOW - (unread + 4) * SLOT;
    const back = first + (unread + 2) * SLOT;
    await observeInTurn(series, [
      [first, hosting({ Stays: 1 })],
      [first + SLOT, hosting({ Stays: 2, Leaves: 1 })],
      [back, hosting({ Stays: 4, New: 1 })],
      [back + SLOT, hosting({ Stays: 1, New: 1 })],
      [back + 2 * SLOT, hosting({ New: 1 })],
    ]);
    expect(newsOf(series)).toEqual([`${matchOpened.key} Leaves`, `${matchOpened.key} New`, `${matchEnded.key} Leaves`]);
  });

  it('of a page ends none of its matches', async () => {
    const series = await run();
    await observeInTurn(series, [
      [NOW - 4 * SLOT, hosting({ Stays: 1 })],
      ...slotsFrom(NOW - 3 * SLOT, 3).map((slot): [number, SlotSketch] => [slot, hosting(null)]),
      [NOW, hosting({ Stays: 3 })],
    ]);
    expect(newsOf(series)).toEqual([]);
    const { body } = await series.get(operations.getMatchHistory.path.replace(':titleId', HARBOR));
    expect(body).toMatchObject({
      total: 1,
      matches: [{ id: matchId({ titleId: HARBOR, startedAt: NOW - 4 * SLOT, host: 'Stays' }), peakPlayers: 3 }],
    });
  });

  it('of more than an hour ends all matches with their last snapshot, which is no news', async () => {
    const series = await run();
    const back = NOW - SLOT;
    const last = back - 14 * SLOT;
    await observeInTurn(series, [
      [last - SLOT, hosting({ Stays: 1 })],
      [last, hosting({ Stays: 2, Leaves: 1 })],
      [back, hosting({ Stays: 4 })],
      [back + SLOT, hosting({ Stays: 4, New: 1 })],
    ]);
    expect(newsOf(series)).toEqual([`${matchOpened.key} Leaves`, `${matchOpened.key} New`]);
    const ended = series.facts.filter(({ type }) => type === matchEnded.key);
    expect(ended).toMatchObject([
      {
        past: true,
        data: { slot: at(back), matches: [{ host: 'Leaves' }, { host: 'Stays', endedAt: at(last) }] },
      },
    ]);
  });

  it('ends no match when the service restarts meanwhile', async () => {
    const bus = await openBus({ url: 'memory:', origin: 'simulated' });
    const store = openSqliteSeriesStore({ url: 'sqlite::memory:', origin: 'simulated' });
    closers.push(
      () => bus.close(),
      () => store.close(),
    );
    const before = await run({ bus, store });
    await observeInTurn(before, [
      [NOW - 5 * SLOT, hosting({ Ada: 1 })],
      [NOW - 4 * SLOT, hosting({ Ada: 1 })],
    ]);
    await before.stop();
    const after = await run({ bus, store });
    await after.observe({ [NOW]: hosting({ Ada: 1 }) });
    await until(() => factDataOf(after.facts, slotStored).length === 3);
    expect(newsOf(after)).toEqual([]);
    expect(await store.runsBetween(0, NOW)).toMatchObject([{ startedAt: NOW - 5 * SLOT, endedAt: NOW }]);
  });
});
