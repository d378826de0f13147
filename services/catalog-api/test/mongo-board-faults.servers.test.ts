import { eventually } from '@lobbystats/test-kit';
import { killDuringWrites } from '@lobbystats/test-kit/kill-during-writes';
import { startMongod, type TestMongod } from '@lobbystats/test-kit/test-mongod';
import { openMongoCatalogStore, type CatalogStore } from '../src/open-store.ts';
import { BOARD, change, HOUR, times, write } from './stored-boards.ts';
import { prepareCatalogDatabase } from './prepare-catalog-database.ts';
import { fact } from './title-store.contract.ts';

let server: TestMongod;
let catalog: CatalogStore;
beforeAll(async () => {
  server = await startMongod();
  const { url } = await prepareCatalogDatabase('boards', server.url);
  catalog = await openMongoCatalogStore(url, 'simulated');
});
afterAll(async () => {
  await catalog.close();
  await server.remove();
});

/** The entries of a version: all rows move, one is added and one removed. */
const contentOf = (version: number) =>
  times(...Array.from({ length: 300 }, (_, i) => [`P${(i + version) % 301}`, 1000 * version + i] as const));

/** Commits the next version; 0 when another commit was faster. */
async function commitNext({ boards }: CatalogStore): Promise<number> {
  const { revision: expectedRevision, lastId } = await boards.changeLog();
  const version = lastId + 1;
  const done = await boards.commit({
    expectedRevision,
    log: { revision: expectedRevision + 1, lastId: version, lastChangedAt: HOUR + version },
    boards: [write({ entries: contentOf(version), version, changedAt: HOUR + version })],
    changes: [change(version)],
    facts: [fact(`${version}`)],
  });
  return done ? version : 0;
}

describe('board commits while MongoDB is killed', () => {
  it('keeps every acknowledged commit and no partial one', async () => {
    const acknowledged: number[] = [];
    const write = () =>
      commitNext(catalog).then(
        (version) => {
          if (version > 0) acknowledged.push(version);
        },
        (error: unknown) => expect(error).toMatchObject({ code: 'unavailable' }),
      );
    // Two writers conflict with each other, like two replicas.
    await killDuringWrites(server, {
      writers: [write, write],
      acknowledged: () => acknowledged.length,
      minBetweenKills: 10,
    });
    await eventually(() => catalog.check());

    const { boards, outbox } = catalog;
    const { lastId: version } = await boards.changeLog();
    expect(version).toBeGreaterThanOrEqual(Math.max(...acknowledged));
    expect(await outbox.pending(10_000)).toHaveLength(version);
    const entries = contentOf(version);
    expect(await boards.state(BOARD)).toMatchObject({ version, entryCount: entries.length });
    expect(await boards.entries(BOARD)).toEqual(entries);
    expect(await boards.versionAt(BOARD, '9999-12-31')).toMatchObject({ entries });
    const found = await boards.nearTime({ timeMs: 1000 * version, tolerance: 1_000_000_000, limit: 1000 });
    expect(found.map(({ playerName, rank }) => `${rank} ${playerName}`)).toEqual(
      entries.map(({ name, rank }) => `${rank} ${name}`),
    );
    expect(await boards.countChanges({})).toBe(version);
    const changes = await boards.changes({}, { offset: 0, limit: 10_000 });
    expect(changes.map(({ id }) => id)).toEqual(Array.from({ length: version }, (_, index) => version - index));
  });
});
