import { AppError } from '@lobbystats/errors';
import type { BoardContent } from '../src/domain/board.ts';
import { entriesOf, pagesOf, timed } from './board-builder.ts';
import { BOARD, job, PASS, setBoardStage, type BoardStage } from './board-work-stage.ts';

let stage: BoardStage;
beforeEach(async () => {
  stage = await setBoardStage();
});
afterEach(() => stage.store.close());

const time = (entries: BoardContent['entries']): BoardContent => ({ isTime: true, entries });

describe('the work on a board', () => {
  it('says it when it is first seen, and then when it is other than it was', async () => {
    const one = time(entriesOf(120));
    const two = time([timed(1, 'New', 1), ...entriesOf(119, 2)]);
    stage.shows(one);
    await stage.work()(job());
    stage.nowMs += 3_600_000;
    stage.shows(two);
    await stage.work()(job(PASS + 3600));
    expect(stage.said).toEqual([
      { ...job(), seenAt: PASS + 60, board: one },
      { ...job(PASS + 3600), seenAt: PASS + 3660, board: two },
    ]);
    expect(stage.told).toEqual(['changed', 'changed']);
  });

  it('confirms what it said last when nothing has changed, in each pass', async () => {
    stage.shows(time(entriesOf(120)));
    await stage.work()(job());
    expect(stage.confirmed).toEqual([]);
    for (const hour of [1, 2]) {
      stage.nowMs += 3_600_000;
      // The second time with other validators: the board is read whole.
      if (hour === 2) stage.pages = () => pagesOf(time(entriesOf(120))).map((html) => `${html} `);
      await stage.work()(job(PASS + hour * 3600));
    }
    expect(stage.confirmed).toEqual([
      { ...BOARD, pass: PASS, seenAt: PASS + 3660 },
      { ...BOARD, pass: PASS, seenAt: PASS + 7260 },
    ]);
  });

  it('comes again when the confirmation could not be published', async () => {
    stage.shows(time(entriesOf(3)));
    await stage.work()(job());
    stage.publish = () => Promise.reject(new AppError('unavailable', 'The bus is away'));
    await expect(stage.work()(job(PASS + 3600))).rejects.toMatchObject({ code: 'unavailable' });
    stage.publish = () => Promise.resolve();
    await stage.work()(job(PASS + 3600));
    expect(stage.confirmed).toHaveLength(2);
    expect(stage.told).toEqual(['changed', 'unchanged']);
  });

  it('confirms nothing of a board that could not be had or is gone', async () => {
    stage.shows(time(entriesOf(3)));
    await stage.work()(job());
    stage.pages = () => undefined;
    await stage.work()(job(PASS + 3600));
    stage.pages = () => [];
    for (const hour of [1, 2]) await stage.work()(job(PASS + hour * 3600));
    expect(stage.said.map(({ board }) => board === null)).toEqual([false, true]);
    expect(stage.confirmed).toEqual([]);
  });

  it('costs no observation and no write when nothing has changed', async () => {
    stage.shows(time(entriesOf(120)));
    await stage.work()(job());
    const before = stage.changes();
    stage.requests = 0;
    await stage.work()(job(PASS + 3600));
    expect([stage.said.length, stage.changes() - before, stage.requests]).toEqual([1, 0, 2]);
    expect(stage.told).toEqual(['changed', 'unchanged']);
  });

  it('costs no observation and no write when only the validators have changed, and is read whole once', async () => {
    stage.shows(time(entriesOf(120)));
    const [work, other] = [stage.work(), stage.work('bob')];
    await work(job());
    const before = stage.changes();
    stage.pages = () => pagesOf(time(entriesOf(120))).map((html) => `${html} `);
    const requests: number[] = [];
    for (const [index, replica] of [work, work, other, other].entries()) {
      stage.requests = 0;
      await replica(job(PASS + (index + 1) * 3600));
      requests.push(stage.requests);
    }
    expect([stage.said.length, stage.changes() - before]).toEqual([1, 0]);
    // Read whole, the first page asked for again; from then on each page is asked whether it is unchanged.
    expect(requests).toEqual([3, 2, 3, 2]);
  });

  it('says it under its new name though only validators have changed before', async () => {
    stage.shows(time(entriesOf(20)));
    const work = stage.work();
    await work(job());
    stage.pages = () => pagesOf(time(entriesOf(20))).map((html) => `${html} `);
    await work(job(PASS + 3600));
    await stage.store.boards.list(BOARD.titleId, [{ id: 7, name: 'Pier' }]);
    stage.nowMs += 7_200_000;
    await work(job(PASS + 7200));
    expect(stage.said.map(({ name }) => name)).toEqual(['Old Pier', 'Pier']);
  });

  it('is done once in a pass, however often it is asked for', async () => {
    stage.shows(time(entriesOf(3)));
    await stage.work()(job());
    stage.shows(time(entriesOf(4)));
    await stage.work()(job());
    await stage.work('bob')(job(PASS - 3600));
    expect(stage.said).toHaveLength(1);
    expect(stage.requests).toBe(1);
  });

  it('says it again under its new name', async () => {
    stage.shows(time(entriesOf(3)));
    await stage.work()(job());
    await stage.store.boards.list(BOARD.titleId, [{ id: 7, name: 'Pier' }]);
    await stage.work()(job(PASS + 3600));
    expect(stage.said.map(({ name }) => name)).toEqual(['Old Pier', 'Pier']);
  });

  it('changes nothing when it was torn each time, and is owed', async () => {
    stage.shows(time(entriesOf(250)));
    await stage.work()(job());
    const memo = await stage.store.boards.recall(BOARD);
    let state = 0;
    stage.pages = () => {
      state += 1;
      return pagesOf(time(entriesOf(250).map((entry) => ({ ...entry, name: `${state}` }))));
    };
    await stage.work()(job(PASS + 3600));
    expect(stage.said).toHaveLength(1);
    expect(stage.told).toEqual(['changed', 'torn', 'torn', 'failed: torn']);
    expect(await stage.store.boards.recall(BOARD)).toEqual({ ...memo, owedAt: PASS + 3600 });
  });

  it('is read again at once when it was torn once', async () => {
    const content = time(entriesOf(250));
    stage.pages = (request) =>
      pagesOf(request < 2 ? time(entriesOf(250).map((entry) => ({ ...entry, name: 'x' }))) : content);
    await stage.work()(job());
    expect(stage.said).toEqual([{ ...job(), seenAt: PASS + 60, board: content }]);
    expect(stage.told).toEqual(['torn', 'changed']);
  });

  it('leaves what it could not have owed, and settles the debt when it can', async () => {
    stage.shows(time(entriesOf(3)));
    await stage.work()(job());
    stage.pages = () => undefined;
    await stage.work()(job(PASS + 3600));
    await stage.work()(job(PASS + 3600));
    expect(await stage.store.boards.owed(PASS + 3600)).toHaveLength(1);
    expect(stage.writes['boards.owe']).toBe(1);
    stage.shows(time(entriesOf(3)));
    await stage.work()(job(PASS + 3600));
    expect(await stage.store.boards.owed(PASS + 3600)).toEqual([]);
    expect(stage.said).toHaveLength(1);
  });

  it('does nothing when its pass is over, and comes again when the service stops', async () => {
    stage.shows(time(entriesOf(3)));
    stage.nowMs = (PASS + 3600) * 1000;
    await stage.work()(job());
    expect(stage.requests).toBe(0);
    stage.nowMs = (PASS + 60) * 1000;
    stage.pages = () => undefined;
    const stopping = new AbortController();
    stopping.abort();
    await expect(stage.work('ada', stopping.signal)(job())).rejects.toMatchObject({ kind: 'unavailable' });
    expect(stage.told).toEqual([]);
  });
});
