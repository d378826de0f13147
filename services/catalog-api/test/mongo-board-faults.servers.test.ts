import { eventually } from '@lobbystats/test-kit';
import { killAmidWrites } from '../../../test/stack/kill-amid-writes.ts';
import { ownMongod, type OwnMongod } from '../../../test/stack/own-mongod.ts';
import { openMongoCatalogStore } from '../src/adapters/mongo/mongo-catalog-store.ts';
import type { CatalogStore } from '../src/domain/catalog-store.ts';
import { BOARD, change, HOUR, times, write } from './stored-boards.ts';
import { mongoTitles } from './mongo-titles.ts';
import { fact } from './title-store.contract.ts';

let server: OwnMongod;
let catalog: CatalogStore;
beforeAll(async () => {
  server = await ownMongod();
  const { url } = await mongoTitles('boards', server.url);
  catalog = await openMongoCatalogStore(url, 'simulated');
}, 60_000);
afterAll(async () => {
  await catalog.close();
  await server.remove();
});

/** The board as the commit of this revision makes it: all rows move, one comes and one goes. */
const contentOf = (revision: number) =>
  times(...Array.from({ length: 300 }, (_, i) => [`P${(i + revision) % 301}`, 1000 * revision + i] as const));

/** Commits what follows from the log as it stands; 0 when another was faster. */
async function commitNext({ boards }: CatalogStore): Promise<number> {
  const { revision: expectedRevision } = await boards.changeLog();
  const revision = expectedRevision + 1;
  const before = expectedRevision === 0 ? [] : contentOf(expectedRevision);
  const done = await boards.commit({
    expectedRevision,
    log: { revision, lastId: revision, lastChangedAt: HOUR + revision },
    boards: [write({ before, entries: contentOf(revision), version: revision, changedAt: HOUR + revision })],
    changes: [change(revision)],
    facts: [fact(`${revision}`)],
  });
  return done ? revision : 0;
}

describe('boards whose MongoDB is killed in mid-commit', () => {
  it('have every commit that was acknowledged, and none by halves', async () => {
    const acknowledged: number[] = [];
    const write = () =>
      commitNext(catalog).then(
        (revision) => {
          if (revision > 0) acknowledged.push(revision);
        },
        (error: unknown) => expect(error).toMatchObject({ code: 'unavailable' }),
      );
    // Two of them, as two replicas: one is always in the way of the other.
    await killAmidWrites(server, { writers: [write, write], acknowledged: () => acknowledged.length, between: 10 });
    await eventually(() => catalog.check(), { timeoutMs: 20_000 });

    const { boards, outbox } = catalog;
    const { revision, lastId } = await boards.changeLog();
    expect(revision).toBeGreaterThanOrEqual(Math.max(...acknowledged));
    expect(lastId).toBe(revision);
    const entries = contentOf(revision);
    expect(await boards.state(BOARD)).toMatchObject({ version: revision, entryCount: entries.length });
    expect(await boards.entries(BOARD)).toEqual(entries);
    expect(await boards.versionAt(BOARD, '9999-12-31')).toMatchObject({ entries });
    const found = await boards.nearTime({ timeMs: 1000 * revision, tolerance: 1_000_000_000, limit: 1000 });
    expect(found.map(({ playerName, rank }) => `${rank} ${playerName}`)).toEqual(
      entries.map(({ name, rank }) => `${rank} ${name}`),
    );
    expect(await boards.countChanges({})).toBe(revision);
    const changes = await boards.changes({}, { offset: 0, limit: 10_000 });
    expect(changes.map(({ id }) => id)).toEqual(Array.from({ length: revision }, (_, index) => revision - index));
    expect(await outbox.backlog()).toBe(revision);
  }, 120_000);
});
