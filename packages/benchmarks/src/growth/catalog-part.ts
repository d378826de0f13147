import { createMutex } from '@lobbystats/concurrency';
import { catalogApi } from '@lobbystats/catalog-api';
import { BoardCatalog } from '@lobbystats/catalog-api/board-catalog';
import { BOARD_PASS_SECONDS, operations } from '@lobbystats/contracts';
import { openBus } from '@lobbystats/message-bus';
import { silentLogger } from '@lobbystats/service-kit';
import type { BoardKey, World } from '@lobbystats/simulator';
import { createBoardWorld, currentPass, observedBoard, storeTitles } from '../board-world.ts';
import { catalogFixtures, ORIGIN, type CatalogFixture } from '../catalog-fixtures.ts';
import { emptyOutbox } from '../empty-outbox.ts';
import { noSamples, seedBoards } from '../seed-boards.ts';
import { pathsOf, searchesOfGames, suggestionPaths } from './catalog-paths.ts';
import { cpuWithServer } from './cost.ts';
import type { Part, PartContext } from './part.ts';
import { readCosts } from './read-costs.ts';
import { networkOf } from './scale.ts';
import { testServers } from '@lobbystats/test-kit';
import { containerAt } from './container-figures.ts';

/** The batch sizes of catalog-api. */
const CHANGED_BATCH = 32;
const CONFIRMED_BATCH = 100;

/** catalog-api: passes over all leaderboards, searches and leaderboard pages. */
export const catalogPart: Part = {
  forms: ['standalone', 'distributed'],
  run: async (context) => {
    const { scale, stack, measure, say } = context;
    const fixture = await openFixture(context);
    const figures =
      context.form === 'distributed'
        ? await containerAt(testServers().mongodb.url.replace('mongodb:', 'http:'))
        : undefined;
    const both = async (what: string, per: { what: string; count: number }, work: () => Promise<unknown>) => {
      const { ownMs, serverMs } = await cpuWithServer(work, figures?.cpuMs);
      measure(what, { unit: 'CPU ms', amount: ownMs, per });
      if (figures) measure(`${what}: server`, { unit: 'CPU ms', amount: serverMs, per });
    };

    const world = createBoardWorld(networkOf(scale));
    const pass = currentPass() - BOARD_PASS_SECONDS;
    const titles = await storeTitles(fixture.store, world, pass);
    let samples = noSamples;
    const entries = { what: 'entries', count: scale.entries };
    // Each entry is inserted into indexes of all entries.
    const inserts = { what: 'entries * log2(entries)', count: scale.entries * Math.log2(scale.entries) };
    await both('storing all leaderboards', inserts, async () => {
      samples = await seedBoards(fixture.store.boards, world, pass);
    });
    say(`${samples.entries} entries are stored`);
    const runExclusive = createMutex();
    const { boards: store, players } = fixture.store;
    const catalog = new BoardCatalog({ store, players, runExclusive, titles, clock: Date.now, origin: ORIGIN });
    const keys = world.boardKeysAt(pass);
    await both('a pass without a change', { what: 'leaderboards', count: keys.length }, () =>
      confirmAll(catalog, keys, pass),
    );
    const changed = world.boardChanges(pass + BOARD_PASS_SECONDS);
    await both('a pass with 1 % changed', { what: 'changed', count: changed.length }, () =>
      observeAll(catalog, fixture, { world, keys: changed, pass: pass + BOARD_PASS_SECONDS }),
    );
    measure('disk of the catalog', { unit: 'MB', amount: await fixture.megabytes(), per: entries });
    if (figures) measure('memory of MongoDB', { unit: 'MB', amount: await figures.memoryMb() });

    const bus = await openBus({ url: 'memory:', origin: ORIGIN });
    stack.defer(() => bus.close());
    const config = catalogApi.readConfig({ PORT: '0', METRICS_PORT: '0' });
    const api = await catalogApi.create(config, { store: fixture.store, bus, logger: silentLogger() });
    stack.defer(() => api.stop());
    await api.start();
    const port = Number(new URL(api.url()).port);
    const costs = readCosts(stack, { port, measure, ...(figures && { serverCpuMs: figures.cpuMs }) });
    for (const [what, paths] of Object.entries(pathsOf(world, pass, samples))) await costs.read(what, paths);
    const titleCount = { what: 'titles', count: scale.titles };
    await costs.read('the list of all titles', [operations.listTitles.path], titleCount);
    // Every name is compared, in memory.
    await costs.read('a search of games', searchesOfGames, titleCount);
    // An index visits each number of entries that a leaderboard or player has, and the games that match.
    const sizes = { what: 'different sizes', count: samples.sizes };
    for (const [what, paths] of Object.entries(suggestionPaths(samples))) await costs.read(what, paths, sizes);
  },
};

async function openFixture({ form, stack }: PartContext): Promise<CatalogFixture> {
  const open = catalogFixtures(() => undefined)[form === 'standalone' ? 0 : 1];
  if (open === undefined) throw new Error('no MongoDB is configured');
  const fixture = await open();
  stack.defer(() => fixture.remove());
  return fixture;
}

async function confirmAll(catalog: BoardCatalog, keys: readonly BoardKey[], pass: number): Promise<void> {
  const seenAt = pass + BOARD_PASS_SECONDS / 2;
  for (let first = 0; first < keys.length; first += CONFIRMED_BATCH) {
    const some = keys.slice(first, first + CONFIRMED_BATCH);
    await catalog.confirm(some.map(({ titleId, id }) => ({ titleId, leaderboardId: id, pass, seenAt })));
  }
}

async function observeAll(
  catalog: BoardCatalog,
  { store }: CatalogFixture,
  { world, keys, pass }: { world: World; keys: readonly BoardKey[]; pass: number },
): Promise<void> {
  for (let first = 0; first < keys.length; first += CHANGED_BATCH) {
    await catalog.observe(
      keys.slice(first, first + CHANGED_BATCH).map((key) => observedBoard(world, pass, key)),
      false,
    );
    await emptyOutbox(store);
  }
}
