import { catalogSchema } from '@lobbystats/catalog-api/admin';
import {
  BOARD_PASS_SECONDS,
  boardObserved,
  DAY_SECONDS,
  formatInstant,
  operations,
  titleObserved,
} from '@lobbystats/contracts';
import type { MessageBus } from '@lobbystats/service-kit/bus';
import { createSimulator, type BoardKey } from '@lobbystats/simulator';
import { eventually, getJson, repetitions } from '@lobbystats/test-kit';
import { startProcess, type ServiceProcess } from './service-process.ts';
import { freePorts } from '@lobbystats/test-kit/free-ports';
import { createVhost, type TestVhost } from '@lobbystats/test-kit/test-vhost';
import { createTestDatabase, type TestDatabase } from '@lobbystats/test-kit/test-database';
import { expectBoards, expectPastBoards } from './expect-boards.ts';
import { expectChanges } from './expect-changes.ts';
import { everyBoard, referenceChanges } from './reference-changes.ts';

const KILLS = repetitions({ usual: 4, full: 10 });

const { world } = createSimulator({ titles: 12, openMatches: 1, boards: 120, entries: 6000, boardChanges: 0.5 });
const hour = Math.floor(Date.now() / 1000 / BOARD_PASS_SECONDS) * BOARD_PASS_SECONDS;
/** Includes the current hour. */
const passes = { from: hour - DAY_SECONDS, to: hour + BOARD_PASS_SECONDS };

let vhost: TestVhost;
let database: TestDatabase;
let bus: MessageBus;
let url: string;
let running: ServiceProcess | undefined;
beforeAll(async () => {
  vhost = await createVhost('catalog-api');
  database = await createTestDatabase({ database: 'test_killed_catalog', user: 'catalog-api', schema: catalogSchema });
  await database.clear();
  bus = await vhost.openBus(Date.now);
  const [port] = await freePorts(1);
  url = `http://127.0.0.1:${port}`;
});
afterAll(async () => {
  await running?.stop('SIGKILL');
  await bus.close();
  await vhost.remove();
  await database.clear();
});

/** Starts catalog-api with MongoDB and RabbitMQ as a child process. Resolves when it responds. */
async function startCatalog(): Promise<ServiceProcess> {
  const settings = { DATABASE_URL: database.url, BUS_URL: vhost.serviceUrl, LOG_LEVEL: 'warn' };
  running = startProcess('services/catalog-api/src/main.ts', {
    env: { PORT: new URL(url).port, METRICS_PORT: '0', ...settings },
  });
  await eventually(fetchChangeCount);
  return running;
}

async function fetchChangeCount(): Promise<number> {
  const { status, body } = await getJson<{ total: number }>(`${url}${operations.listChanges.path}?limit=1`);
  expect(status).toBe(200);
  return body.total;
}

/** Publishes the observations of a collector for these hours. */
async function publishObservations(): Promise<void> {
  const titles = world
    .titlesAt(hour)
    .map(({ titleId, name }) => ({ titleId, home: { name, image: '', publisher: '', productCode: '' } }));
  await bus.publish(titleObserved, { seenAt: formatInstant(hour), titles });
  for (let pass = passes.from; pass < passes.to; pass += BOARD_PASS_SECONDS) {
    const keys = pass === passes.from ? world.boardKeysAt(pass) : world.boardChanges(pass);
    await Promise.all(keys.map((key) => publishBoard(pass, key)));
  }
}

async function publishBoard(pass: number, { titleId, id }: BoardKey): Promise<void> {
  const board = world.board(pass, titleId, id);
  const at = formatInstant(pass);
  await bus.publish(
    boardObserved,
    {
      ...{ titleId, leaderboardId: id, name: board?.name ?? '', pass: at, seenAt: at },
      board: board === undefined ? null : { isTime: board.isTime, entries: [...board.entries] },
    },
    { occurredAt: pass, past: true },
  );
}

it('changes in MongoDB are recorded exactly once when catalog-api is killed repeatedly and messages are repeated', async () => {
  const boards = everyBoard(world, passes);
  const all = boards.flatMap((board) => referenceChanges(world, board, passes)).length;
  await publishObservations();

  const totals: number[] = [];
  for (let kill = 0; kill < KILLS; kill += 1) {
    const catalog = await startCatalog();
    const comesOn = async () => {
      const total = await fetchChangeCount();
      expect(total).toBeGreaterThanOrEqual((kill * all) / KILLS);
      totals.push(total);
    };
    await eventually(comesOn, { everyMs: 5 });
    await catalog.stop('SIGKILL');
  }
  expect(totals.filter((total) => total < all).length).toBeGreaterThan(KILLS / 2);

  await publishObservations();
  const catalog = await startCatalog();
  await eventually(async () => expect(await bus.depth('catalog-api')).toBe(0), { everyMs: 100 });
  expect(await expectChanges(url, world, { backfilled: passes, now: hour })).toBe(all);
  for (const { titleId } of world.titlesAt(hour)) await expectBoards(url, world, { titleId, pass: hour });
  await expectPastBoards(url, world, boards.slice(0, 20), passes);
  expect(await vhost.deadLetters()).toBe(0);
  await catalog.stop('SIGTERM');
});
