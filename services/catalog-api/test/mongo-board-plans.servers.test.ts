import { changeTypes } from '@lobbystats/contracts';
import { mongoOperations, type MongoOperations } from '@lobbystats/test-kit/mongo-operations';
import type { TestDatabase } from '@lobbystats/test-kit/test-database';
import { openMongoCatalogStore, type CatalogStore } from '../src/open-store.ts';
import { boardReads } from './board-reads.ts';
import { prepareCatalogDatabase } from './prepare-catalog-database.ts';
import { BOARD, change, commitNext, times, write } from './stored-boards.ts';

const DATABASE = 'test_board_plans';

let database: TestDatabase;
let catalog: CatalogStore;
let operations: MongoOperations;
beforeAll(async () => {
  database = await prepareCatalogDatabase(DATABASE);
  await database.clear();
  operations = mongoOperations(DATABASE);
  catalog = await openMongoCatalogStore(database.url, 'simulated');
  await seed(catalog);
});
afterAll(async () => {
  await operations.close();
  await catalog.close();
  await database.clear();
});

describe('query plans of board reads in MongoDB', () => {
  it.each(Object.entries(boardReads))('uses an index without sorting: %s', async (_name, read) => {
    const queries = await operations.during(() => read(catalog.boards));
    expect(queries.length).toBeGreaterThan(0);
    for (const { planSummary, hasSortStage = false } of queries) {
      expect(planSummary).toMatch(/^(IXSCAN|IDHACK|COUNT_SCAN|DISTINCT_SCAN)/);
      expect(hasSortStage).toBe(false);
    }
  });

  it.each(['nearTime', 'nearTime in a title', 'ofPlayers', 'ofPlayers in a title', 'namesWithWord'])(
    'examines fewer than 100 documents: %s',
    async (name) => {
      const queries = await operations.during(async () => boardReads[name]?.(catalog.boards));
      const examined = queries.reduce((sum, { docsExamined }) => sum + Number(docsExamined), 0);
      expect(examined).toBeLessThan(100);
    },
  );
});

/** 5,000 entries of few players, and 600 changes. */
async function seed({ boards }: CatalogStore): Promise<void> {
  const keys = Array.from({ length: 100 }, (_, index) => ({
    titleId: `4d5300${60 + Math.floor(index / 10)}`,
    leaderboardId: index % 10,
  }));
  const entries = times(...Array.from({ length: 50 }, (_, i) => [`P${i % 25}`, i * 200] as const));
  const changes = Array.from({ length: 600 }, (_, index) =>
    change(index + 1, { ...keys[index % 100], type: changeTypes[index % 3] ?? 'new' }),
  );
  await commitNext(boards, { boards: keys.map((key) => write({ ...key, entries })), changes });
  expect(await boards.entries(BOARD)).toHaveLength(50);
}
