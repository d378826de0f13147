import { BOARD_ENTRIES_MAX, formatInstant } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/errors';
import type { BoardContent } from '../src/domain/board.ts';
import { entriesOf, pagesOf } from './board-builder.ts';
import { BOARD, job, PASS, setBoardStage, type BoardStage } from './board-work-stage.ts';

let stage: BoardStage;
beforeEach(async () => {
  stage = await setBoardStage();
});
afterEach(() => stage.store.close());

const time = (entries: BoardContent['entries']): BoardContent => ({ isTime: true, entries });

describe('what is said of a board', () => {
  it('says the same thing again after a crash between publishing and remembering', async () => {
    stage.shows(time(entriesOf(3)));
    stage.publish = () => Promise.reject(new AppError('unavailable', 'Killed'));
    await expect(stage.work()(job())).rejects.toMatchObject({ code: 'unavailable' });
    stage.publish = () => Promise.resolve();
    stage.nowMs += 15_000;
    await stage.work('bob')(job());
    await stage.work('bob')(job(PASS + 3600));
    expect(stage.said.map(({ pass, board }) => ({ pass, board }))).toEqual(
      Array<unknown>(2).fill({ pass: PASS, board: time(entriesOf(3)) }),
    );
  });

  it('says it once more in the next pass when it had changed between a crash and the repetition', async () => {
    stage.shows(time(entriesOf(3)));
    stage.publish = () => Promise.reject(new AppError('unavailable', 'Killed'));
    await expect(stage.work()(job())).rejects.toMatchObject({ code: 'unavailable' });
    stage.publish = () => Promise.resolve();
    stage.nowMs += 15_000;
    stage.shows(time(entriesOf(4)));
    await stage.work('bob')(job());
    // Of the two, nobody knows which one was taken.
    await stage.work('bob')(job(PASS + 3600));
    await stage.work('bob')(job(PASS + 7200));
    expect(stage.said.map(({ pass, board }) => [pass, board?.entries.length])).toEqual([
      [PASS, 3],
      [PASS, 4],
      [PASS + 3600, 4],
    ]);
  });

  it('is said by one of two collectors that read it at the same time, and comes again to the other', async () => {
    stage.shows(time(entriesOf(3)));
    let published: () => void = () => undefined;
    stage.publish = () => new Promise((resolve) => (published = resolve));
    const first = stage.work()(job());
    while (stage.said.length === 0) await Promise.resolve();
    stage.shows(time(entriesOf(4)));
    await expect(stage.work('bob')(job())).rejects.toMatchObject({ kind: 'busy' });
    published();
    await first;
    await stage.work('bob')(job());
    expect(stage.said).toHaveLength(1);
  });

  it('says once that it is gone when its page is, and not when its title’s page no longer lists it', async () => {
    stage.shows(time(entriesOf(3)));
    await stage.work()(job());
    stage.pages = () => [];
    for (const pass of [1, 2, 3]) await stage.work()(job(PASS + pass * 3600));
    expect(stage.said.slice(1)).toMatchObject([{ pass: PASS + 3600, name: '', board: null }]);

    await stage.store.boards.list(BOARD.titleId, [{ id: 7, name: 'Old Pier' }]);
    stage.shows(time(entriesOf(3)));
    await stage.work()(job(PASS + 4 * 3600));
    await stage.store.boards.list(BOARD.titleId, []);
    await stage.work()(job(PASS + 5 * 3600));
    stage.shows(time(entriesOf(4)));
    await stage.work()(job(PASS + 6 * 3600));
    stage.pages = () => [];
    for (const pass of [7, 8]) await stage.work()(job(PASS + pass * 3600));
    expect(stage.said.slice(2).map(({ pass, board }) => [formatInstant(pass), board?.entries.length])).toEqual([
      [formatInstant(PASS + 4 * 3600), 3],
      [formatInstant(PASS + 6 * 3600), 4],
      [formatInstant(PASS + 7 * 3600), undefined],
    ]);
    expect(stage.told).toEqual(['changed', 'gone', 'changed', 'unchanged', 'changed', 'gone']);
  });

  it('says again what it said last when it is so once more after something else may have been said', async () => {
    const [one, two] = [time(entriesOf(3)), time(entriesOf(4))];
    stage.shows(one);
    await stage.work()(job());
    stage.shows(two);
    stage.publish = () => Promise.reject(new AppError('unavailable', 'Not confirmed'));
    await expect(stage.work()(job(PASS + 3600))).rejects.toMatchObject({ code: 'unavailable' });
    stage.publish = () => Promise.resolve();
    stage.shows(one);
    stage.nowMs += 3_600_000;
    await stage.work('bob')(job(PASS + 7200));
    await stage.work('bob')(job(PASS + 10_800));
    expect(stage.said.map(({ board }) => board)).toEqual([one, two, one]);
    expect(stage.told).toEqual(['changed', 'changed', 'unchanged']);
  });

  it('says nothing of a board that it never saw', async () => {
    stage.pages = () => [];
    await stage.work()(job());
    await stage.work()({ ...job(), leaderboardId: 99 });
    expect([stage.said, stage.told, stage.changes()]).toEqual([[], [], 0]);
    await stage.store.boards.owe(BOARD, PASS);
    await stage.work()(job());
    expect(await stage.store.boards.owed(PASS)).toEqual([]);
  });

  it('gives up for the pass what no message can say, and what is longer than boards may be', async () => {
    stage.pages = () => undefined;
    await stage.work()(job());
    stage.shows(time(entriesOf(3)));
    stage.publish = () => Promise.reject(new AppError('invalid', 'Too large'));
    await stage.work()(job());
    expect(await stage.store.boards.owed(PASS)).toEqual([]);
    stage.pages = () => undefined;
    await stage.work()(job());
    expect(await stage.store.boards.owed(PASS)).toHaveLength(1);
    const [page = ''] = pagesOf(time(entriesOf(1001)), 1000);
    stage.pages = () => Array<string>(BOARD_ENTRIES_MAX / 1000 + 1).fill(page);
    await stage.work()(job());
    expect(await stage.store.boards.owed(PASS)).toEqual([]);
    expect(stage.told).toEqual([
      'failed: unavailable',
      'failed: unsayable',
      'failed: unavailable',
      'failed: oversized',
    ]);
  });
});
