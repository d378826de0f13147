import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { boardObserved, boardStored, changeRecorded, formatInstant } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import { openBus } from '@lobbystats/service-kit/bus';
import { createMetrics } from '@lobbystats/service-kit';
import { openSqliteCatalogStore } from '../src/open-store.ts';
import { observeBoards, seenAt, times, TITLE } from './board-passes.ts';
import { catalogFixture, NOW, waitUntil } from './running-catalog.ts';

const directory = mkdtempSync(join(tmpdir(), 'catalog-boards-'));
afterAll(() => {
  rmSync(directory, { recursive: true });
});

const { run, closes } = catalogFixture();
const before = times([['A', 49_900]]);
const after = times([
  ['A', 49_300],
  ['B', 50_000],
]);

describe('board facts', () => {
  it('publishes the state of a board and its changes with the game name', async () => {
    const catalog = await run();
    await catalog.observeHome({ [TITLE]: { name: 'Harbor Racing' } });
    await observeBoards(catalog, { entries: before }, { hour: 1, entries: after }, { hour: 2, entries: null });
    await waitUntil(
      () => catalog.published(boardStored).length === 3 && catalog.published(changeRecorded).length === 1,
    );
    expect(catalog.published(boardStored).map(({ data }) => data.boards)).toMatchObject([
      [{ titleId: TITLE, leaderboardId: 1, name: 'Old Pier', version: 1, entries: 1, gone: false }],
      [{ version: 2, entries: 2, gone: false }],
      [{ name: 'Old Pier', version: 3, entries: 0, gone: true }],
    ]);
    const [recorded] = catalog.published(changeRecorded);
    expect(recorded).toMatchObject({ occurredAt: formatInstant(seenAt(1)), past: false });
    expect(recorded?.data.records).toEqual([1]);
    expect(recorded?.data.changes).toMatchObject([
      { id: 1, type: 'updated', gameName: 'Harbor Racing', playerName: 'A', oldTimeMs: 49_900, newTimeMs: 49_300 },
      { id: 2, type: 'new', leaderboardName: 'Old Pier', playerName: 'B', oldRank: null, newRank: 2 },
    ]);
  });

  it('marks facts of a backfilled observation as past', async () => {
    const catalog = await run();
    const data = { titleId: TITLE, leaderboardId: 1, name: 'Old Pier', seenAt: formatInstant(NOW) };
    const board = { isTime: true, entries: before };
    await catalog.bus.publish(boardObserved, { ...data, pass: formatInstant(NOW), board }, { past: true });
    await waitUntil(() => catalog.published(boardStored).length === 1);
    expect(catalog.published(boardStored)[0]?.past).toBe(true);
  });

  it('publishes pending facts with the same IDs after a crash', async () => {
    const url = `sqlite:${join(directory, 'killed.sqlite')}`;
    const deaf = await openBus({ url: 'memory:', origin: 'simulated' });
    closes(() => deaf.close());
    const publish = deaf.publish.bind(deaf);
    deaf.publish = async (type, ...rest) => {
      if (type.exchange === 'facts') throw new AppError('unavailable', 'The broker is away');
      await publish(type, ...rest);
    };
    const killed = await run({ bus: deaf, env: { DATABASE_URL: url } });
    await observeBoards(killed, { entries: before }, { hour: 1, entries: after });
    await killed.stop();
    const store = openSqliteCatalogStore(url, 'simulated');
    const waiting = await store.outbox.pending(10);
    await store.close();

    const restarted = await run({ env: { DATABASE_URL: url } });
    await waitUntil(() => restarted.published(changeRecorded).length === 1);
    const publishedIds = [...restarted.published(boardStored), ...restarted.published(changeRecorded)].map(
      ({ id }) => id,
    );
    expect(publishedIds).toEqual(waiting.map(({ id }) => id));
    expect(publishedIds).toHaveLength(3);
  });
});

describe('observation of a board', () => {
  it('applies an observation after the store becomes writable again', async () => {
    const store = openSqliteCatalogStore('sqlite::memory:', 'simulated');
    closes(() => store.close());
    let failures = 2;
    const catalog = await run({
      store: {
        ...store,
        boards: {
          ...store.boards,
          commit: async (change) => {
            failures -= 1;
            if (failures >= 0) throw new AppError('unavailable', 'The store is not available');
            return store.boards.commit(change);
          },
        },
      },
    });
    await observeBoards(catalog, { entries: before });
    await waitUntil(() => catalog.published(boardStored).length === 1);
    expect(failures).toBeLessThan(0);
    expect(await store.boards.entries({ titleId: TITLE, leaderboardId: 1 })).toEqual(before);
  });

  it('counts stored boards and changes in metrics', async () => {
    const metrics = createMetrics('catalog-api');
    const catalog = await run({ metrics });
    await observeBoards(catalog, { entries: before }, { hour: 1, entries: after }, { hour: 1, entries: before });
    const text = await metrics.registry.metrics();
    expect(text).toMatch(/^lobbystats_board_updates_total(\{.*\})? 2$/m);
    expect(text).toMatch(/^lobbystats_board_changes_total(\{.*\})? 2$/m);
  });
});
