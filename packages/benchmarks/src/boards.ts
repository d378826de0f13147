import { createMutex } from '@lobbystats/concurrency';
import { BOARD_PASS_SECONDS, DAY_SECONDS, type EpochSeconds } from '@lobbystats/contracts';
import type { BoardKey, World } from '@lobbystats/simulator';
import { BoardCatalog } from '@lobbystats/catalog-api/board-catalog';
import { measureMs, type Benchmark, type Finding } from './benchmark.ts';
import { BOARDS, createBoardWorld, observedBoard, currentPass, storeTitles } from './board-world.ts';
import { emptyOutbox } from './empty-outbox.ts';
import { catalogFixtures, ORIGIN, type CatalogFixture } from './catalog-fixtures.ts';

const DAYS = 7;
const LIMIT_SECONDS = 60;
/** The batch size of catalog-api. */
const BATCH = 32;

/** The boards of a first start: all once, then the changes of each hour. */
export const boards: Benchmark = {
  name: 'boards',
  description: `catalog-api stores ${BOARDS} boards with 500,000 entries and their past ${DAYS} days, on SQLite and MongoDB`,
  promise: 'a first start stores 3,000 leaderboards and their past within a minute',
  run: async (say) => {
    const findings: Finding[] = [];
    for (const open of catalogFixtures(say)) {
      const fixture = await open();
      try {
        findings.push(await measure(fixture, say));
      } finally {
        await fixture.remove();
      }
    }
    return findings;
  },
};

async function measure(fixture: CatalogFixture, say: (line: string) => void): Promise<Finding> {
  const world = createBoardWorld();
  const now = currentPass();
  const first = now - DAYS * DAY_SECONDS;
  const titles = await storeTitles(fixture.store, world, first);
  const catalog = new BoardCatalog({
    store: fixture.store.boards,
    players: fixture.store.players,
    runExclusive: createMutex(),
    titles,
    clock: Date.now,
    origin: ORIGIN,
  });
  const began = process.cpuUsage();
  const baseline = await ingestPass(fixture, catalog, { world, pass: first, keys: world.boardKeysAt(first) });
  say(`${fixture.name}: the baseline of ${baseline.entries} entries took ${(baseline.ms / 1000).toFixed(1)} s`);
  const past: IngestStats = { ms: 0, boards: 0, entries: 0, changes: 0 };
  for (let pass = first + BOARD_PASS_SECONDS; pass <= now; pass += BOARD_PASS_SECONDS) {
    const taken = await ingestPass(fixture, catalog, { world, pass, keys: world.boardChanges(pass) });
    past.ms += taken.ms;
    past.boards += taken.boards;
    past.entries += taken.entries;
    past.changes += taken.changes;
  }
  const { user, system } = process.cpuUsage(began);
  say(`${fixture.name}: ${past.boards} boards with ${past.changes} changes took ${(past.ms / 1000).toFixed(1)} s more`);
  say(`${fixture.name}: ${((user + system) / 1e6).toFixed(1)} s of CPU, including the simulator`);
  const seconds = (baseline.ms + past.ms) / 1000;
  const entries = baseline.entries + past.entries;
  const megabytes = (await fixture.megabytes()).toFixed(0);
  return {
    what: `${fixture.name}: the baseline and ${DAYS} days, ${entries} entries in ${baseline.boards + past.boards} observations`,
    measured: `${seconds.toFixed(1)} s (${Math.round(entries / seconds)} entries/s, ${megabytes} MB)`,
    reference: `${LIMIT_SECONDS} s`,
    ratio: seconds / LIMIT_SECONDS,
    bound: 1,
  };
}

interface IngestStats {
  ms: number;
  boards: number;
  entries: number;
  changes: number;
}

/** Stores a pass in batches and empties the outbox. The time of the simulator is excluded. */
async function ingestPass(
  { store }: CatalogFixture,
  catalog: BoardCatalog,
  { world, pass, keys }: { world: World; pass: EpochSeconds; keys: readonly BoardKey[] },
): Promise<IngestStats> {
  const taken = { ms: 0, boards: keys.length, entries: 0, changes: 0 };
  for (let first = 0; first < keys.length; first += BATCH) {
    const observations = keys.slice(first, first + BATCH).map((key) => observedBoard(world, pass, key));
    taken.entries += observations.reduce((sum, { board }) => sum + (board?.entries.length ?? 0), 0);
    taken.ms += await measureMs(async () => {
      taken.changes += (await catalog.observe(observations, true)).changes;
      await emptyOutbox(store);
    });
  }
  return taken;
}
