import { NO_ROWS } from '../src/ingest/board-growth.ts';
import { allChanges, observationAt, openBoards } from './observed-boards.ts';
import { BOARD, times } from './stored-boards.ts';
import { cleanUp } from '@lobbystats/test-kit';

const MANY = { boards: 1000, entries: 1000, changes: 1000 };

function open(limits: Parameters<typeof openBoards>[0]) {
  const opened = openBoards(limits);
  cleanUp(() => opened.store.close());
  return opened;
}

const laps = (count: number, ms: number) =>
  times(...Array.from({ length: count }, (_, index) => [`P${index}`, ms + index] as const));

const namesOf = async ({ boards }: ReturnType<typeof open>['store']) =>
  (await boards.boardsOf(BOARD.titleId)).map(({ leaderboardId }) => leaderboardId);

describe('a hostile network with ever more of', () => {
  it('changes has them recorded up to the limit; the boards are as it shows them', async () => {
    const { store, catalog } = open({ perDay: { ...MANY, changes: 5 }, all: MANY });
    await catalog.observe([observationAt(0, laps(4, 1000))], false);
    expect(await catalog.observe([observationAt(1, laps(4, 900))], false)).toMatchObject({ changes: 4 });
    const refused = await catalog.observe([observationAt(2, laps(4, 800))], false);
    expect(refused).toMatchObject({ boards: 1, changes: 0, refused: { ...NO_ROWS, changes: 4 } });
    expect((await allChanges(store)).map(({ id }) => id)).toEqual([1, 2, 3, 4]);
    expect((await store.boards.entries(BOARD))[0]).toMatchObject({ timeMs: 800 });
    // One more fits.
    const one = [...laps(3, 800), ...times(['P3', 790])].map((entry, index) => ({ ...entry, rank: index + 1 }));
    expect(await catalog.observe([observationAt(3, one)], false)).toMatchObject({ changes: 1, refused: NO_ROWS });
  });

  it('changes leaves the older ones, however long it goes on', async () => {
    const { store, catalog } = open({ perDay: MANY, all: { ...MANY, changes: 6 } });
    for (let hour = 0; hour < 40; hour += 1) await catalog.observe([observationAt(hour, laps(2, 9000 - hour))], false);
    expect((await allChanges(store)).map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('leaderboards has new ones up to the limit, while known ones go on', async () => {
    const { store, catalog } = open({ perDay: { ...MANY, boards: 2 }, all: MANY });
    const found = (hour: number) =>
      Array.from({ length: 9 }, (_, index) => ({
        ...observationAt(hour, times(['A', 900 - hour])),
        leaderboardId: index + 1,
      }));
    expect(await catalog.observe(found(0), false)).toMatchObject({ boards: 2, refused: { boards: 7, entries: 7 } });
    expect(await catalog.observe(found(1), false)).toMatchObject({ boards: 2, changes: 2, refused: { boards: 7 } });
    expect(await namesOf(store)).toEqual([1, 2]);
  });

  it('leaderboards has no more than fit in all, gone ones included', async () => {
    const { store, catalog } = open({ perDay: MANY, all: { ...MANY, boards: 3 } });
    for (let hour = 0; hour < 9; hour += 1) {
      const key = { leaderboardId: hour + 1 };
      await catalog.observe([{ ...observationAt(hour, times(['A', 9])), ...key }], false);
      await catalog.observe([{ ...observationAt(hour + 10, null), ...key }], false);
    }
    expect(await namesOf(store)).toEqual([1, 2, 3]);
  });

  it('entries has a board refused that does not fit, and later ones that do are stored', async () => {
    const { store, catalog } = open({ perDay: MANY, all: { ...MANY, entries: 10 } });
    const boardOf = (leaderboardId: number, entries: number) => ({
      ...observationAt(0, laps(entries, 9)),
      leaderboardId,
    });
    const result = await catalog.observe([boardOf(1, 6), boardOf(2, 5), boardOf(3, 4)], false);
    expect(result).toMatchObject({ boards: 2, refused: { boards: 1, entries: 5 } });
    expect(await namesOf(store)).toEqual([1, 3]);
    expect(await catalog.observe([observationAt(1, laps(7, 9))], false)).toMatchObject({ refused: { entries: 1 } });
    expect(await store.boards.sizes()).toEqual({ boards: 2, entries: 10 });
  });

  it('entries has room again for as many as leave a leaderboard', async () => {
    const { catalog } = open({ perDay: MANY, all: { ...MANY, entries: 10 } });
    await catalog.observe([observationAt(0, laps(9, 900))], false);
    await catalog.observe([observationAt(1, laps(2, 900))], false);
    expect(await catalog.observe([observationAt(2, laps(10, 900))], false)).toMatchObject({ refused: NO_ROWS });
    expect(await catalog.observe([observationAt(3, laps(11, 900))], false)).toMatchObject({ refused: { entries: 1 } });
  });
});
