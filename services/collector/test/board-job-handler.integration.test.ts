import { AppError } from '@lobbystats/contracts/errors';
import type { BoardContent } from '../src/leaderboards/board.ts';
import { entriesOf, pagesOf, timed } from './board-builder.ts';
import { BOARD, job, PASS, setBoardStage, type BoardStage } from './board-job-stage.ts';

let stage: BoardStage;
beforeEach(async () => {
  stage = await setBoardStage();
});
afterEach(() => stage.store.close());

const time = (entries: BoardContent['entries']): BoardContent => ({ isTime: true, entries });

describe('board job handler', () => {
  it('publishes a board when it is first read and again when it changes', async () => {
    const one = time(entriesOf(120));
    const two = time([timed(1, 'New', 1), ...entriesOf(119, 2)]);
    stage.setContent(one);
    await stage.handler()(job());
    stage.nowMs += 3_600_000;
    stage.setContent(two);
    await stage.handler()(job(PASS + 3600));
    expect(stage.published).toEqual([
      { ...job(), seenAt: PASS + 60, board: one },
      { ...job(PASS + 3600), seenAt: PASS + 3660, board: two },
    ]);
    expect(stage.outcomes).toEqual(['changed', 'changed']);
  });

  it('confirms the last publication of an unchanged board in each pass', async () => {
    stage.setContent(time(entriesOf(120)));
    await stage.handler()(job());
    expect(stage.confirmed).toEqual([]);
    for (const hour of [1, 2]) {
      stage.nowMs += 3_600_000;
      // The second time with other validators: the board is read whole.
      if (hour === 2) stage.pages = () => pagesOf(time(entriesOf(120))).map((html) => `${html} `);
      await stage.handler()(job(PASS + hour * 3600));
    }
    expect(stage.confirmed).toEqual([
      { ...BOARD, pass: PASS, seenAt: PASS + 3660 },
      { ...BOARD, pass: PASS, seenAt: PASS + 7260 },
    ]);
  });

  it('rejects the job when the confirmation cannot be published, so that it is redelivered', async () => {
    stage.setContent(time(entriesOf(3)));
    await stage.handler()(job());
    stage.publish = () => Promise.reject(new AppError('unavailable', 'The bus is away'));
    await expect(stage.handler()(job(PASS + 3600))).rejects.toMatchObject({ code: 'unavailable' });
    stage.publish = () => Promise.resolve();
    await stage.handler()(job(PASS + 3600));
    expect(stage.confirmed).toHaveLength(2);
    expect(stage.outcomes).toEqual(['changed', 'unchanged']);
  });

  it('does not confirm a board that is unavailable or gone', async () => {
    stage.setContent(time(entriesOf(3)));
    await stage.handler()(job());
    stage.pages = () => undefined;
    await stage.handler()(job(PASS + 3600));
    stage.pages = () => [];
    for (const hour of [1, 2]) await stage.handler()(job(PASS + hour * 3600));
    expect(stage.published.map(({ board }) => board === null)).toEqual([false, true]);
    expect(stage.confirmed).toEqual([]);
  });

  it('publishes and writes nothing when a board is unchanged', async () => {
    stage.setContent(time(entriesOf(120)));
    await stage.handler()(job());
    const before = stage.writeCount();
    stage.requests = 0;
    await stage.handler()(job(PASS + 3600));
    expect([stage.published.length, stage.writeCount() - before, stage.requests]).toEqual([1, 0, 2]);
    expect(stage.outcomes).toEqual(['changed', 'unchanged']);
  });

  it('reads a board whole once and writes nothing when only its validators changed', async () => {
    stage.setContent(time(entriesOf(120)));
    const [work, other] = [stage.handler(), stage.handler()];
    await work(job());
    const before = stage.writeCount();
    stage.pages = () => pagesOf(time(entriesOf(120))).map((html) => `${html} `);
    const requests: number[] = [];
    for (const [index, replica] of [work, work, other, other].entries()) {
      stage.requests = 0;
      await replica(job(PASS + (index + 1) * 3600));
      requests.push(stage.requests);
    }
    expect([stage.published.length, stage.writeCount() - before]).toEqual([1, 0]);
    // Two pages and the first one again; from then on one conditional request per page.
    expect(requests).toEqual([3, 2, 3, 2]);
  });

  it('publishes a renamed board after a pass in which only its validators changed', async () => {
    stage.setContent(time(entriesOf(20)));
    const work = stage.handler();
    await work(job());
    stage.pages = () => pagesOf(time(entriesOf(20))).map((html) => `${html} `);
    await work(job(PASS + 3600));
    await stage.store.boards.updateListing(BOARD.titleId, [{ id: 7, name: 'Pier' }]);
    stage.nowMs += 7_200_000;
    await work(job(PASS + 7200));
    expect(stage.published.map(({ name }) => name)).toEqual(['Old Pier', 'Pier']);
  });

  it('reads a board once in a pass when the job is delivered several times', async () => {
    stage.setContent(time(entriesOf(3)));
    await stage.handler()(job());
    stage.setContent(time(entriesOf(4)));
    await stage.handler()(job());
    await stage.handler()(job(PASS - 3600));
    expect(stage.published).toHaveLength(1);
    expect(stage.requests).toBe(1);
  });

  it('publishes a renamed board again', async () => {
    stage.setContent(time(entriesOf(3)));
    await stage.handler()(job());
    await stage.store.boards.updateListing(BOARD.titleId, [{ id: 7, name: 'Pier' }]);
    await stage.handler()(job(PASS + 3600));
    expect(stage.published.map(({ name }) => name)).toEqual(['Old Pier', 'Pier']);
  });

  it('leaves the state unchanged and marks a retry when every attempt is torn', async () => {
    stage.setContent(time(entriesOf(250)));
    await stage.handler()(job());
    const memo = await stage.store.boards.get(BOARD);
    let state = 0;
    stage.pages = () => {
      state += 1;
      return pagesOf(time(entriesOf(250).map((entry) => ({ ...entry, name: `${state}` }))));
    };
    await stage.handler()(job(PASS + 3600));
    expect(stage.published).toHaveLength(1);
    expect(stage.outcomes).toEqual(['changed', 'inconsistent', 'inconsistent', 'failed: inconsistent']);
    expect(await stage.store.boards.get(BOARD)).toEqual({ ...memo, retryPendingSince: PASS + 3600 });
  });

  it('retries a torn reading at once', async () => {
    const content = time(entriesOf(250));
    stage.pages = (request) =>
      pagesOf(request < 2 ? time(entriesOf(250).map((entry) => ({ ...entry, name: 'x' }))) : content);
    await stage.handler()(job());
    expect(stage.published).toEqual([{ ...job(), seenAt: PASS + 60, board: content }]);
    expect(stage.outcomes).toEqual(['inconsistent', 'changed']);
  });

  it('marks an unavailable board for a retry once, and clears the mark when it is read', async () => {
    stage.setContent(time(entriesOf(3)));
    await stage.handler()(job());
    stage.pages = () => undefined;
    await stage.handler()(job(PASS + 3600));
    await stage.handler()(job(PASS + 3600));
    expect(await stage.store.boards.pendingRetries(PASS + 3600)).toHaveLength(1);
    expect(stage.writes['boards.setPendingRetry']).toBe(1);
    stage.setContent(time(entriesOf(3)));
    await stage.handler()(job(PASS + 3600));
    expect(await stage.store.boards.pendingRetries(PASS + 3600)).toEqual([]);
    expect(stage.published).toHaveLength(1);
  });

  it('skips a job whose pass is over, and rejects a failed job while the service stops', async () => {
    stage.setContent(time(entriesOf(3)));
    stage.nowMs = (PASS + 3600) * 1000;
    await stage.handler()(job());
    expect(stage.requests).toBe(0);
    stage.nowMs = (PASS + 60) * 1000;
    stage.pages = () => undefined;
    const stopping = new AbortController();
    stopping.abort();
    await expect(stage.handler(stopping.signal)(job())).rejects.toMatchObject({ kind: 'unavailable' });
    expect(stage.outcomes).toEqual([]);
  });
});
