import { BOARD_ENTRIES_MAX, formatInstant } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import type { BoardContent } from '../src/network/board.ts';
import { entriesOf, pagesOf } from './board-builder.ts';
import { BOARD, job, PASS, setBoardStage, type BoardStage } from './board-job-stage.ts';

let stage: BoardStage;
beforeEach(async () => {
  stage = await setBoardStage();
});
afterEach(() => stage.store.close());

const time = (entries: BoardContent['entries']): BoardContent => ({ isTime: true, entries });

describe('publishing a board', () => {
  it('publishes the same message again after a crash between publishing and storing', async () => {
    stage.setContent(time(entriesOf(3)));
    stage.publish = () => Promise.reject(new AppError('unavailable', 'Killed'));
    await expect(stage.handler()(job())).rejects.toMatchObject({ code: 'unavailable' });
    stage.publish = () => Promise.resolve();
    stage.nowMs += 15_000;
    await stage.handler()(job());
    await stage.handler()(job(PASS + 3600));
    expect(stage.published.map(({ pass, board }) => ({ pass, board }))).toEqual(
      Array<unknown>(2).fill({ pass: PASS, board: time(entriesOf(3)) }),
    );
  });

  it('publishes a board again in the next pass when it changed between a crash and the retry', async () => {
    stage.setContent(time(entriesOf(3)));
    stage.publish = () => Promise.reject(new AppError('unavailable', 'Killed'));
    await expect(stage.handler()(job())).rejects.toMatchObject({ code: 'unavailable' });
    stage.publish = () => Promise.resolve();
    stage.nowMs += 15_000;
    stage.setContent(time(entriesOf(4)));
    await stage.handler()(job());
    // It is unknown which of the two messages consumers have kept.
    await stage.handler()(job(PASS + 3600));
    await stage.handler()(job(PASS + 7200));
    expect(stage.published.map(({ pass, board }) => [pass, board?.entries.length])).toEqual([
      [PASS, 3],
      [PASS, 4],
      [PASS + 3600, 4],
    ]);
  });

  it('publishes a board as gone once when its page returns 404, not when it is unlisted', async () => {
    stage.setContent(time(entriesOf(3)));
    await stage.handler()(job());
    stage.pages = () => [];
    for (const pass of [1, 2, 3]) await stage.handler()(job(PASS + pass * 3600));
    expect(stage.published.slice(1)).toMatchObject([{ pass: PASS + 3600, name: '', board: null }]);

    await stage.store.boards.updateListing(BOARD.titleId, [{ id: 7, name: 'Old Pier' }]);
    stage.setContent(time(entriesOf(3)));
    await stage.handler()(job(PASS + 4 * 3600));
    await stage.store.boards.updateListing(BOARD.titleId, []);
    await stage.handler()(job(PASS + 5 * 3600));
    stage.setContent(time(entriesOf(4)));
    await stage.handler()(job(PASS + 6 * 3600));
    stage.pages = () => [];
    for (const pass of [7, 8]) await stage.handler()(job(PASS + pass * 3600));
    expect(stage.published.slice(2).map(({ pass, board }) => [formatInstant(pass), board?.entries.length])).toEqual([
      [formatInstant(PASS + 4 * 3600), 3],
      [formatInstant(PASS + 6 * 3600), 4],
      [formatInstant(PASS + 7 * 3600), undefined],
    ]);
    expect(stage.outcomes).toEqual(['changed', 'gone', 'changed', 'unchanged', 'changed', 'gone']);
  });

  it('publishes an earlier state again after an unconfirmed publication of another state', async () => {
    const [one, two] = [time(entriesOf(3)), time(entriesOf(4))];
    stage.setContent(one);
    await stage.handler()(job());
    stage.setContent(two);
    stage.publish = () => Promise.reject(new AppError('unavailable', 'Not confirmed'));
    await expect(stage.handler()(job(PASS + 3600))).rejects.toMatchObject({ code: 'unavailable' });
    stage.publish = () => Promise.resolve();
    stage.setContent(one);
    stage.nowMs += 3_600_000;
    await stage.handler()(job(PASS + 7200));
    await stage.handler()(job(PASS + 10_800));
    expect(stage.published.map(({ board }) => board)).toEqual([one, two, one]);
    expect(stage.outcomes).toEqual(['changed', 'changed', 'unchanged']);
  });

  it('publishes nothing for a board that was never read', async () => {
    stage.pages = () => [];
    await stage.handler()(job());
    await stage.handler()({ ...job(), leaderboardId: 99 });
    expect([stage.published, stage.outcomes, stage.writeCount()]).toEqual([[], [], 0]);
    await stage.store.boards.setPendingRetry(BOARD, PASS);
    await stage.handler()(job());
    expect(await stage.store.boards.pendingRetries(PASS)).toEqual([]);
  });

  it('does not retry a board in its pass when it is invalid for a message or oversized', async () => {
    stage.pages = () => undefined;
    await stage.handler()(job());
    stage.setContent(time(entriesOf(3)));
    stage.publish = () => Promise.reject(new AppError('invalid', 'Too large'));
    await stage.handler()(job());
    expect(await stage.store.boards.pendingRetries(PASS)).toEqual([]);
    stage.pages = () => undefined;
    await stage.handler()(job());
    expect(await stage.store.boards.pendingRetries(PASS)).toHaveLength(1);
    const [page = ''] = pagesOf(time(entriesOf(1001)), 1000);
    stage.pages = () => Array<string>(BOARD_ENTRIES_MAX / 1000 + 1).fill(page);
    await stage.handler()(job());
    expect(await stage.store.boards.pendingRetries(PASS)).toEqual([]);
    expect(stage.outcomes).toEqual([
      'failed: unavailable',
      'failed: unpublishable',
      'failed: unavailable',
      'failed: oversized',
    ]);
  });
});
